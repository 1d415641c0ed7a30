/**
 * Points of a run: an entry by its number, a time, or a name that people use, such as `plan.2`. A named thing has two points:
 * before it happens, where it can be made to happen differently, and after it, where it can be looked at.
 */

import {AppError} from '../../machines/domain/app-error.ts';
import type {Report} from '../../machines/facts/progress.ts';
import {interactionIn} from '../../machines/tree/path.ts';
import type {Entry} from '../journal/journal.ts';
import type {PlacedReport} from './record.ts';

/** Before or after the named thing. */
export type Side = 'before' | 'after';

/** A named point of a run: the numbers of the entries on both sides. `before` is -1 for a thing that begins with the opening. */
export interface NamedPoint {
  readonly name: string;
  readonly before: number;
  readonly after: number;
}

/** A time has a time of day: a date alone would mean a moment of another time zone. */
const timeForm = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/;

/** The forms of a point, for messages. */
export const pointForms =
  'an entry (12), plan.N, vote.N, gate.N, task:ID, or a time (2026-11-28T09:30)';

/** The named points of a run, in the order in which they begin. `reports`: of its replay. */
export function namedPoints(
  entries: readonly Entry[],
  reports: readonly PlacedReport[],
): readonly NamedPoint[] {
  const points = [
    ...plansIn(reports),
    ...votesIn(reports),
    ...gatesIn(entries),
    ...tasksIn(reports, entries.length - 1),
  ];
  return points
    .map(({name, before, after}) => ({name, before, after: withNotes(entries, after)}))
    .toSorted((a, b) => a.before - b.before);
}

/**
 * The entry that a text names: everything up to it has happened. Throws AppError `usage` for a text that names no entry of the
 * run, with the names that there are.
 */
export function entryAt(
  text: string,
  side: Side,
  entries: readonly Entry[],
  points: readonly NamedPoint[],
): number {
  const last = entries.length - 1;
  if (/^\d+$/.test(text)) {
    const seq = Number(text);
    if (seq <= last) return seq;
    throw new AppError('usage', `there is no entry ${text}; the last one is ${last}`);
  }
  const named = points.find(({name}) => name === text);
  if (named) return checkedSide(named, side);
  const time = Date.parse(text);
  if (!Number.isNaN(time) && timeForm.test(text)) return entryAtTime(time, text, entries);
  const names = points.map(({name}) => name).join(', ');
  throw new AppError(
    'usage',
    `${JSON.stringify(text.slice(0, 80))} is not a point of this run; give ${pointForms}${names === '' ? '' : `; it has ${names}`}`,
  );
}

function checkedSide(named: NamedPoint, side: Side): number {
  const seq = named[side];
  if (seq >= 0) return seq;
  throw new AppError(
    'usage',
    `${named.name} begins as the run opens: there is no entry before it; start a new run instead`,
  );
}

function entryAtTime(time: number, text: string, entries: readonly Entry[]): number {
  const found = entries.findLastIndex(({at}) => at <= time);
  if (found >= 0) return found;
  throw new AppError('usage', `the run opened after ${text}`);
}

/** A plan begins with the planning or the revision that drafts it. */
function plansIn(reports: readonly PlacedReport[]): NamedPoint[] {
  const own = reports.filter(isOfRoot);
  const made = own.filter(({report}) => isPlan(report));
  return made.map((plan, index) => {
    const from = own.slice(0, own.indexOf(plan)).findLast(({report}) => isDrafting(report));
    const begin = from?.entry ?? plan.entry;
    return {name: `plan.${index + 1}`, before: begin - 1, after: plan.entry};
  });
}

function isOfRoot({actor}: PlacedReport): boolean {
  return interactionIn(actor, '') === '';
}

function isPlan({type}: Report): boolean {
  return type === 'plan.created' || type === 'plan.revised';
}

function isDrafting(report: Report): boolean {
  return (
    report.type === 'phase.changed' && (report.phase === 'planning' || report.phase === 'revising')
  );
}

function votesIn(reports: readonly PlacedReport[]): NamedPoint[] {
  const decided = reports.filter(({report}) => report.type === 'quorum.decided');
  return decided.map((vote, index) => {
    const earlier = reports.slice(0, reports.indexOf(vote));
    const began = earlier.findLast(
      ({report, actor}) => report.type === 'quorum.started' && actor === vote.actor,
    );
    return {
      name: `vote.${index + 1}`,
      before: (began?.entry ?? vote.entry) - 1,
      after: vote.entry,
    };
  });
}

/** At a gate a person can decide: both points are the one at which the question stands. */
function gatesIn(entries: readonly Entry[]): NamedPoint[] {
  const asked = entries.filter(
    (entry) => entry.type === 'noted' && entry.note['type'] === 'human.requested',
  );
  const gates = new Map(asked.map((entry) => [gateOf(entry), entry.seq]));
  return [...gates.values()].map((seq, index) => ({
    name: `gate.${index + 1}`,
    before: seq,
    after: seq,
  }));
}

function gateOf(entry: Entry): string {
  const gate = entry.type === 'noted' ? entry.note['gate'] : undefined;
  return typeof gate === 'string' ? gate : '';
}

/** The first attempt at each task of the root. */
function tasksIn(reports: readonly PlacedReport[], last: number): NamedPoint[] {
  const points = new Map<string, NamedPoint>();
  const own = reports.filter(isOfRoot);
  for (const {report, entry} of own) {
    if (report.type !== 'task.started' || points.has(report.task)) continue;
    const settled = own.find(
      ({report: end, entry: at}) =>
        end.type === 'task.settled' && end.task === report.task && at >= entry,
    );
    const name = `task:${report.task}`;
    points.set(report.task, {name, before: entry - 1, after: settled?.entry ?? last});
  }
  return [...points.values()];
}

/** The notes behind an entry belong to it. */
function withNotes(entries: readonly Entry[], seq: number): number {
  let last = seq;
  while (entries[last + 1]?.type === 'noted') last += 1;
  return last;
}
