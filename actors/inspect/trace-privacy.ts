/** The trace of a run without the private answers of its interviews. The run is replayed once, as it grows. */

import {isJsonObject, type Json, type JsonObject} from '../../machines/domain/json.ts';
import {createPrivacy, type Privacy} from '../../machines/questionnaire/private-answers.ts';
import {applyPatch, type Patch, patchBetween} from '../../machines/trace/patch.ts';
import type {ActorChange} from '../../machines/trace/step.ts';
import {isSliceOver, nextTurn} from '../engine/slices.ts';
import type {Entry} from '../journal/journal.ts';
import {receivedIn} from '../run/run-input.ts';
import type {TraceBatch} from './inspection-api.ts';
import {type RequestedCall, RunTrace} from './run-trace.ts';

/** Entries of a batch: few enough to leave time for others. */
const most = 200;

interface Context {
  readonly recorded: Json;
  readonly shown: Json;
}

type Moved = Omit<Extract<ActorChange, {change: 'moved'}>, 'context'>;

export class ShownTrace {
  readonly #id: string;
  readonly #trace: RunTrace;
  /** Steps that are not shown yet, one a batch. */
  readonly #held: TraceBatch[] = [];
  readonly #contexts = new Map<string, Context>();
  /** Contexts that may hold private answers: these enter a run as replies of its person. */
  readonly #answered: JsonObject[] = [];
  #privacy: Privacy | undefined;
  #hasReplies = false;
  #replayed = 0;
  #shown = 0;
  /** The number of entries that may be shown. */
  #until = 0;

  /** `entries`: the first ones, or all. They are not added. */
  constructor(id: string, entries: readonly Entry[]) {
    this.#id = id;
    this.#trace = new RunTrace(entries);
  }

  /** Those that were requested by the shown entries. */
  get calls(): readonly RequestedCall[] {
    const calls = this.#trace.calls.filter(({requested}) => requested < this.#shown);
    return calls.map((call) => settledBefore(this.#shown, call));
  }

  /**
   * `entries`: all of the run so far. Yields the steps that may be shown now: of an open run with replies, up to its last question,
   * because whether an answer is private is known only when it has been read.
   */
  async *add(entries: readonly Entry[]): AsyncGenerator<TraceBatch> {
    this.#hasReplies ||= receivedIn(entries).some(({type}) => type === 'person.replied');
    for (const entry of entries.slice(this.#replayed)) {
      this.#replay(entry);
      if (!this.#hasReplies && this.#held.length === most) yield this.#release(most);
      // oxlint-disable-next-line no-await-in-loop -- one entry after the other
      if (isSliceOver()) await nextTurn();
    }
    if (this.#hasReplies) this.#privacy = this.#privacyIn(entries);
    while (this.#shown < this.#until) {
      yield this.#release(Math.min(most, this.#until - this.#shown));
      // oxlint-disable-next-line no-await-in-loop -- one batch after the other
      await nextTurn();
    }
  }

  #replay(entry: Entry): void {
    this.#held.push(this.#trace.add([entry], this.#collect));
    this.#replayed += 1;
    if (!this.#hasReplies || this.#trace.isAsking || entry.type === 'closed')
      this.#until = this.#replayed;
  }

  #privacyIn(entries: readonly Entry[]): Privacy {
    return createPrivacy(entries, this.#trace.interview(this.#id) ?? {}, ...this.#answered);
  }

  readonly #collect = (context: JsonObject): JsonObject => {
    if (this.#hasReplies) this.#answered.push(context);
    return context;
  };

  /** Masks the private answers that are known now. */
  mask<T extends object>(value: T): T {
    return this.#privacy ? this.#privacy.data(value) : value;
  }

  #release(count: number): TraceBatch {
    this.#shown += count;
    const batches = this.#held.splice(0, count);
    const steps = batches.flatMap((batch) => batch.steps);
    const shown = steps.map((step) =>
      Object.assign(step, {changes: step.changes.flatMap((change) => this.#change(change))}),
    );
    return this.mask({steps: shown, gaps: batches.flatMap(({gaps}) => gaps)});
  }

  #change(change: ActorChange): ActorChange[] {
    const {path} = change;
    if (change.change === 'started')
      return [{...change, context: this.#keep(path, change.context).shown}];
    if (change.change === 'ended') this.#forget(path);
    if (change.change === 'ended' || !change.context) return [change];
    const {context, ...rest} = change;
    return this.#move(rest, context);
  }

  /** Contexts are masked before they are compared: a part alone does not show that it belongs to a private answer. */
  #move(rest: Moved, edits: Patch): ActorChange[] {
    const before = this.#contexts.get(rest.path) ?? {recorded: null, shown: null};
    const {recorded, shown} = this.#keep(rest.path, applyPatch(before.recorded, edits));
    const isPlain = shown === recorded && before.shown === before.recorded;
    const context = isPlain ? edits : patchBetween(before.shown, shown);
    if (context.length > 0) return [{...rest, context}];
    return Object.keys(rest).length > 2 ? [rest] : [];
  }

  #keep(path: string, recorded: Json): Context {
    const shown = isJsonObject(recorded) ? this.mask(recorded) : recorded;
    this.#contexts.set(path, {recorded, shown});
    return {recorded, shown};
  }

  #forget(path: string): void {
    for (const known of this.#contexts.keys())
      if (known === path || known.startsWith(`${path}/`)) this.#contexts.delete(known);
  }
}

/** Without an outcome that is not shown yet. */
function settledBefore(
  shown: number,
  {settled, outcome, ms, ...call}: RequestedCall,
): RequestedCall {
  if (settled === undefined || settled >= shown) return call;
  return {...call, settled, ...(outcome ? {outcome} : {}), ...(ms === undefined ? {} : {ms})};
}
