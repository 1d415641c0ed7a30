/** `quorate fork ID --at POINT`: continues the past of a run in another way, as a new run. */

import type {ForkOptions} from '../../actors/history/history-api.ts';
import {defaultForm} from '../../machines/domain/interaction-form.ts';
import {answersOption} from '../interview/answers-option.ts';
import {oneRun, type Command, type Parsed} from '../line/command.ts';
import {decisionOption} from '../line/decision-flag.ts';
import {pointOption} from '../line/point-option.ts';
import {usageError} from '../line/usage-error.ts';
import {withLog} from '../log.ts';
import {changesIn, decisionIn, followContinued, interviewOptions} from '../past/continued.ts';
import {findRow} from '../past/find-run.ts';

const maxCount = 100;

export const forkRun: Command = {
  operands: oneRun,
  summary: {
    en: 'continue a run from an earlier point in another way, as a new run',
    ja: '実行を以前の時点から別のやり方で、新しい実行として続ける',
  },
  detail: {
    en: `Starts a new run with the same past as run ID up to a point, and another future: with other models, another panel, rule, mode
or limits, with another decision at an open gate, or with other words. The run ID stays as it is. Calls that were made before
the point are not made again; a call that was in flight keeps its recorded outcome. A named point is the moment before the
named thing, so that it happens anew: --at plan.1 drafts the first plan again.

The new run works in the folder of run ID, if that is as it was at the point. Otherwise give a copy with -C, or take the later
changes back with quorate rewind.

With --count N, N forks run one after another, each in a copy of the folder as it was at the point; a table compares them.
None of them waits for a person. The exit code is 0 when all of them have completed, else 1.`,
    ja: `実行 ID と同じ過去をある時点まで持ち、そこから別の未来をたどる新しい実行を始めます: 別のモデル、合議体、規則、モード、
上限で、開いているゲートでの別の決定で、または別の言葉で。実行 ID はそのままです。その時点までの呼び出しは繰り返さず、
実行中だった呼び出しは記録された結果を使います。名前のある時点はその直前を指し、それがもう一度行われます: --at plan.1 は
最初の計画を作り直します。

新しい実行は、その時点のままであれば実行 ID のフォルダで動きます。そうでなければ -C で写しを指定するか、quorate rewind で
後の変更を元に戻してください。

--count N では N 個の分岐を順に実行し、それぞれその時点のフォルダの写しで動かして、表で比べます。人を待つことはありません。
すべて完了すれば終了コード 0、そうでなければ 1 です。`,
  },
  options: [
    pointOption('at', {en: 'the point at which it forks', ja: '分岐する時点'}),
    {
      name: 'say',
      takes: 'TEXT',
      text: {
        en: 'a message to it at this point; in an interview, the reply to the open question',
        ja: 'その時点で伝える言葉。インタビューでは、開いている質問への答え',
      },
    },
    decisionOption,
    {
      name: 'count',
      takes: 'N',
      text: {
        en: 'run N forks, each in a copy of the folder, and compare them',
        ja: 'フォルダの写しで N 個の分岐を実行し、比べる',
      },
    },
    answersOption,
  ],
  examples: [
    'quorate fork ID --at plan.1 -m decision=claude-opus-4.5',
    'quorate fork ID --at vote.2 -m review=a,b,c',
    'quorate fork ID --at gate.1 --decision "reject:it needs a backup first"',
  ],
  obeys: ['output', 'log', 'models', 'rule', 'panel', 'plans', 'tasks', 'limits'],
  endsWithResult: defaultForm,
  run: async (parsed, terminal) => {
    const at = pointIn(parsed);
    const count = countIn(parsed);
    const given = decisionIn(parsed);
    const {openRuntime} = await import('../open-runtime.ts');
    const {runtime, journal, warnings} = await openRuntime(parsed, terminal);
    try {
      const row = await findRow(journal, parsed.operands[0] ?? '');
      const changes = await changesIn(parsed);
      if (count !== undefined) {
        const {compareForks} = await import('../past/compared-forks.ts');
        const how = {...changes, ...saidIn(parsed)};
        return await compareForks(row, {at, count, how, runtime, parsed, terminal});
      }
      return await withLog(parsed, terminal.env, async (log) => {
        const interview = await interviewOptions(row.form, parsed, terminal);
        const {createForkPast} = await import('../past/fork-past.ts');
        const {cwd} = parsed;
        const place = cwd === undefined ? {} : {workspace: cwd};
        const {prepare, past} = createForkPast(journal, given);
        const how = {at, ...changes, ...place, ...saidIn(parsed), prepare};
        const run = await runtime.fork(row.id, how);
        const forked = {run, ...past(), interview, warnings};
        return await followContinued(forked, {parsed, terminal, log});
      });
    } finally {
      await runtime.close();
    }
  },
};

function pointIn({flags}: Parsed): string {
  const at = flags['at']?.at(-1);
  if (at !== undefined) return at;
  throw usageError({
    en: 'quorate fork needs a point: --at 12, --at plan.1; quorate verify -v ID lists them',
    ja: 'quorate fork には時点が必要です: --at 12、--at plan.1。quorate verify -v ID で一覧できます',
  });
}

function saidIn({flags}: Parsed): Pick<ForkOptions, 'say'> {
  const text = flags['say']?.at(-1)?.trim();
  if (text === undefined) return {};
  if (text !== '') return {say: text};
  throw usageError({en: '--say is empty', ja: '--say が空です'});
}

function countIn({flags, cwd}: Parsed): number | undefined {
  const text = flags['count']?.at(-1);
  if (text === undefined) return undefined;
  const single = ['decision', 'answers'].find((name) => flags[name] !== undefined);
  if (cwd !== undefined || single !== undefined) throw onlyOne(single ? `--${single}` : '-C');
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= maxCount) return count;
  throw usageError({
    en: `--count takes a number from 1 to ${maxCount}, not "${text}"`,
    ja: `--count には 1 から ${maxCount} までの数を書いてください（"${text}" は使えません）`,
  });
}

function onlyOne(option: string): Error {
  return usageError({
    en: `${option} is for one fork: give it without --count`,
    ja: `${option} は 1 つの分岐のためのものです。--count なしで指定してください`,
  });
}
