/** Contribution and cost of each seat, as a table. */

import type {InteractionRow} from '../../../actors/journal/journal.ts';
import type {RecordedRound} from '../../../machines/panel/recount.ts';
import type {
  PanelRecord,
  Range,
  SeatRecord,
  SeatSpending,
  Share,
} from '../../../machines/panel/seats.ts';
import type {InteractionState} from '../../past/run-status.ts';
import {costText, countText, durationText} from '../numbers.ts';
import type {Style} from '../style.ts';
import {tableLines} from './table.ts';

export interface PanelView {
  readonly runs: readonly {
    readonly row: Pick<InteractionRow, 'id' | 'status'>;
    readonly state: InteractionState;
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
  const over = `${countText(runs.length, 'run')}${open > 0 ? ` (${open} open)` : ''}`;
  if (rounds === 0) return [`${over}: no panel has decided anything.`];
  const {approved, rejected, noQuorum} = verdicts;
  const silent = noQuorum > 0 ? `, ${noQuorum} without a quorum` : '';
  const seatTable = tableLines(
    ['SEAT', 'SAT', '●', '○', '!', '·', 'AGREES', 'DECISIVE', 'WITHOUT', 'TIME', 'COST'],
    seats.map(cellsOf),
    style,
    width,
  );
  const compared = pairs.filter(({of}) => of > 0);
  const pairTable = tableLines(
    ['PAIR', 'AGREE'],
    compared.map((pair) => [pair.seats.join(', '), shareText(pair)]),
    style,
    width,
  );
  return [
    `${over}, ${countText(rounds, 'vote')}: ${approved} approved, ${rejected} rejected${silent}`,
    '',
    ...seatTable,
    ...(compared.length > 0 ? ['', ...pairTable] : []),
    '',
    style.dim('quorate help panel says what the columns mean.'),
  ];
}

function cellsOf(record: SeatRecord): string[] {
  const {seat, rounds, approved, rejected, abstained, failed, unheard} = record;
  const {latencyMs, spent} = record;
  return [
    seat,
    ...[rounds, approved, rejected, abstained + failed, unheard].map(String),
    shareText(record.agreement),
    rangeText(record.decisive),
    rangeText(record.turnedWithout),
    latencyMs === undefined ? unknown : durationText(latencyMs),
    spent ? spendingText(spent) : unknown,
  ];
}

function shareText({count, of}: Share): string {
  return of === 0 ? unknown : `${Math.round((count / of) * 100)}% of ${of}`;
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
