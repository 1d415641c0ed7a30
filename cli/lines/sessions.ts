/** The runs as a table, the newest first. */

import type {InteractionRow} from '../../actors/journal/journal.ts';
import type {InteractionState} from '../standing.ts';
import {ageText} from './numbers.ts';
import type {Style} from './style.ts';
import {tableLines} from './table.ts';

/** A run and how it stands. */
export interface ListedRow extends InteractionRow {
  readonly state: InteractionState;
}

export function sessionLines(
  rows: readonly ListedRow[],
  style: Style,
  {now, width}: {readonly now: number; readonly width?: number},
): string[] {
  if (rows.length === 0) return ['no runs yet: quorate "what is to be done" starts one'];
  return tableLines(
    ['ID', 'AGE', 'FORM', 'STATE', 'REQUEST'],
    rows.map(({id, openedAt, form, state, status, request}) => [
      id,
      ageText(now - openedAt),
      form,
      status === undefined ? state : `${state}: ${status}`,
      request,
    ]),
    style,
    width,
  );
}
