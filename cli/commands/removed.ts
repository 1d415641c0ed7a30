/** Commands of the version before that are gone, each with the command that does the same. Kept for one version. */

import type {Texts} from '../language.ts';

export const removed: Readonly<Record<string, Texts>> = {
  completion: {
    en: 'quorate --completion SHELL prints the completion',
    ja: '補完は quorate --completion シェル名 で出力できます',
  },
  council: {en: 'use quorate discuss', ja: 'quorate discuss を使ってください'},
  'check-upgrade': {
    en: 'use quorate doctor --runs',
    ja: 'quorate doctor --runs を使ってください',
  },
  diff: {
    en: 'use quorate show ID --from POINT --to POINT',
    ja: 'quorate show ID --from POINT --to POINT を使ってください',
  },
  erase: {en: 'use quorate prune ID', ja: 'quorate prune ID を使ってください'},
  panel: {en: 'use quorate stats', ja: 'quorate stats を使ってください'},
  rate: {
    en: 'use quorate show ID --rate up|down --note WORDS',
    ja: 'quorate show ID --rate up|down --note 言葉 を使ってください',
  },
  replay: {
    en: 'use quorate verify ID',
    ja: 'quorate verify ID を使ってください',
  },
  rewind: {
    en: 'use quorate fork ID --at POINT --files',
    ja: 'quorate fork ID --at POINT --files を使ってください',
  },
  tools: {en: 'use quorate doctor tools', ja: 'quorate doctor tools を使ってください'},
  trust: {en: 'use quorate config --trust', ja: 'quorate config --trust を使ってください'},
  'run-plan': {en: 'use quorate --plan FILE', ja: 'quorate --plan FILE を使ってください'},
  mutants: {
    en: 'quorate paths --vitest writes tests that take every transition',
    ja: 'quorate paths --vitest が、すべての遷移を通るテストを書き出します',
  },
};
