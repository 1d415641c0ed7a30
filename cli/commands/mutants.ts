/** `quorate mutants`: makes small changes of a chart. Each should make a test fail. */

import {resolve} from 'node:path';

import {type MutantKind, mutantKinds} from '../../machines/testing/mutants/mutant.ts';
import {machineOperand} from '../charts/machine-file.ts';
import type {Command, Parsed} from '../line/command.ts';
import type {Option} from '../line/option.ts';
import {checkChoice, toMs} from '../line/options.ts';
import {usageError} from '../line/usage-error.ts';

const options: readonly Option[] = [
  {
    name: 'test',
    takes: 'COMMAND',
    text: {
      en: 'the tests of the machine: a command line for the shell, which ends with 0 when they pass',
      ja: 'マシンのテスト: シェルのコマンド行。通れば 0 で終わる',
    },
  },
  {
    name: 'list',
    text: {en: 'list the mutants, and run nothing', ja: '変異体を一覧し、何も実行しない'},
  },
  {
    name: 'kind',
    takes: 'KIND',
    values: mutantKinds,
    text: {
      en: 'only mutants of this kind; several: give it again',
      ja: 'この種類の変異体だけ。繰り返せば複数',
    },
  },
  {
    name: 'jobs',
    takes: 'N',
    text: {
      en: 'the number of mutants whose tests run at a time (1)',
      ja: '同時にテストする変異体の数 (1)',
    },
  },
  {
    name: 'timeout',
    takes: 'TIME',
    text: {
      en: 'stop the tests of a mutant after 30s, 2m or milliseconds (five times as long as they\ntake without one, 10 s at least); a mutant that takes longer is found',
      ja: '変異体のテストを 30s、2m、ミリ秒で止める（既定は変異なしの 5 倍、最低 10 s）。\nそれより長い変異体は見つかったものとする',
    },
  },
  {
    name: 'min-found',
    takes: 'N',
    text: {
      en: 'exit with 1 when a smaller percentage of the mutants is found (100)',
      ja: '見つかった変異体がこのパーセント未満なら終了コード 1 (100)',
    },
  },
];

