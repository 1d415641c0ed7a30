/** The runs as a table, the newest first; runs of one session together, below its line. */

import type {InteractionRow} from '../../../actors/journal/journal.ts';
import type {InteractionState} from '../../past/run-status.ts';
import {ageText, costText, countText} from '../numbers.ts';
import type {Style} from '../style.ts';
import {oneLine} from '../text.ts';
import {tableLines} from './table.ts';

/** A run and its state. */
export interface ListedRow extends InteractionRow {
  readonly state: InteractionState;
  /** Up to now, for an open run; absent when no model with a known price was called. */
  readonly costUsd?: number;
  /** Of an interview: the title of its form. */
  readonly title?: string;
}

export interface SessionLinesOptions {
  readonly now: number;
  readonly withFolder: boolean;
  readonly width?: number;
}

/** `rows`: runs of a session are adjacent, the newest first. A session of one run is shown as the run. */
export function sessionLines(
  rows: readonly ListedRow[],
  style: Style,
  {now, withFolder, width = Number.POSITIVE_INFINITY}: SessionLinesOptions,
): string[] {
  const lines = [...Map.groupBy(rows, ({session}) => session).values()].flatMap(linesOf);
  const titles = ['ID', 'AGE', 'FORM', 'STATE', 'COST'].concat(
    withFolder ? 'FOLDER' : [],
    'REQUEST',
  );
  return tableLines(
    titles,
    lines.map((line) => cellsOf(line, now, withFolder)),
    style,
    width,
  );
}

function cellsOf(line: Line, now: number, withFolder: boolean): string[] {
  const {id, openedAt, form, state, costUsd, workspace, request} = line;
  const cost = costUsd === undefined ? '' : costText(costUsd);
  return [
    id,
    ageText(now - openedAt),
    form,
    state,
    cost,
    ...(withFolder ? [workspace] : []),
    request,
  ];
}

interface Line extends Pick<ListedRow, 'id' | 'openedAt' | 'form' | 'workspace' | 'request'> {
  readonly state: string;
  readonly costUsd?: number | undefined;
}

function linesOf(newestFirst: readonly ListedRow[]): Line[] {
  const [newest, ...others] = newestFirst;
  if (!newest) return [];
  if (others.length === 0) return [lineOf(newest)];
  const runs = newestFirst
    .toReversed()
    .map((row, index) => lineOf(row, index < others.length ? '├ ' : '└ '));
  return [headOf(newest, newestFirst), ...runs];
}

function lineOf(row: ListedRow, branch = ''): Line {
  const {id, state, status, request, title} = row;
  return {
    ...row,
    request: titledRequest(request, title),
    id: `${branch}${id}`,
    state: status === undefined ? state : `${state}: ${status}`,
  };
}

/** A request with the title of its form, if it has one. */
export function titledRequest(request: string, title: string | undefined): string {
  return title === undefined || title === request ? request : `${title} (${request})`;
}

function headOf({session: id, openedAt, workspace}: ListedRow, runs: readonly ListedRow[]): Line {
  const costs = runs.flatMap(({costUsd}) => costUsd ?? []);
  return {
    id,
    openedAt,
    workspace,
    form: 'session',
    state: states.find((each) => runs.some(({state}) => state === each)) ?? '',
    request: countText(runs.length, 'interaction'),
    costUsd: costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost),
  };
}

/** The state of a session: the first of these that one of its runs has. */
const states: readonly InteractionState[] = [
  'running',
  'waiting',
  'crashed',
  'suspended',
  'outdated',
  'damaged',
  'ended',
];

/** `folder`: the listed one; undefined: every one. `search`: the searched words, if any. */
export function noSessionsLine(folder: string | undefined, search: string): string {
  const start = 'quorate "what is to be done" starts one';
  const where = folder === undefined ? '' : ` in ${oneLine(folder, 300)}`;
  const others = 'quorate sessions --all lists those of every folder';
  if (search !== '') {
    const none = `no run${where} with ${oneLine(search, 200)}`;
    return folder === undefined ? none : `${none}; ${others}`;
  }
  return folder === undefined ? `no runs yet: ${start}` : `no runs${where}: ${start}, ${others}`;
}

export function hiddenLine(count: number): string {
  return `… and ${countText(count, 'older session')}: quorate sessions --limit N`;
}
