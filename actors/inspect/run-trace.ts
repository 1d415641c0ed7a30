/** The trace of a recorded run: its entries are replayed, and each becomes a step. It takes entries as they are written. */

import {AppError} from '../../machines/domain/app-error.ts';
import {asJson, type JsonObject, isJsonObject, type Json} from '../../machines/domain/json.ts';
import type {ModelRequest} from '../../machines/domain/model.ts';
import type {Asked} from '../../machines/ports.ts';
import {hideOpaque} from '../../machines/prompts/transcript.ts';
import type {InterviewView} from '../../machines/questionnaire/answers.ts';
import {createPrivacy, type Privacy} from '../../machines/questionnaire/private-answers.ts';
import {applyPatch, type Patch, patchBetween} from '../../machines/trace/patch.ts';
import type {Gap, PlacedReport, Step, ActorChange} from '../../machines/trace/step.ts';
import {interviewAt} from '../../machines/tree/partial-result.ts';
import {pathOf} from '../../machines/tree/path.ts';
import type {ActorTree} from '../engine/actor-tree.ts';
import type {Effect} from '../engine/effect.ts';
import {applyEntry} from '../engine/replay.ts';
import {isSliceOver, nextTurn} from '../engine/slices.ts';
import {recordedTree} from '../history/record.ts';
import {factsOf, hostNotes} from '../history/recorded-facts.ts';
import type {Entry} from '../journal/journal.ts';
import {receivedIn} from '../run/run-input.ts';
import type {TraceBatch} from './inspection-api.ts';
import {Recorder} from './recorder.ts';

/** A model call as the charts requested it. */
export interface RequestedCall {
  readonly key: string;
  /** The path of its actor. */
  readonly actor: string;
  /** The `seq` of the entries. */
  readonly requested: number;
  readonly settled?: number;
  readonly request: ModelRequest;
  readonly outcome?: JsonObject;
  readonly ms?: number;
}

type Mask = (context: JsonObject) => JsonObject;

const unmasked: Mask = (context) => context;

export class RunTrace {
  #mask: Mask = unmasked;
  /** Contexts of charts are plain JSON. */
  readonly #recorder = new Recorder({
    toJson: (context) => this.#mask(hideOpaque(asJson(Object(context)))),
  });
  readonly #tree: ActorTree;
  readonly #calls = new Map<string, RequestedCall>();
  readonly #seen = new Set<string>();
  #reports: PlacedReport[] = [];
  #divergence: AppError | undefined;

  /** `entries`: the first ones, or all. They are not added. */
  constructor(entries: readonly Entry[]) {
    this.#tree = recordedTree(entries, {
      inspect: this.#recorder.inspect,
      onReport: ({report, actor}) => void this.#reports.push({report, actor: pathBelow(actor)}),
    });
  }

  /** In the order in which they were requested. */
  get calls(): readonly RequestedCall[] {
    return [...this.#calls.values()];
  }

  /** True while an interview waits for its person. */
  get isAsking(): boolean {
    return this.#tree.effects.open.some(({port}) => port === 'askPerson');
  }

  /** The view of the root, if that is an interview. */
  interview(id: string): InterviewView | undefined {
    return interviewAt(this.#tree.root, id);
  }

  /**
   * The next entries. From the first that the charts do not follow on, steps have no states, and a gap says why. `mask` is applied
   * to the contexts of actors.
   */
  add(entries: readonly Entry[], mask: Mask = unmasked): TraceBatch {
    this.#mask = mask;
    const gaps: Gap[] = [];
    const steps = entries.map((entry) => {
      const gap = this.#apply(entry);
      if (gap) gaps.push(gap);
      return this.#step(entry);
    });
    return {steps, gaps};
  }

  #apply(entry: Entry): Gap | undefined {
    if (this.#divergence) return undefined;
    try {
      applyEntry({tree: this.#tree}, entry);
      return undefined;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'divergence') throw error;
      this.#divergence = error;
      return {from: entry.seq, reason: error.message};
    }
  }

  #step(entry: Entry): Step {
    const fresh = this.#divergence ? [] : this.#requested(entry.seq);
    for (const {fact, actor} of factsOf([entry]))
      if (this.#divergence || hostNotes.has(fact.type))
        this.#reports.push({report: fact, actor: pathBelow(actor)});
    this.#settle(entry);
    const {hash: _, digest: __, signature: ___, ran: ____, ...shown} = entry;
    return {
      seq: entry.seq,
      at: entry.at,
      cause: {kind: 'entry', entry: {...hideOpaque(asJson(shown)), type: entry.type}},
      ...(this.#divergence ? {changes: [], messages: []} : this.#recorder.take()),
      reports: this.#reports.splice(0),
      requests: fresh.map((effect) => ({
        key: effect.key,
        port: effect.port,
        actor: pathOf(effect.actor),
        label: effectLabel(effect),
      })),
    };
  }

  #requested(seq: number): readonly Effect[] {
    const fresh = this.#tree.effects.open.filter(({key}) => !this.#seen.has(key));
    for (const effect of fresh) {
      const {key, actor} = effect;
      this.#seen.add(key);
      if (effect.port === 'callModel')
        this.#calls.set(key, {key, actor: pathOf(actor), requested: seq, request: effect.request});
    }
    return fresh;
  }

  #settle(entry: Entry): void {
    if (entry.type !== 'settled') return;
    const call = this.#calls.get(entry.key);
    if (!call) return;
    const {seq, outcome, ms} = entry;
    this.#calls.set(entry.key, {
      ...call,
      settled: seq,
      outcome: hideOpaque(asJson(Object(outcome))),
      ms,
    });
  }
}

function pathBelow(actor: string): string {
  return actor === '' ? 'i' : `i/${actor}`;
}

const maxLabel = 120;

function effectLabel(asked: Asked): string {
  const [line = ''] = subjectOf(asked).split('\n', 1);
  return line.length > maxLabel ? `${line.slice(0, maxLabel).toWellFormed()}…` : line;
}

function subjectOf({port, request}: Asked): string {
  if (port === 'callModel') return `${request.model} (${request.purpose})`;
  if (port === 'runTool' || port === 'previewTool')
    return `${request.tool} ${JSON.stringify(request.args)}`;
  if (port === 'askHuman') return request.reason;
  if (port === 'askPerson') return request.masked ?? request.message;
  if (port === 'screenProposal') return request.policies.join(', ');
  return port === 'awaitResume' ? request.message : '';
}

// The trace of a run without the private answers of its interviews. The run is replayed once, as it grows.

/** Entries of a batch: few enough to leave time for others. */
const maxBatch = 200;

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
      if (!this.#hasReplies && this.#held.length === maxBatch) yield this.#release(maxBatch);
      // oxlint-disable-next-line no-await-in-loop -- one entry after the other
      if (isSliceOver()) await nextTurn();
    }
    if (this.#hasReplies) this.#privacy = this.#privacyIn(entries);
    while (this.#shown < this.#until) {
      yield this.#release(Math.min(maxBatch, this.#until - this.#shown));
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
