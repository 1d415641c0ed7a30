/** The runs as a table, the newest first; runs of one session together, below its line. */

import type {InteractionRow} from '../../../actors/journal/journal.ts';
import type {RunState} from '../../../actors/runtime-api.ts';
import {t} from '../../../machines/message.ts';
import {say, type Reader, wordIn} from '../../language.ts';
import {ageText, costText} from '../numbers.ts';
import type {Style} from '../style.ts';
import {maxLine, oneLine} from '../text.ts';
import {tableLines} from './table.ts';

const titles = [t`ID`, t`AGE`, t`FORM`, t`STATE`, t`COST`];

/** A run and its state. */
export interface ListedRow extends InteractionRow {
  readonly state: RunState;
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
  const lines = [...Map.groupBy(rows, ({session}) => session).values()].flatMap((own) =>
    linesOf(own, style),
  );
  return tableLines(
    [...titles, ...(withFolder ? [t`FOLDER`] : []), t`REQUEST`],
    lines.map((line) => cellsOf(line, {now, withFolder, reader: style})),
    style,
    width,
  );
}

interface CellsView {
  readonly now: number;
  readonly withFolder: boolean;
  readonly reader: Reader;
}

function cellsOf(line: Line, {now, withFolder, reader}: CellsView): string[] {
  const {id, openedAt, form, state, costUsd, request} = line;
  const cost = costUsd === undefined ? '' : costText(costUsd);
  return [
    id,
    ageText(now - openedAt, reader),
    form,
    state,
    cost,
    ...(withFolder ? [placeText(line)] : []),
    request,
  ];
}

/** The folder; in a journal that machines share, with the name of its machine. */
export function placeText({
  machine,
  workspace,
}: Pick<InteractionRow, 'machine' | 'workspace'>): string {
  return oneLine(machine === undefined ? workspace : `${machine}:${workspace}`, maxLine);
}

interface Line extends Pick<
  ListedRow,
  'id' | 'openedAt' | 'form' | 'machine' | 'workspace' | 'request'
> {
  readonly state: string;
  readonly costUsd?: number | undefined;
}

function linesOf(newestFirst: readonly ListedRow[], reader: Reader): Line[] {
  const [newest, ...others] = newestFirst;
  if (!newest) return [];
  if (others.length === 0) return [lineOf(newest, reader)];
  const runs = newestFirst
    .toReversed()
    .map((row, index) => lineOf(row, reader, index < others.length ? '├ ' : '└ '));
  return [headOf(newest, newestFirst, reader), ...runs];
}

function lineOf(row: ListedRow, reader: Reader, branch = ''): Line {
  const {id, state, status, request, title} = row;
  return {
    ...row,
    request: titledRequest(request, title),
    id: `${branch}${id}`,
    state:
      status === undefined
        ? wordIn(state, reader)
        : `${wordIn(state, reader)}: ${wordIn(status, reader)}`,
  };
}

/** A request with the title of its form, if it has one. */
export function titledRequest(request: string, title: string | undefined): string {
  return title === undefined || title === request ? request : `${title} (${request})`;
}

function headOf(
  {session: id, openedAt, machine, workspace}: ListedRow,
  runs: readonly ListedRow[],
  reader: Reader,
): Line {
  const state = states.find((each) => runs.some((run) => run.state === each));
  const costs = runs.flatMap(({costUsd}) => costUsd ?? []);
  return {
    id,
    openedAt,
    ...(machine === undefined ? {} : {machine}),
    workspace,
    form: say(t`session`, reader),
    state: state === undefined ? '' : wordIn(state, reader),
    request: say(t`${runs.length} {interaction|interactions}`, reader),
    costUsd: costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost),
  };
}

/** The state of a session: the first of these that one of its runs has. */
const states: readonly RunState[] = [
  'running',
  'waiting',
  'crashed',
  'suspended',
  'imported',
  'outdated',
  'damaged',
  'ended',
];

/** `folder`: the listed one; undefined: every one. `search`: the searched words, if any. */
export function noSessionsLine(
  folder: string | undefined,
  search: string,
  reader: Reader = {},
): string {
  const where = folder === undefined ? '' : say(t` in ${oneLine(folder, 300)}`, reader);
  if (search !== '') {
    const none = say(t`no run${where} with ${oneLine(search, 200)}`, reader);
    return folder === undefined
      ? none
      : `${none}${say(t`; `, reader)}${say(t`quorate runs --all lists those of every folder`, reader)}`;
  }
  return folder === undefined
    ? `${say(t`no runs yet`, reader)}: ${say(t`quorate "TASK" starts one`, reader)}`
    : `${say(t`no runs${where}`, reader)}: ${say(t`quorate "TASK" starts one`, reader)}, ${say(t`quorate runs --all lists those of every folder`, reader)}`;
}

export function hiddenLine(count: number, reader: Reader = {}): string {
  return say(t`… and ${count} {older session|older sessions}: quorate runs --limit N`, reader);
}
