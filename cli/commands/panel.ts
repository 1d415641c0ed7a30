/** `quorate panel ID…`: contribution and cost of each seat over recorded runs. */

import type {Journal} from '../../actors/journal/journal.ts';
import {panelRecord} from '../../machines/panel/seats.ts';
import type {Command} from '../line/command.ts';
import {findRows} from '../past/find-run.ts';
import {openToRead} from '../past/open-journal.ts';
import {styleFor} from '../render/style.ts';
import {panelData, panelLines} from '../render/tables/panel.ts';
import {safeJson} from '../render/text.ts';
import {pageWidthOf, write} from '../terminal.ts';

export const panelRecords: Command = {
  operands: {
    usage: 'ID…',
    what: {en: 'the IDs of runs', ja: '実行の ID'},
    values: 'run',
    least: 1,
    most: Number.POSITIVE_INFINITY,
  },
  summary: {
    en: 'show which seats are worth their cost: agreement, decisive ballots, time and cost of each',
    ja: '席ごとの働き: 一致率、決定的だった票、時間、費用',
  },
  detail: {
    en: `Shows the contribution and the cost of each seat over all votes of these runs. It reads only the journals, also those
of open runs.

  SAT        votes of panels on which it had a seat: it approved (●), rejected (○), abstained or failed to vote (!), or its
             ballot was no longer needed (·)
  AGREES     the number of its approvals and rejections that were the panel's verdict, where the panel had one
  DECISIVE   votes that its opposite ballot would have led to another verdict
  WITHOUT    votes that would have ended otherwise without the seat, as quorate recount --without SEAT counts them
  TIME       the median time that its model worked for a ballot, of the counted ballots
  COST       of all its calls, including aborted ones

0–2 is a range: an aborted ballot could have had any verdict. — means that the journal lacks the data, as journals of
earlier versions do. A seat that always agrees and never decides has a cost but no contribution; one that is never
needed in time is slower than the others. The pairs that agree most are the likeliest to make the same mistake.`,
    ja: `指定した実行の全投票について、席ごとに、何をもたらし何を費やしたかを示します。ジャーナルだけを読みます。未完了の
実行も対象です。

  SAT        席のあった合議体の投票: 承認 (●)、却下 (○)、棄権か投票できず (!)、票が不要になった (·)
  AGREES     承認と却下のうち、合議体の結論と同じだった数（結論があったとき）
  DECISIVE   逆の票なら結論が変わった投票
  WITHOUT    この席がなければ結果が変わった投票（quorate recount --without SEAT の数え方）
  TIME       読まれた票について、モデルが働いた時間の中央値
  COST       すべての呼び出しの費用。中止されたものも含む

0–2 はその間という意味です。中止された票は何でもありえたからです。— は、前の版のようにジャーナルに記録がないという
意味です。いつも一致して決定的でない席は、費用だけで何も加えません。間に合わない席はほかより遅い席です。最も一致する
組は、同じ間違いをする可能性が最も高い組です。`,
  },
  obeys: ['output'],
  examples: ['quorate panel ID', 'quorate panel ID ID --output json'],
  run: async ({operands, output}, terminal) => {
    const {stdout, env, language} = terminal;
    const journal = await openToRead(terminal);
    try {
      const runs = await readRuns(operands, journal);
      const rounds = runs.flatMap((run) => run.rounds);
      const record = panelRecord(
        rounds,
        runs.flatMap((run) => run.calls),
      );
      const text =
        output === 'text'
          ? panelLines(
              {runs, record},
              {style: styleFor(stdout, {env, language}), width: pageWidthOf(stdout)},
            ).join('\n')
          : safeJson(panelData({runs, record}), output === 'json' ? 2 : undefined);
      await write(stdout, `${text}\n`);
      const damage = runs.find((run) => run.damage !== undefined)?.damage;
      if (damage) throw damage;
      return 0;
    } finally {
      await journal.close();
    }
  },
};

/** One after another; keeps only rounds and calls of each run. */
async function readRuns(ids: readonly string[], journal: Journal) {
  const {roundsIn, seatCallsIn} = await import('../past/recorded-rounds.ts');
  const {runStateOf} = await import('../../actors/sessions/run-state.ts');
  return await Array.fromAsync(await findRows(journal, ids), async (row) => {
    const {entries, damage} = await journal.log.salvage(row.id);
    return {
      row,
      state: await runStateOf(row, journal),
      rounds: roundsIn(entries).map(({round}) => round),
      calls: seatCallsIn(entries),
      damage,
    };
  });
}
