/**
 * Runs the charts of one tree: takes inputs from outside, makes them durable, delivers them entry by entry, and only then
 * starts the effects that are still wanted. A decision of the charts is durable before it is shown; the request for an effect
 * that must not be repeated is durable before the effect is performed.
 *
 * replaying → live → closing → stopped
 * live → suspending → stopped
 */

import type {Snapshot} from 'xstate';

import {asJson, type JsonObject} from '../../machines/domain/json.ts';
import type {Report} from '../../machines/facts/progress.ts';
import type {Addition, Closed, EntryBody, Log} from '../journal/journal.ts';
import {type ActorReport, ActorTree, type ActorTreeOptions} from './actor-tree.ts';
import {type CallContext, Calls, doubtOf, keptOf} from './calls.ts';
import {actorIn, type Effect, hasBegunBefore, isOpen} from './effect.ts';
import {bodyOf, type Incoming, isLazy} from './incoming.ts';
import {type Member, type Scheduler, schedulerOf, Unwritten} from './scheduler.ts';

export interface EffectContext extends CallContext {
  readonly key: string;
  /** The path of its actor, as in reports. */
  readonly actor: string;
}

/** The engine's access to the outside. In a replay only `observe` and `count` are called. */
export interface EngineHost {
  /** Epoch ms. */
  readonly now: () => number;
  /**
   * Called before an effect goes to its performer. An outcome settles it at once. `later`: effects in flight block it; it is
   * asked for again when one has ended. `notNow`: the process that resumes the tree performs it; the host suspends the tree.
   */
  readonly admit: (effect: Effect) => JsonObject | 'later' | 'notNow' | undefined;
  /** Performs an effect that a performer settles. Rejects only for bugs. */
  readonly perform: (effect: Effect, context: EffectContext) => Promise<unknown>;
  /** The report that asks for the outcome of an effect that a person or a resume settles. */
  readonly ask: (effect: Effect) => Report;
  /** Removes known secrets from an outcome. */
  readonly clean: (outcome: JsonObject) => JsonObject;
  /** Called right before each delivery, live and in a replay. Returns reports about it, which come before those of the charts. */
  readonly observe: (
    incoming: Incoming,
    at: number,
    isLive: boolean,
  ) => readonly Pick<ActorReport, 'report' | 'actor'>[];
  /** Called for each report of the charts, live and in a replay, when they make it. */
  readonly count: (report: Report) => void;
  /** Called after each delivery and each hold. As `ActorTree.isBusy`. */
  readonly onBusy: (isBusy: boolean) => void;
  /** Nothing is in flight, queued or timed. The open effects wait for a person, or for the run to be resumed. */
  readonly onRest: (open: readonly Effect[]) => void;
  /** Called for live reports; for a noted one, after its entry is durable. */
  readonly onReport: (reported: ActorReport) => void;
  readonly onWarning: (message: string) => void;
  /** The root has ended and nothing is in flight. Returns the content of the entry that closes the journal. */
  readonly onDone: (end: Snapshot<unknown>) => Pick<Closed, 'result' | 'figures'>;
  /** The journal is closed, or could not take an entry: `error`. Nothing runs any more. */
  readonly onStopped: (error: unknown) => void;
}

export interface EngineOptions extends Pick<
  ActorTreeOptions,
  'logic' | 'ports' | 'inspect' | 'move'
> {
  readonly id: string;
  readonly log: Log;
  readonly time: RunningTime;
  /** Reports that are journalled as `noted` entries before they are shown. */
  readonly isNoted: (report: Report) => boolean;
  readonly host: EngineHost;
}

// Write-ahead intents: questions, and effects that must not be repeated, begin only after their intent is durable.

export class Intents {
  #due: Effect[] = [];
  /** Their intents are durable, or being written; none of them has begun. */
  #given: Effect[] = [];

  /** True while intents wait to be made durable. */
  get isOwed(): boolean {
    return this.#due.length > 0;
  }

  add(effect: Effect): void {
    this.#due.push(effect);
  }

  /** Takes the entries to be made durable. A question has none: its note is the intent. */
  give(): Requested[] {
    this.#given = this.#due.splice(0);
    return this.#given.flatMap((effect) => requestOf(effect));
  }

  /** Takes the entries that revoke intents, of effects that will not begin in this process. */
  takeBack(): Requested[] {
    return this.#given.splice(0).flatMap((effect) => requestOf(effect, {isTakenBack: true}));
  }

  /** An effect did not begin: it is at its earlier stage again, and {@link takeBack} revokes the intent of this process. */
  revert(effect: Effect, stage: Effect['stage']): void {
    effect.stage = stage;
    if (!hasBegunBefore(effect) && effect.repeatability !== 'repeatable') this.#given.push(effect);
  }

