/**
 * Runs one root actor: takes what comes from outside, appends it to the journal, delivers it entry by entry, and only
 * then starts the effects that are still wanted. Replay delivers the same entries again; what is recorded is not
 * performed twice.
 */

import {type AnyActorLogic, type AnyActorRef, createActor, type Snapshot} from 'xstate';

import {toFailure} from '../../machines/domain/failure.ts';
import type {JsonObject} from '../../machines/domain/json.ts';
import type {Report} from '../../machines/domain/progress.ts';
import {type Asked, type Performer, performFor} from '../../machines/ports.ts';
import {atOnce} from '../journal/at-once.ts';
import type {Addition, EntryBody, Log} from '../journal/journal.ts';
import {EngineClock} from './clock.ts';
import {EffectTable} from './effect-table.ts';
import {type Effect, parentOf} from './effect.ts';
import {Trail} from './fingerprint.ts';
import {bodyOf, crashIn, crashOutcome, type Incoming, isLazy} from './incoming.ts';

export interface EffectContext {
  readonly key: string;
  readonly signal: AbortSignal;
  /** A `requested` entry exists and no outcome: an earlier process may have performed it. */
  readonly recovering: boolean;
}

/** What the engine needs of the world. Nothing here is called in replay but `observe` and `onReport`. */
export interface EngineHost {
  /** Epoch ms. */
  readonly now: () => number;
  /** Before an effect starts. An outcome instead of undefined settles it at once; events go before it. */
  readonly admit: (
    effect: Effect,
  ) => {outcome: JsonObject; before: readonly JsonObject[]} | undefined;
  /** Performs an effect. Rejects only for bugs. Never called for `askHuman`, which a decision settles. */
  readonly perform: (effect: Effect, context: EffectContext) => Promise<JsonObject>;
  /** Each incoming right before it is delivered, live and in replay. */
  readonly observe: (incoming: Incoming, at: number, isLive: boolean) => void;
  /** After each delivery: whether anything but a person is waited for. */
  readonly onBusy: (isBusy: boolean) => void;
  readonly onReport: (report: Report, at: number, isLive: boolean) => void;
  readonly onGate: (effect: Effect) => void;
  /** The root has ended and nothing is in flight. The returned result closes the journal. */
  readonly onDone: (snapshot: Snapshot<unknown>) => JsonObject;
  /** The journal is closed, or it could not take an entry. Nothing runs any more. */
  readonly onStopped: (error: unknown) => void;
}

export interface EngineOptions {
  readonly id: string;
  readonly logic: AnyActorLogic;
  readonly input: JsonObject;
  readonly log: Log;
  readonly host: EngineHost;
}

