/** The fixed words of the commands about machines: their findings and tours. */

import {inLanguages} from '../../language.ts';
import {countText} from '../numbers.ts';

const en = {
  lint: {
    fix: (text: string) => `fix: ${text}`,
    machines: (count: number) => countText(count, 'machine'),
    none: (subject: string) => `${subject}: no findings`,
    counts: (errors: number, warnings: number) =>
      `${countText(errors, 'error')}, ${countText(warnings, 'warning')}`,
  },
  paths: {
    tour: (number: number) => `tour ${number}`,
    tours: (count: number) => countText(count, 'tour'),
    states: (share: string) => `${share} states`,
    transitions: (share: string) => `${share} transitions`,
    share: (covered: number, all: number) => `${covered} of ${all}`,
    explored: (count: number) => `explored ${count} combinations of states, contexts and actors`,
    ignored: 'ignored',
    start: (stop: string) => `start: ${stop}`,
    notStarted: 'not started',
    failsAtStart: 'the machine fails at its start:',
    needsInput: 'If it needs an input, give a sample: see quorate help paths.',
    missingStates: 'states that were not entered:',
    missingTransitions: 'transitions that were not taken:',
    needsSamples:
      'A guard may need other events, outputs or inputs: give samples, see quorate help paths.',
    fails: 'the machine fails:',
    failedAtStart: (message: string) => `${message} (at its start)`,
    failedAfter: (message: string, moves: string) => `${message} (after ${moves})`,
    limits: {
      states: 'The limit of states was reached: --max-states N explores more.',
      depth: 'The limit of moves was reached: --max-depth N explores longer runs.',
    },
  },
};

export type MachineTexts = Readonly<typeof en>;

const ja: MachineTexts = {
  lint: {
    fix: (text) => `直し方: ${text}`,
    machines: (count) => `マシン ${count} 個`,
    none: (subject) => `${subject}: 指摘なし`,
    counts: (errors, warnings) => `error ${errors} 件、warning ${warnings} 件`,
  },
  paths: {
    tour: (number) => `巡回 ${number}`,
    tours: (count) => `巡回 ${count} 件`,
    states: (share) => `状態 ${share}`,
    transitions: (share) => `遷移 ${share}`,
    share: (covered, all) => `${covered}/${all}`,
    explored: (count) => `状態・コンテキスト・アクターの組を ${count} 個調べました`,
    ignored: '無視',
    start: (stop) => `開始: ${stop}`,
    notStarted: '開始前',
    failsAtStart: 'マシンは開始時に失敗します:',
    needsInput: '入力が必要なら、サンプルを与えてください。quorate help paths をご覧ください。',
    missingStates: '入らなかった状態:',
    missingTransitions: '通らなかった遷移:',
    needsSamples:
      'ガードには別のイベント、出力、入力が必要かもしれません。サンプルを与えてください。quorate help paths をご覧ください。',
    fails: 'マシンの失敗:',
    failedAtStart: (message) => `${message}（開始時）`,
    failedAfter: (message, moves) => `${message}（${moves} の後）`,
    limits: {
      states: '状態の数の上限に達しました。--max-states N でさらに調べます。',
      depth: '手数の上限に達しました。--max-depth N でさらに長い経路を調べます。',
    },
  },
};

export const machineTexts = inLanguages({en, ja});