  /** Takes the effects to begin now: their intents are durable. */
  keep(): Effect[] {
    return this.#given.splice(0);
  }
}

export class Engine implements Member {
  readonly tree: ActorTree;
  readonly #options: EngineOptions;
  readonly #scheduler: Scheduler;
  readonly #calls: Calls;
  readonly #notes: Notes;
  readonly #intents = new Intents();
  #stage: 'replaying' | 'live' | 'closing' | 'suspending' | 'stopped' = 'replaying';
  #inbox: Incoming[] = [];
  /** Prepared, and not delivered yet. */
  #batch: Incoming[] = [];
  #batchAt = 0;
  /** The position of the first input of the batch. */
  #batchSeq = 0;
  /** The position of the next entry. */
  #seq = 0;
  readonly #unwritten = new Unwritten(() => this.#scheduler.enqueue(this));
  #suspended: PromiseWithResolvers<undefined> | undefined;
  #isLastPrepared = false;

  constructor(options: EngineOptions) {
    const {host, logic, ports, inspect, move} = options;
    this.#options = options;
    this.#scheduler = schedulerOf(options.log);
    this.#notes = new Notes(options.isNoted, host.onReport);
    this.#calls = new Calls({
      perform: async (effect, context) =>
        await host.perform(effect, {...context, key: effect.key, actor: actorIn(effect.key)}),
      onHeld: () => void this.#reportBusy(),
      onLanded: (effect, outcome, ms) => this.#land(effect, outcome, ms),
      onNotBegun: (effect, stage) => this.#intents.revert(effect, stage),
      onGivenUp: (_, why) => host.onWarning(why),
    });
    this.tree = new ActorTree({
      logic,
      ports,
      inspect,
      move,
      takesUsualWay: inspect === undefined,
      onReport: (reported) => {
        host.count(reported.report);
        this.#notes.take(reported, this.#stage !== 'replaying');
      },
      onDeliver: (incoming, at) => {
        const isLive = this.#stage !== 'replaying';
        for (const own of host.observe(incoming, at, isLive))
          this.#notes.take({...own, at, position: this.tree.nextPosition()}, isLive);
      },
      onDue: (timer) => this.take({kind: 'fired', timer}),
    });
  }

  /** In a replay: takes a note that the journal holds already, in its order. */
  recall(note: JsonObject): void {
    this.#notes.recall(note);
  }

  /**
   * Goes live after the first `seq` entries. `first` is delivered before anything is performed. Timers have the time left as of
   * the last entry.
   */
  goOn(seq: number, ...first: readonly Incoming[]): void {
    this.#stage = 'live';
    this.#seq = seq;
    this.tree.goLive();
    this.#notes.goLive();
    this.#scheduler.join(this);
    this.take(...first);
  }

  /** Everything that can still move the tree: as {@link ActorTree.atWork}, and the kinds of undelivered inputs. */
  atWork(): string[] {
    return [...this.tree.atWork(), ...[...this.#batch, ...this.#inbox].map(({kind}) => kind)];
  }

  /** Takes inputs, to be journalled and delivered in the next cycle. Returns false, and takes none, unless it is live. */
  take(...incoming: readonly Incoming[]): boolean {
    if (this.#stage !== 'live') return false;
    this.#inbox.push(...incoming);
    this.#scheduler.enqueue(this);
    return true;
  }

  /**
   * Ends without closing the journal. Effects in flight are aborted, and outcomes that can't be obtained again are journalled
   * with `note`. Resolves with false when the tree ends in another way. Rejects when the journal can't take the entries.
   */
  async suspend(note: JsonObject): Promise<boolean> {
    if (this.#stage !== 'live') return false;
    this.#stage = 'suspending';
    this.tree.clock.stop();
    await this.#calls.abortAll();
    if (this.#isStopped()) return false;
    this.#suspended = Promise.withResolvers();
    this.#notes.add(note);
    this.#scheduler.enqueue(this);
    try {
      await this.#suspended.promise;
    } finally {
      this.#stop();
    }
    return true;
  }

  readonly prepare = (): readonly Addition[] => {
    this.#isLastPrepared = this.#suspended !== undefined;
    const batch = this.#inbox.splice(0);
    const intents = this.#intents;
    const intended = this.#stage === 'live' ? intents.give() : intents.takeBack();
    const owed: EntryBody[] = [...this.#notes.bodies(), ...intended];
    const [first, ...rest] = [...owed, ...batch.map(bodyOf), ...this.#closing()];
    this.#batch = batch;
    this.#batchAt = Math.max(this.tree.at, this.#options.host.now());
    this.#batchSeq = this.#seq + owed.length;
    if (!first) return this.#unwritten.take(false);
    const isUrgent = owed.length > 0 || this.#stage !== 'live' || !batch.every(isLazy);
    const seq = this.#seq;
    this.#seq += 1 + rest.length;
    return this.#unwritten.take(isUrgent, {
      interaction: this.#options.id,
      bodies: isUrgent ? [{...first, ...this.#checkpoint()}, ...rest] : [first, ...rest],
      at: this.#batchAt,
      seq,
      ...besidesOf(batch),
    });
  };

  readonly commit = (): void => {
    this.#notes.release();
    if (this.#stage === 'closing') {
      this.#stop();
      this.#options.host.onStopped(undefined);
    } else if (this.#isLastPrepared) this.#suspended?.resolve(undefined);
    else if (!this.#isStopped()) this.#move();
  };

  readonly fail = (error: unknown): void => {
    if (this.#suspended) {
      this.#suspended.reject(error);
      return;
    }
    void this.#break(error);
  };

  /** Ends after the calls: another process may then continue the tree, or work in its folder. */
  async #break(error: unknown): Promise<void> {
    this.#stop();
    await this.#calls.abortAll();
    this.#options.host.onStopped(error);
  }

  /** The digest of all earlier steps, and the running time until now. */
  #checkpoint(): Pick<EntryBody, 'digest' | 'ran'> {
    const digest = this.tree.trail.fold();
    const ran = Math.round(this.#options.time.ranMs);
    return {...(digest === '' ? {} : {digest}), ...(ran === 0 ? {} : {ran})};
  }

  /** During a suspend, entries that are durable by now are still delivered; no effect begins any more. */
  #move(): void {
    const isLive = this.#stage === 'live';
    try {
      if (isLive) for (const effect of this.#intents.keep()) this.#begin(effect);
      for (const [index, incoming] of this.#batch.splice(0).entries())
        this.tree.deliver(incoming, this.#batchAt, this.#batchSeq + index);
      if (isLive) this.#settleDown();
    } catch (error) {
      this.fail(error);
    }
  }

  /** Handles the consequences of a delivery: aborts, new effects, the end. */
  #settleDown(): void {
    for (const effect of this.tree.effects.takeCut()) this.#calls.abort(effect);
    for (const effect of this.tree.effects.takeWanted()) this.#want(effect);
    this.#settleRest();
    if (this.#stage === 'closing' || this.#intents.isOwed || this.#notes.isOwed) {
      this.#scheduler.enqueue(this);
    }
  }

  /** Determines if the tree is at work, at rest, or at its end. */
  #settleRest(): void {
    const {effects, end} = this.tree;
    const isBusy = this.#reportBusy();
    if (!this.#calls.isIdle || this.#inbox.length > 0) return;
    if (end) this.#stage = 'closing';
    else if (!isBusy) this.#options.host.onRest(effects.open);
  }

  #reportBusy(): boolean {
    const isBusy = this.#stage === 'live' && this.tree.isBusy;
    this.#options.host.onBusy(isBusy);
    return isBusy;
  }

  /** A question, and an effect that must not be repeated, begin only after an entry about them is durable. */
  #want(effect: Effect): void {
    const {actor, nature, repeatability, stage} = effect;
    if (nature.settledBy !== 'performer') {
      const report = this.#options.host.ask(effect);
      const asked = {report, ...this.tree.sourceOf(actor)};
      const isKept = this.#options.isNoted(report);
      this.#notes.takeOwn(isKept ? {...asked, position: this.tree.nextPosition()} : asked);
      this.#intents.add(effect);
    } else if (repeatability !== 'repeatable' && stage === 'wanted') this.#intents.add(effect);
    else this.#begin(effect);
  }

  #begin(effect: Effect): void {
    if (!isOpen(effect)) return;
    const {stage} = effect;
    const isRecovering = hasBegunBefore(effect);
    const doubt = doubtOf(effect);
    effect.stage = 'performing';
    if (effect.nature.settledBy !== 'performer') return;
    const outcome = doubt ?? this.#options.host.admit(effect);
    if (outcome === 'later') this.tree.effects.wantAgain(effect);
    else if (outcome === 'notNow') this.#intents.revert(effect, stage);
    else if (outcome) this.take({kind: 'settled', effect, outcome, ms: 0});
    else this.#calls.start(effect, isRecovering);
  }

  #land(effect: Effect, outcome: JsonObject, ms: number): void {
    const cleaned = this.#options.host.clean(outcome);
    if (this.#stage !== 'suspending') {
      this.take({kind: 'settled', effect, outcome: cleaned, ms});
      return;
    }
    const kept = keptOf(effect, cleaned);
    if (kept) this.#inbox.push({kind: 'settled', effect, outcome: kept, ms});
  }

  #closing(): EntryBody[] {
    const {end} = this.tree;
    if (this.#stage !== 'closing' || !end) return [];
    return [{type: 'closed', ...this.#options.host.onDone(end)}];
  }

  #isStopped(): boolean {
    return this.#stage === 'stopped';
  }

  #stop(): void {
    this.#stage = 'stopped';
    this.#unwritten.clear();
    this.tree.clock.stop();
    this.#scheduler.leave(this);
    this.#options.host.onBusy(false);
  }
}

/** Changes that belong to the transaction of the entries: removed messages, a new submission. */
function besidesOf(batch: readonly Incoming[]): Pick<Addition, 'taken' | 'submission'> {
  const taken = batch.flatMap((each) => (each.kind === 'received' ? (each.message ?? []) : []));
  const [submission] = batch.flatMap((each) =>
    each.kind === 'opened' ? (each.submission ?? []) : [],
  );
  return {...(taken.length > 0 ? {taken} : {}), ...(submission ? {submission} : {})};
}

type Requested = EntryBody & {readonly type: 'requested'};

function requestOf(
  {nature, key, digest, request}: Effect,
  how: {readonly isTakenBack?: true} = {},
): Requested[] {
  if (nature.settledBy !== 'performer') return [];
  return [{type: 'requested', key, request: digest, ...nature.audited?.(request), ...how}];
}

// Reports that wait for the journal. A noted report is shown after its entry is durable; the reports behind it wait for it.

type Noted = Extract<EntryBody, {readonly type: 'noted'}>;

class Notes {
  readonly #isNoted: (report: Report) => boolean;
  readonly #show: (reported: ActorReport) => void;
  #owed: Noted[] = [];
  #held: ActorReport[] = [];
  /** In a replay: noted reports without an entry so far. */
  #unrecorded: ActorReport[] = [];

  constructor(isNoted: (report: Report) => boolean, show: (reported: ActorReport) => void) {
    this.#isNoted = isNoted;
    this.#show = show;
  }

  /** True while notes wait to be made durable. */
  get isOwed(): boolean {
    return this.#owed.length > 0;
  }

  /** Shows a report: at once, or after every note that must be durable first. */
  take(reported: ActorReport, isLive: boolean): void {
    const isNoted = this.#isNoted(reported.report);
    if (!isLive) {
      if (isNoted) this.#unrecorded.push(reported);
      return;
    }
    if (isNoted) this.#owed.push({type: 'noted', note: noteOf(reported)});
    this.#hold(reported, isNoted);
  }

  /** As {@link take}, for a report of the program that runs the charts. */
  takeOwn(reported: ActorReport): void {
    const isNoted = this.#isNoted(reported.report);
    if (isNoted) this.add(noteOf(reported));
    this.#hold(reported, isNoted);
  }

  /** Adds a note that no chart has reported. */
  add(note: JsonObject): void {
    this.#owed.push({type: 'noted', note, by: 'host'});
  }

  #hold(reported: ActorReport, isNoted: boolean): void {
    if (isNoted || this.#held.length > 0) this.#held.push(reported);
    else this.#show(reported);
  }

  /** In a replay: the journal holds this note. */
  recall({type}: JsonObject): void {
    const index = this.#unrecorded.findIndex(({report}) => report.type === type);
    if (index >= 0) this.#unrecorded.splice(index, 1);
  }

  /** Notes and shows the decisions of a dead process that did not reach the journal. */
  goLive(): void {
    for (const reported of this.#unrecorded.splice(0)) this.take(reported, true);
  }

  /** Takes the entries to be made durable. */
  bodies(): EntryBody[] {
    return this.#owed.splice(0);
  }

  /** Shows the reports that waited: everything that `bodies` returned is durable. */
  release(): void {
    for (const reported of this.#held.splice(0)) this.#show(reported);
  }
}

function noteOf({report, actor}: ActorReport): JsonObject {
  return asJson({...report, actor});
}

// The time for which a tree has been at work, measured by a monotonic clock. Waiting for a person does not count, nor does the
// time between two processes: entries carry the sum, and a replay continues from it.

export class RunningTime {
  #ranMs = 0;
  #busySince: number | undefined;

  get ranMs(): number {
    return this.#ranMs + (this.#busySince === undefined ? 0 : performance.now() - this.#busySince);
  }

  /** Sets the sum that an entry of an earlier process recorded. */
  restore(ranMs: number): void {
    this.#ranMs = ranMs;
  }

  /** Starts or stops counting. */
  busy(isBusy: boolean): void {
    if (isBusy === (this.#busySince !== undefined)) return;
    if (isBusy) {
      this.#busySince = performance.now();
      return;
    }
    this.#ranMs = this.ranMs;
    this.#busySince = undefined;
  }
}
