/** Queries on the log of requests, outcomes, messages and reports. */

import type {PortName} from '../../machines/ports.ts';
import type {Logged} from '../support/hand-performer.ts';
import type {Played} from '../support/played.ts';

export type History = readonly Logged[];
export type Requested<P extends PortName> = Extract<Logged, {type: 'requested'; port: P}>;
export type Settled<P extends PortName> = Extract<Logged, {type: 'settled'; port: P}>;

export function requestsOf<P extends PortName>(record: History, port: P): Requested<P>[] {
  const isWanted = (each: Logged): each is Requested<P> =>
    each.type === 'requested' && each.port === port;
  return record.filter(isWanted);
}

export function settlementsOf<P extends PortName>(record: History, port: P): Settled<P>[] {
  const isWanted = (each: Logged): each is Settled<P> =>
    each.type === 'settled' && each.port === port;
  return record.filter(isWanted);
}

/** The member of an outcome, an output or a report at a path of names; undefined where there is none. */
export function valueIn(from: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? Reflect.get(value, name)
        : undefined,
    from,
  );
}

export function listIn(from: unknown, ...names: readonly string[]): readonly unknown[] {
  const list = valueIn(from, ...names);
  return Array.isArray(list) ? list : [];
}

export function kindOf(outcome: object | undefined): unknown {
  return valueIn(outcome, 'kind');
}

export function decisionOf(outcome: object | undefined): unknown {
  return valueIn(outcome, 'decision');
}

export function reportsOf(record: History, type: string): unknown[] {
  return record.flatMap((each) =>
    each.type === 'reported' && valueIn(each.report, 'type') === type ? [each.report] : [],
  );
}

/** The entries of an actor and its descendants. The name of a timer begins with its actor's path. */
export function under(record: History, path: string): History {
  return record.filter(
    (each) =>
      ('path' in each && (each.path === path || each.path.startsWith(`${path}/`))) ||
      (each.type === 'fired' &&
        (each.timer.startsWith(`${path} `) || each.timer.startsWith(`${path}/`))),
  );
}

/** The path of the parent. */
export function above(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** Each request with all that happened before it. */
export function withPast(record: History): {asked: Requested<PortName>; past: History}[] {
  return record.flatMap((each, at) =>
    each.type === 'requested' ? [{asked: each, past: record.slice(0, at)}] : [],
  );
}

export function messagesSent(record: History, type: string): number {
  return record.filter((each) => each.type === 'sent' && each.event.type === type).length;
}

/** The highest value of a limit, which messages may raise; `names` is its path in a message. */
export function highestOf(record: History, limit: number, ...names: readonly string[]): number {
  const raised = record.flatMap((each) =>
    each.type === 'sent' ? Number(valueIn(each.event, ...names) ?? limit) : [],
  );
  return Math.max(limit, ...raised);
}

/** The entries since the run was last resumed. Some limits apply anew after each resume. */
export function sinceResume(record: History): History {
  const at = record.findLastIndex((each) => each.type === 'settled' && each.port === 'awaitResume');
  return record.slice(at + 1);
}

/** Returns the sentence as a fault unless `isSo`. */
export function unless(isSo: boolean, sentence: string): string[] {
  return isSo ? [] : [sentence];
}

export function outputOf(played: Played): unknown {
  return played.status() === 'done' ? played.output() : undefined;
}
