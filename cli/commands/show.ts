/** `quorate show [ID]`: one run from its journal, open or ended. */

import type {Entry, InteractionRow} from '../../actors/journal/journal.ts';
import type {Peeked} from '../../actors/sessions/peek.ts';
import type {Waiting} from '../../machines/domain/result.ts';
import type {Answers, OpenAsk} from '../../machines/questionnaire/answers.ts';
import {createPrivacy, maskedAnswers} from '../../machines/questionnaire/private-answers.ts';
import {oneOrNewest, type Command} from '../line/command.ts';
import {findOrNewest} from '../past/find-run.ts';
import {openToRead} from '../past/open-journal.ts';
import type {RecordedInteraction} from '../past/recorded-tree.ts';
import {tryPeekRun, stateOf} from '../past/run-status.ts';
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
  obeys: ['output'],
  run: async ({operands: [wanted], output, cwd}, terminal) => {
    const {stdout, env, language} = terminal;
    const journal = await openToRead(terminal);
    try {
      const row = await findOrNewest(journal, wanted, cwd);
      const {id} = row;
      const {entries, damage} = await journal.log.salvage(id);
      const peeked = row.status === undefined ? await tryPeekRun(id, entries) : undefined;
      if (output === 'jsonl') {
        const shown = withoutPrivate(entries, peeked);
        await write(stdout, shown.map((entry) => `${safeJson(entry)}\n`).join(''));
      } else if (output === 'json') {
        const state = await stateOf(row, journal);
        const data = {...row, state, ...(await treeOf(row, entries, peeked))};
        const shown = withoutPrivate(entries, peeked);
        await write(stdout, `${safeJson({...data, journal: shown}, 2)}\n`);
      } else {
        const {showLines} = await import('../render/tables/show.ts');
        const run = {row, state: await stateOf(row, journal), entries, peeked};
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

function withoutPrivate(entries: readonly Entry[], peeked: Peeked | undefined): readonly Entry[] {
  return createPrivacy(entries, peeked?.interview ?? {}).data(entries);
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
