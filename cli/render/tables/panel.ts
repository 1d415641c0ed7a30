/** Contribution and cost of each seat, as a table. */

import type {InteractionRow} from '../../../actors/journal/journal.ts';
import type {RunState} from '../../../actors/runtime-api.ts';
import type {RecordedRound} from '../../../machines/panel/recount.ts';
import type {
  PanelRecord,
  Range,
  SeatRecord,
  SeatSpending,
  Share,
} from '../../../machines/panel/seats.ts';
import type {Reader} from '../../language.ts';
import {costText, durationText} from '../numbers.ts';
import type {Style} from '../style.ts';
import {tableLines} from './table.ts';
import {tableTexts} from './texts.ts';

export interface PanelView {
  readonly runs: readonly {
    readonly row: Pick<InteractionRow, 'id' | 'status'>;
    readonly state: RunState;
    readonly rounds: readonly RecordedRound[];
  }[];
  readonly record: PanelRecord;
}

const unknown = '—';

/** `width`: of the terminal. */
export function panelLines(
  {runs, record}: PanelView,
  {style, width}: {readonly style: Style; readonly width: number},
): string[] {
  const {rounds, verdicts, seats, pairs} = record;
  const open = runs.filter(({row}) => row.status === undefined).length;
  const texts = tableTexts(style).panel;
  const over = texts.runs(runs.length, open);
  if (rounds === 0) return [`${over}: ${texts.nothing}`];
  const {approved, rejected, noQuorum} = verdicts;
  const silent = noQuorum > 0 ? texts.noQuorum(noQuorum) : '';
  const seatTable = tableLines(
    texts.seats,
    seats.map((seat) => cellsOf(seat, style)),
    style,
    width,
  );
  const compared = pairs.filter(({of}) => of > 0);
  const pairTable = tableLines(
    texts.pairs,
    compared.map((pair) => [pair.seats.join(', '), shareText(pair, style)]),
    style,
    width,
  );
  return [
    `${over}, ${texts.votes(rounds, approved, rejected)}${silent}`,
    '',
    ...seatTable,
    ...(compared.length > 0 ? ['', ...pairTable] : []),
    '',
    style.dim(texts.help),
  ];
}

function cellsOf(record: SeatRecord, reader: Reader): string[] {
  const {seat, rounds, approved, rejected, abstained, failed, unheard: unneeded} = record;
  const {latencyMs, spent} = record;
  return [
    seat,
    ...[rounds, approved, rejected, abstained + failed, unneeded].map(String),
    shareText(record.agreement, reader),
    rangeText(record.decisive),
    rangeText(record.turnedWithout),
    latencyMs === undefined ? unknown : durationText(latencyMs),
    spent ? spendingText(spent) : unknown,
  ];
}

function shareText({count, of}: Share, reader: Reader): string {
  const percent = Math.round((count / of) * 100);
  return of === 0 ? unknown : tableTexts(reader).panel.share(percent, of);
}

function rangeText({least, most}: Range): string {
  return least === most ? String(least) : `${least}–${most}`;
}

function spendingText({costUsd, unpriced}: SeatSpending): string {
  if (costUsd === undefined) return unknown;
  return `${unpriced > 0 ? 'at least ' : ''}${costText(costUsd)}`;
}

/** As data, in the shape of `panel --output json`. */
export function panelData({runs, record}: PanelView) {
  return {
    runs: runs.map(({row: {id, status}, state, rounds}) => ({
      interaction: id,
      state,
      ...(status === undefined ? {} : {status}),
      rounds: rounds.length,
    })),
    ...record,
  };
}
