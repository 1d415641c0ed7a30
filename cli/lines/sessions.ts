/** The runs as a table, the newest first. */

import type {InteractionRow} from '../../actors/journal/journal.ts';
import type {InteractionState} from '../standing.ts';
import {ageText, costText, countText} from './numbers.ts';
import type {Style} from './style.ts';
import {tableLines} from './table.ts';
import {oneLine} from './text.ts';

/** A run and how it stands. */
export interface ListedRow extends InteractionRow {
  readonly state: InteractionState;
  /** So far, when it is open; absent when no model with a known price was called. */
  readonly costUsd?: number;
}

export interface SessionLinesOptions {
  readonly now: number;
  readonly withFolder: boolean;
  readonly width?: number;
}

export function sessionLines(
  rows: readonly ListedRow[],
  style: Style,
  {now, withFolder, width}: SessionLinesOptions,
): string[] {
  const folder = (name: string): string[] => (withFolder ? [name] : []);
  return tableLines(
    ['ID', 'AGE', 'FORM', 'STATE', 'COST', ...folder('FOLDER'), 'REQUEST'],
    rows.map(({id, openedAt, form, state, status, costUsd, workspace, request}) => [
      id,
      ageText(now - openedAt),
      form,
      status === undefined ? state : `${state}: ${status}`,
      costUsd === undefined ? '' : costText(costUsd),
      ...folder(workspace),
      request,
    ]),
    style,
    width,
  );
}

/** `folder`: the one that was looked at; undefined: every one. */
export function noSessionsLine(folder: string | undefined): string {
  const start = 'quorate "what is to be done" starts one';
  if (folder === undefined) return `no runs yet: ${start}`;
  return `no runs in ${oneLine(folder, 300)}: ${start}, quorate sessions --all lists those of every folder`;
}

export function hiddenLine(count: number): string {
  return `… and ${countText(count, 'older run')}: quorate sessions --limit N`;
}
