/** The runs as a table, the newest first. */

import type {InteractionRow} from '../../actors/journal/journal.ts';
import {ageText} from './numbers.ts';
import type {Style} from './style.ts';
import {tableLines} from './table.ts';

export function sessionLines(
  rows: readonly InteractionRow[],
  style: Style,
  {now, width}: {readonly now: number; readonly width?: number},
): string[] {
  if (rows.length === 0) return ['no runs yet: quorate "what is to be done" starts one'];
  return tableLines(
    ['ID', 'AGE', 'FORM', 'STATUS', 'REQUEST'],
    rows.map(({id, openedAt, form, status, request}) => [
      id,
      ageText(now - openedAt),
      form,
      status ?? 'open',
      request,
    ]),
    style,
    width,
  );
}
