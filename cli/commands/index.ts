/** The commands: one file each, imported on demand. */

import {type Message, t} from '../../machines/message.ts';
import type {Command} from '../line/command.ts';

type Load = () => Promise<Command>;

/** In the order of the help. */
export const commands: Readonly<Record<string, Load>> = {
  chat: async () => (await import('./chat.ts')).chat,
  ask: async () => (await import('./ask.ts')).ask,
  discuss: async () => (await import('./discuss.ts')).discuss,
  interview: async () => (await import('./interview.ts')).interview,
  review: async () => (await import('./review.ts')).review,
  resume: async () => (await import('./resume.ts')).resume,
  cancel: async () => (await import('./cancel.ts')).cancel,
  runs: async () => (await import('./runs.ts')).runs,
  show: async () => (await import('./show.ts')).show,
  inspect: async () => (await import('./inspect.ts')).inspect,
  fork: async () => (await import('./fork.ts')).forkRun,
  recount: async () => (await import('./recount.ts')).recountRun,
  stats: async () => (await import('./stats.ts')).stats,
  policy: async () => (await import('./policy.ts')).policy,
  verify: async () => (await import('./verify.ts')).verify,
  undo: async () => (await import('./undo.ts')).undo,
  export: async () => (await import('./export.ts')).exportRun,
  prune: async () => (await import('./prune.ts')).prune,
  diagram: async () => (await import('./diagram.ts')).diagram,
  paths: async () => (await import('./paths.ts')).paths,
  lint: async () => (await import('./lint.ts')).lint,
  models: async () => (await import('./models.ts')).models,
  config: async () => (await import('./config.ts')).config,
  doctor: async () => (await import('./doctor.ts')).doctor,
  serve: async () => (await import('./serve.ts')).serve,
  worker: async () => (await import('./worker.ts')).worker,
  mcp: async () => (await import('./mcp.ts')).mcp,
  init: async () => (await import('./init.ts')).init,
  demo: async () => (await import('./demo.ts')).demo,
  help: async () => (await import('./help.ts')).help,
};

/** Other names of commands. */
export const aliases: Readonly<Record<string, string>> = {sessions: 'runs'};

/** The command for an alias; else the word. */
export function commandOf(word: string): string {
  return (Object.hasOwn(aliases, word) ? aliases[word] : undefined) ?? word;
}

/** The command for `--continue`. */
export const loadContinue: Load = async () => (await import('./resume.ts')).continueCommand;

/** The command for words that do not begin with a command. */
export const loadTask: Load = async () => (await import('./task.ts')).task;

/** Every command with its name, in the order of the help. */
export async function loadAll(): Promise<readonly (readonly [name: string, command: Command])[]> {
  return await Promise.all(
    Object.entries(commands).map(async ([name, load]) => [name, await load()] as const),
  );
}

// Commands of the version before that are gone, each with the command that does the same. Kept for one version.

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