export class Engine implements Performer {
  readonly root: AnyActorRef;
  readonly clock: EngineClock;
  readonly trail = new Trail();
  readonly effects = new EffectTable();
  readonly #options: EngineOptions;
  #inbox: Incoming[] = [];
  readonly #unwritten: Addition[] = [];
  #at = 0;
  #isLive = false;
  #isStopped = false;
  #isScheduled = false;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.clock = new EngineClock({
      now: () => this.#at,
      onDue: (timer) => this.take({kind: 'fired', timer}),
      onChange: (change) => this.trail.note(change),
    });
    this.root = createActor(options.logic, {
      id: 'i',
      input: options.input,
      clock: this.clock,
    });
    this.root.subscribe({error: () => {}});
    performFor(this.root.system, this);
  }

  /** Epoch ms of the entry delivered last. */
  get at(): number {
    return this.#at;
  }

  /** Starts the root actor. Live from the beginning, or silent until {@link goLive}. */
  start(at: number, mode: 'live' | 'replay'): void {
    this.#at = at;
    this.#isLive = mode === 'live';
    this.root.start();
    if (mode === 'live') this.goLive(at);
  }

  /** Performs what is wanted from here on. Timers have left what they had left at `lastEntryAt`. */
  goLive(lastEntryAt: number): void {
    this.#isLive = true;
    this.clock.goLive(lastEntryAt);
    this.effects.wantAll();
    this.#settleDown();
  }

  /** Goes on after a replay: the events are delivered before anything is performed. */
  resume(events: readonly JsonObject[]): void {
    const at = Math.max(this.#at, this.#options.host.now());
    const incoming = events.map((event): Incoming => ({kind: 'received', event}));
    const lastEntryAt = this.#at;
    this.#isLive = true;
    this.#append(incoming.map(bodyOf), at, false);
    for (const each of incoming) this.deliver(each, at);
    this.goLive(lastEntryAt);
  }

  /** Something from outside: journalled and delivered in the next cycle. */
  take(...incoming: readonly Incoming[]): void {
    if (this.#isStopped) return;
    this.#inbox.push(...incoming);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => this.#cycle());
  }

  /** Ends without closing the journal: effects in flight are aborted, and their outcomes are nobody's. */
  async suspend(): Promise<void> {
    this.#stop();
    this.#flush();
    const settled = Promise.withResolvers<undefined>();
    this.#whenIdle = () => settled.resolve(undefined);
    this.effects.abortAll();
    if (!this.effects.isIdle) await settled.promise;
  }

  #whenIdle: () => void = () => {};

  request(asked: Asked, actor: AnyActorRef): void {
    const {key, digest} = this.effects.add(asked, actor);
    this.trail.note(`${key} ${digest}`);
  }

  withdraw(actor: AnyActorRef): void {
    const effect = this.effects.withdraw(actor, this.#isLive);
    if (effect) this.trail.note(`-${effect.key}`);
  }

  report(report: Report): void {
    this.#options.host.onReport(report, this.#at, this.#isLive);
  }

  /** Delivers one entry's content. The root and its descendants have moved when this returns. */
  deliver(incoming: Incoming, at: number): void {
    this.#at = at;
    this.#options.host.observe(incoming, at, this.#isLive);
    if (incoming.kind === 'settled')
      this.#deliverOutcome(incoming.effect, incoming.outcome, incoming.ms);
    else if (incoming.kind === 'received') this.#deliverEvent(incoming.event);
    else this.clock.fire(incoming.timer);
  }

  #deliverOutcome(effect: Effect, outcome: JsonObject, ms: number): void {
    this.effects.settle(effect);
    if (effect.isWithdrawn) return;
    const error = crashIn(outcome);
    if (error) effect.actor.send({type: 'effect.crashed', error});
    else effect.actor.send({type: 'effect.settled', outcome: {...outcome, at: this.#at, ms}});
    this.#noteState(parentOf(effect.actor));
  }

  #deliverEvent(event: JsonObject): void {
    const {type, gate} = event;
    const asked = typeof gate === 'string' ? this.effects.get(gate) : undefined;
    if (type === 'human.decided') {
      if (asked) this.#deliverOutcome(asked, event, 0);
      return;
    }
    if (typeof type !== 'string' || type === 'run.resumed') return;
    if (type === 'settings.changed') {
      for (const {actor} of this.effects.gates) parentOf(actor)?.send({...event, type});
    }
    this.root.send({...event, type});
    this.#noteState(this.root);
  }

  #noteState(actor: AnyActorRef | undefined): void {
    const snapshot: unknown = actor?.getSnapshot();
    if (typeof snapshot !== 'object' || snapshot === null || !('value' in snapshot)) return;
    const {value} = snapshot;
    this.trail.note(typeof value === 'string' ? value : JSON.stringify(value));
  }

  #cycle(): void {
    this.#isScheduled = false;
    const batch = this.#inbox;
    this.#inbox = [];
    if (this.#isStopped || batch.length === 0) return;
    try {
      const at = Math.max(this.#at, this.#options.host.now());
      this.#append(batch.map(bodyOf), at, batch.every(isLazy));
      for (const incoming of batch) this.deliver(incoming, at);
      this.#settleDown();
    } catch (error) {
      this.#abandon(error);
    }
  }

  /** What follows from a delivery: aborts, new effects, the end. */
  #settleDown(): void {
    this.effects.abortWithdrawn();
    const wanted = this.effects.takeWanted();
    this.#record(
      wanted.filter(({repeatability, isRecorded}) => repeatability !== 'repeatable' && !isRecorded),
    );
    for (const effect of wanted) this.#begin(effect);
    this.#options.host.onBusy(this.clock.size > 0 || this.effects.isBusy);
    if (this.root.getSnapshot().status !== 'active' && this.effects.isIdle) this.#close();
  }

  /** Before an effect that must not be repeated is performed: durable first. */
  #record(effects: readonly Effect[]): void {
    if (effects.length === 0) return;
    const bodies = effects.map(({key, digest}): EntryBody => ({
      type: 'requested',
      key,
      request: digest,
    }));
    this.#append(bodies, Math.max(this.#at, this.#options.host.now()), false);
  }

  #begin(effect: Effect): void {
    const {host} = this.#options;
    if (effect.port === 'askHuman') {
      host.onGate(effect);
      return;
    }
    effect.isStarted = true;
    const refusal = host.admit(effect);
    if (refusal) {
      const events = refusal.before.map((event): Incoming => ({kind: 'received', event}));
      this.take(...events, {kind: 'settled', effect, outcome: refusal.outcome, ms: 0});
      return;
    }
    this.#perform(effect);
  }

  #perform(effect: Effect): void {
    const {host} = this.#options;
    const startedAt = performance.now();
    const signal = this.effects.launch(effect);
    const context = {key: effect.key, signal, recovering: effect.isRecorded};
    const settle = (outcome: JsonObject) => {
      this.effects.land(effect);
      const ms = Math.round(performance.now() - startedAt);
      this.take({kind: 'settled', effect, outcome, ms});
      if (this.#isStopped && this.effects.isIdle) this.#whenIdle();
    };
    host
      .perform(effect, context)
      .then(settle, (error: unknown) => settle(crashOutcome(toFailure(error))));
  }

  #append(bodies: readonly EntryBody[], at: number, isLazyBatch: boolean): void {
    const [first, ...rest] = bodies;
    if (!first) return;
    const digest = this.trail.digest();
    this.#unwritten.push({
      interaction: this.#options.id,
      bodies: [{...first, digest}, ...rest],
      at,
    });
    if (!isLazyBatch) this.#flush();
  }

  #flush(): void {
    if (this.#unwritten.length > 0) atOnce(this.#options.log.append(this.#unwritten.splice(0)));
  }

  #close(): void {
    if (this.#isStopped || this.#inbox.length > 0) return;
    const result = this.#options.host.onDone(this.root.getSnapshot());
    this.#append([{type: 'closed', result}], Math.max(this.#at, this.#options.host.now()), false);
    this.#stop();
    this.#options.host.onStopped(undefined);
  }

  #abandon(error: unknown): void {
    this.#stop();
    this.effects.abortAll();
    this.#options.host.onStopped(error);
  }

  #stop(): void {
    this.#isStopped = true;
    this.clock.stop();
  }
}