export const mutants: Command = {
  operands: {
    usage: 'FILE',
    what: {
      en: `a module that exports a machine: ${machineOperand}`,
      ja: `マシンを公開するモジュール: ${machineOperand}`,
    },
    values: 'file',
    least: 1,
    most: 1,
  },
  summary: {
    en: 'change a statechart in small ways, and report the changes that its tests do not notice',
    ja: '状態チャートを少しずつ変え、テストが気づかない変更を報告する',
  },
  detail: {
    en: `Makes mutants of the XState machine that FILE exports, or FILE:EXPORT where it exports several: each drops or negates a
guard, retargets or drops a transition, runs its actions twice, drops an entry or exit action, lets an actor or a timer
run on, swaps done and error, drops an \`after\`, starts in another state, or makes a final state an ordinary one. The
tests run once with the machine as it is, when they must pass, then once for each mutant. A mutant that no test notices
survives: a test is missing. Changes that no test can notice are left out; --list shows them with the reason.

No file is changed: the machine is changed as it is created, inside every Node process that the command starts, by an
option of Node (NODE_OPTIONS=--import). The tests must create the machine in Node (Vitest with forks or threads,
node --test, Mocha, tsx), with the package xstate 5. Jest, pools of vm contexts and browsers load XState in another way.

Exit 0: all mutants are found, or --min-found N per cent of them. 1: fewer. 2: the tests fail without a mutant, or never
create the machine. 130: interrupted.
--output json: {machine, command, counts, percent_found, seconds, mutants: [{name, kind, state, hint, outcome, seconds}],
excluded: [{name, kind, state, reason}]}.`,
    ja: `FILE（複数あれば FILE:EXPORT）が公開する XState マシンの変異体を作ります。それぞれが、ガードを外すか逆にする、遷移の
行き先を変えるか外す、アクションを 2 度実行する、entry か exit のアクションを外す、アクターやタイマーを動かし続ける、
done と error を入れ替える、\`after\` を外す、別の状態から始める、最終状態を普通の状態にする、のどれかです。テストは、
まずそのままのマシンで 1 度動かし（通る必要があります）、次に変異体ごとに動かします。どのテストも気づかない変異体は
生き残ります。つまりテストが足りません。どのテストでも気づけない変更は除きます。--list はそれを理由とともに示します。

ファイルは変えません。コマンドが始めるすべての Node プロセスの中で、マシンが作られるときに変えます
（NODE_OPTIONS=--import）。テストは Node（forks か threads の Vitest、node --test、Mocha、tsx）で、パッケージ xstate 5 で
マシンを作る必要があります。Jest、vm コンテキスト、ブラウザーは XState を別の方法で読み込みます。

終了コード 0: すべての変異体が見つかる、または --min-found N パーセント。1: それ未満。2: 変異なしでテストが失敗する、
またはマシンを作らない。130: 中断。
--output json: {machine, command, counts, percent_found, seconds, mutants: [{name, kind, state, hint, outcome, seconds}],
excluded: [{name, kind, state, reason}]}。`,
  },
  options,
  obeys: ['output'],
  examples: [
    'quorate mutants checkout.ts --test "npx vitest run checkout.test.ts"',
    'quorate mutants machines.ts:checkout --list --kind drop-guard',
    'quorate mutants checkout.ts --test "node --test" --jobs 4 --min-found 90 --output json',
  ],
  run: async (parsed, terminal) => {
    const wanted = readWanted(parsed);
    const [{findMachine}, {mutantsOf}] = await Promise.all([
      import('../charts/machine-file.ts'),
      import('../../machines/testing/mutants/mutants.ts'),
    ]);
    const cwd = resolve(parsed.cwd ?? '.');
    const {machine} = await findMachine(parsed.operands[0] ?? '', cwd);
    const all = mutantsOf(machine);
    const isWanted = ({kind}: {readonly kind: MutantKind}): boolean =>
      wanted.kinds.length === 0 || wanted.kinds.includes(kind);
    const chosen = {mutants: all.mutants.filter(isWanted), excluded: all.excluded.filter(isWanted)};
    if (wanted.line === undefined) {
      const {listMutants} = await import('../charts/mutants/mutation-report.ts');
      await listMutants({machine: machine.id, ...chosen}, parsed, terminal);
      return 0;
    }
    const {tryAndReport} = await import('../charts/mutants/mutation-session.ts');
    return await tryAndReport(
      machine,
      {...wanted, ...chosen, line: wanted.line, cwd},
      parsed,
      terminal,
    );
  },
};

interface Wanted {
  /** Undefined: the mutants are only listed. */
  readonly line: string | undefined;
  readonly kinds: readonly MutantKind[];
  readonly jobs: number;
  readonly timeoutMs?: number;
  readonly leastPercent: number;
}

function readWanted({flags}: Parsed): Wanted {
  const given = (name: string): string | undefined => flags[name]?.at(-1);
  const line = given('test');
  if ((line ?? '').trim() === '' && !flags['list']) {
    throw usageError({
      en: 'say how to run the tests: --test "npx vitest run x.test.ts"; or --list the mutants',
      ja: 'テストの実行方法を書いてください: --test "npx vitest run x.test.ts"。一覧だけなら --list',
    });
  }
  const timeout = given('timeout');
  return {
    line: flags['list'] ? undefined : line,
    kinds: (flags['kind'] ?? []).map((kind) => checkChoice('--kind', kind, mutantKinds)),
    jobs: numberIn('--jobs', given('jobs') ?? '1', [1, 256]),
    leastPercent: numberIn('--min-found', given('min-found') ?? '100', [0, 100]),
    ...(timeout === undefined ? {} : {timeoutMs: toMs('--timeout', timeout)}),
  };
}

function numberIn(flag: string, text: string, [least, most]: readonly [number, number]): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw usageError({
    en: `${flag} takes a number from ${least} to ${most}, not "${text}"`,
    ja: `${flag} の値は ${least} から ${most} までの数です（"${text}" は使えません）`,
  });
}
