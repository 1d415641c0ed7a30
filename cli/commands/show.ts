/** `quorate show [ID]`: one run from its journal, open or ended. */

import type {Moment} from '../../actors/history/moment.ts';
import type {NamedPoint} from '../../actors/history/points.ts';
import type {Entry, InteractionRow, Salvaged} from '../../actors/journal/journal.ts';
import type {Peeked} from '../../actors/sessions/peek.ts';
import type {Waiting} from '../../machines/domain/result.ts';
import type {Answers, OpenAsk} from '../../machines/questionnaire/answers.ts';
import {createPrivacy, maskedAnswers} from '../../machines/questionnaire/private-answers.ts';
import {oneOrNewest, type Command} from '../line/command.ts';
import {pointOption} from '../line/point-option.ts';
import {findOrNewest} from '../past/find-run.ts';
import {openToRead} from '../past/open-journal.ts';
import type {RecordedInteraction} from '../past/recorded-tree.ts';
import {type InteractionState, tryPeekRun, stateOf} from '../past/run-status.ts';
import {styleFor} from '../render/style.ts';
import {safeJson} from '../render/text.ts';
import {pageWidthOf, write} from '../terminal.ts';

export const show: Command = {
  operands: oneOrNewest,
  summary: {
    en: 'show a run: its plan, its votes with their reasons, its tasks',
    ja: '実行を表示する: 計画、投票と理由、タスク',
  },
  detail: {
    en: `Shows a run: its request, the interactions below it with their results and costs, plan, votes with their reasons, tasks or
steps, its result, and its open questions. Of a damaged journal it shows the entries before the damage, reports the damage
and exits 2. Without an ID: the newest run of this folder.`,
    ja: `実行を表示します: 依頼、その下の対話と結果・所要、計画、投票と理由、タスクや手順、結果、待っているもの。壊れた
ジャーナルでは、損傷の前までを表示し、何が悪いかを示して終了コード 2 です。ID なし: このフォルダの最新の実行。`,
  },
  options: [
    pointOption('at', {en: 'show it as it was after this point', ja: 'この時点の後の姿を表示'}),
  ],
  examples: ['quorate show ID --at plan.1', 'quorate show ID --at 12 --output json'],
  obeys: ['output'],
  run: async ({operands: [wanted], output, cwd, flags}, terminal) => {
    const {stdout, env, language} = terminal;
    const point = flags['at']?.at(-1);
    const journal = await openToRead(terminal);
    try {
      const found = await findOrNewest(journal, wanted, cwd);
      const {id} = found;
      const salvaged = await journal.log.salvage(id);
      const {row, entries, damage, moment} = await shownAt(point, found, salvaged);
      const peeked = row.status === undefined ? await tryPeekRun(id, entries) : undefined;
      if (output === 'jsonl') {
        const shown = withoutPrivate(entries, entries, peeked);
        await write(stdout, shown.map((entry) => `${safeJson(entry)}\n`).join(''));
      } else if (output === 'json') {
        const state = moment ? stateAt(peeked) : await stateOf(row, journal);
        const data = {...row, state, ...(await treeOf(row, entries, peeked))};
        const whole = {...moment, journal: entries};
        const shown = moment
          ? await maskedMoment(id, salvaged.entries, whole)
          : withoutPrivate(whole, entries, peeked);
        await write(stdout, `${safeJson({...data, ...shown}, 2)}\n`);
      } else {
        const {showLines} = await import('../render/tables/show.ts');
        const state = moment ? stateAt(peeked) : await stateOf(row, journal);
        const run = {row, state, entries, peeked, ...moment};
        const lines = showLines(run, {
          style: styleFor(stdout, {env, language}),
          width: pageWidthOf(stdout),
          now: Date.now(),
        });
        await write(stdout, `${lines.join('\n')}\n`);
      }
      if (damage) throw damage;
      return 0;
    } finally {
      await journal.close();
    }
  },
};

interface ShownRun extends Pick<Salvaged, 'entries' | 'damage'> {
  readonly row: InteractionRow;
  /** The states of its actors, of a run that is shown at a point. */
  readonly moment?: {readonly moment: Moment};
}

/** Without a point: the run as it is. */
async function shownAt(
  point: string | undefined,
  row: InteractionRow,
  {entries, damage}: Salvaged,
): Promise<ShownRun> {
  if (point === undefined) return {row, entries, damage};
  const {entryAt} = await import('../../actors/history/points.ts');
  const {momentAfter} = await import('../../actors/history/moment.ts');
  const points = /^\d+$/.test(point) ? [] : await pointsOf(row.id, entries);
  const past = entries.slice(0, entryAt(point, 'after', entries, points) + 1);
  const isWhole = past.length === entries.length;
  const {status, answer} = row;
  return {
    row: {
      ...row,
      entries: past.length,
      updatedAt: past.at(-1)?.at ?? row.updatedAt,
      status: isWhole ? status : undefined,
      answer: isWhole ? answer : undefined,
    },
    entries: past,
    damage: isWhole ? damage : undefined,
    moment: {moment: await momentAfter(past)},
  };
}

/** None for a run that these charts do not replay. */
async function pointsOf(id: string, entries: readonly Entry[]): Promise<readonly NamedPoint[]> {
  const {namedPoints} = await import('../../actors/history/points.ts');
  const {readRecordedRun} = await import('../../actors/verify/recorded-run.ts');
  const {replayed} = await readRecordedRun(id, entries);
  return replayed ? namedPoints(entries, replayed.reports) : [];
}

function stateAt(peeked: Peeked | undefined): InteractionState {
  if (!peeked) return 'ended';
  return peeked.gates.length + peeked.asks.length > 0 ? 'waiting' : 'running';
}

interface ShownTree {
  /** The questions that a person must answer, as in a waiting result. */
  readonly waiting?: Waiting;
  /** The open messages of interviews. */
  readonly asked?: readonly OpenAsk[];
  /** Of an open interview: the answers up to now. */
  readonly answers?: Answers;
  /** The interactions below the root. */
  readonly interactions?: readonly RecordedInteraction[];
}

/** `entries`: of the whole run. */
async function maskedMoment<T extends object>(
  id: string,
  entries: readonly Entry[],
  shown: T,
): Promise<T> {
  const {privacyOf} = await import('../../actors/history/run-privacy.ts');
  return (await privacyOf(id, entries, shown)).data(shown);
}

function withoutPrivate<T extends object>(
  shown: T,
  entries: readonly Entry[],
  peeked: Peeked | undefined,
): T {
  return createPrivacy(entries, peeked?.interview ?? {}).data(shown);
}

async function treeOf(
  row: InteractionRow,
  entries: readonly Entry[],
  peeked: Peeked | undefined,
): Promise<ShownTree> {
  const {interactionsBelow, recordedTree} = await import('../past/recorded-tree.ts');
  const {waitingFor} = await import('../../actors/run/run-result.ts');
  const [first, ...others] = peeked?.gates ?? [];
  const interactions = interactionsBelow(recordedTree(row, entries, peeked));
  return {
    ...(first ? {waiting: waitingFor([first, ...others], row)} : {}),
    ...(peeked && peeked.asks.length > 0 ? {asked: peeked.asks} : {}),
    ...(peeked?.interview ? {answers: maskedAnswers(peeked.interview.answers)} : {}),
    ...(interactions.length > 0 ? {interactions} : {}),
  };
}
