/** Commands of the version before that are gone, each with the command that does the same. Kept for one version. */

import {type Message, t} from '../../machines/message.ts';

export const removed: Readonly<Record<string, Message>> = {
  completion: t`quorate --completion SHELL prints the completion`,
  council: t`use quorate discuss`,
  'check-upgrade': t`use quorate doctor --runs`,
  diff: t`use quorate show ID --from POINT --to POINT`,
  erase: t`use quorate prune ID`,
  panel: t`use quorate stats`,
  rate: t`use quorate show ID --rate up|down --note WORDS`,
  replay: t`use quorate verify ID`,
  rewind: t`use quorate fork ID --at POINT --files`,
  tools: t`use quorate doctor tools`,
  trust: t`use quorate config --trust`,
  'run-plan': t`use quorate --plan FILE`,
  mutants: t`quorate paths --vitest writes tests that take every transition`,
};
