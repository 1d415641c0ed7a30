/**
 * The progress of a run as events, numbered and time-stamped, for any number of listeners. Each listener reads at its own pace
 * from its own bounded buffer, so unread events do not accumulate.
 */

import {converses} from '../../machines/domain/interaction-form.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import {isStreamed, type ProgressEvent, type Report} from '../../machines/facts/progress.ts';
import type {InterviewView} from '../../machines/questionnaire/answers.ts';
import {createPrivacy, maskedResult} from '../../machines/questionnaire/private-answers.ts';
import type {Position} from '../engine/actor-tree.ts';
import {eventOf} from './run-result.ts';

/** A late listener begins with the last of this many events; pieces of streams are not kept for it. */
const keptEvents = 500;
/** With this many events unread, pieces of streams are left out for a listener. */
const maxUnreadPieces = 2_000;
/** With this many events unread, the oldest are left out; `seq` shows the gap. */
const maxUnread = 50_000;

export interface Progress {
  readonly events: AsyncIterable<ProgressEvent>;
  /** As `Run.eventsAfter`. */
  readonly after: (last?: Position) => AsyncIterable<ProgressEvent> | undefined;
  /** `actor` is the path of the reporting actor, empty for the run itself; `at` is epoch ms. */
  readonly report: (report: Report, actor: string, at: number, position?: Position) => void;
  /** Of an event that a replay repeats. */
  readonly positionOf: (event: ProgressEvent) => Position | undefined;
  readonly end: () => void;
}

/**
 * `run`: its id, to which the events of the run itself and of the root's actors belong. `onEvent` receives every
 * event as it happens. An error that it throws is an error of the process, never of the run.
 */
export function createProgress(
  run: string,
  onEvent: (event: ProgressEvent) => void = () => {},
  discretion: Discretion = indiscreet,
): Progress {
  const listeners = new Set<Listener>();
  const kept: ProgressEvent[] = [];
  const positions = new WeakMap<ProgressEvent, Position>();
  let seq = 0;
  let isEnded = false;
  const from = (start: () => number): AsyncIterable<ProgressEvent> => ({
    [Symbol.asyncIterator]: () => {
      const unread = kept.slice(start());
      const listener = new Listener(unread, isEnded, () => listeners.delete(listener));
      if (!isEnded) listeners.add(listener);
      return listener;
    },
  });
  /** Undefined: events before the first that is kept are not read yet. */
  const startAfter = (last: Position | undefined): number | undefined => {
    const places = kept.map((event) => positions.get(event));
    const read = places.findLastIndex((place) => place && !isAfter(place, last));
    if (read >= 0) return read + 1;
    const first = places.find((place) => place !== undefined);
    return first?.entry === 0 && first.nth === 1 ? 0 : undefined;
  };
  return {
    events: from(() => 0),
    after: (last) => {
      const start = startAfter(last);
      return start === undefined ? undefined : from(() => startAfter(last) ?? start);
    },
    positionOf: (event) => positions.get(event),
    report: (report, actor, at, position) => {
      const shown = isEnded ? undefined : discretion.report(report);
      if (!shown) return;
      seq += 1;
      const event = eventOf(shown, run, {seq, at, actor});
      if (position) positions.set(event, position);
      if (!isStreamed(report)) {
        kept.push(event);
        if (kept.length > keptEvents) kept.shift();
      }
      for (const listener of listeners) listener.push(event);
      notify(onEvent, event);
    },
    end: () => {
      isEnded = true;
      for (const listener of listeners) listener.end();
      listeners.clear();
    },
  };
}

/** A listener of the embedding program is not part of the run: its error is thrown outside of the run. */
function notify(onEvent: (event: ProgressEvent) => void, event: ProgressEvent): void {
  try {
    onEvent(event);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/** True when the event of a position comes after that of another one, or of none. */
export function isAfter({entry, nth, at}: Position, last: Position | undefined): boolean {
  if (!last) return true;
  // An entry that a crash has lost had the same number, and an earlier time.
  if (at > last.at) return true;
  return entry > last.entry || (entry === last.entry && nth > last.nth);
}

class Listener implements AsyncIterator<ProgressEvent, undefined> {
  #unread: ProgressEvent[];
  #isEnded: boolean;
  readonly #onReturn: () => void;
  readonly #waiting: ((result: IteratorResult<ProgressEvent, undefined>) => void)[] = [];

  constructor(unread: ProgressEvent[], isEnded: boolean, onReturn: () => void) {
    this.#unread = unread;
    this.#isEnded = isEnded;
    this.#onReturn = onReturn;
  }

  push(event: ProgressEvent): void {
    const next = this.#waiting.shift();
    if (next) {
      next({value: event, done: false});
      return;
    }
    if (isStreamed(event) && this.#unread.length > maxUnreadPieces) return;
    this.#unread.push(event);
    if (this.#unread.length > maxUnread) this.#unread.shift();
  }

  end(): void {
    this.#isEnded = true;
    for (const next of this.#waiting.splice(0)) next({value: undefined, done: true});
  }

  async next(): Promise<IteratorResult<ProgressEvent, undefined>> {
    const value = this.#unread.shift();
    if (value) return {value, done: false};
    if (this.#isEnded) return {value: undefined, done: true};
    return await new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  /** The listener stops early. */
  async return(): Promise<IteratorResult<ProgressEvent, undefined>> {
    this.#onReturn();
    this.#unread = [];
    this.end();
    return {value: undefined, done: true};
  }
}

export interface Discretion {
  /** Undefined for a report that must not be shown: a private answer that arrives in pieces can't be recognised. */
  readonly report: (report: Report) => Report | undefined;
  /** For the program that began the run: its member `answers` is not masked. */
  readonly result: (result: RunResult) => RunResult;
}

/** For a run without private answers. */
export const indiscreet: Discretion = {report: (report) => report, result: (result) => result};

/** For a run of this form. `interview`: its current view; undefined when it has ended. */
export function createDiscretion(
  form: unknown,
  interview: () => InterviewView | undefined,
): Discretion {
  if (!converses(form)) return indiscreet;
  let last: InterviewView | undefined;
  const known = (): readonly InterviewView[] => {
    last = interview() ?? last;
    return last ? [last] : [];
  };
  const result = (whole: RunResult): RunResult => maskedResult(whole, ...known());
  return {
    report: (report) => {
      if (report.type === 'result') return result(report);
      const privacy = createPrivacy(...known());
      if (!privacy.isNeeded) return report;
      return isStreamed(report) ? undefined : privacy.data(report);
    },
    result: (whole) => {
      const {answers} = whole;
      return {...result(whole), ...(answers ? {answers} : {})};
    },
  };
}
