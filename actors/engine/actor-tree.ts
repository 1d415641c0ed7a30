/**
 * The actors of one tree: the root actor, its clock, its effects, and the trail of its steps. Only deliveries move them, so
 * the same deliveries always lead to the same state.
 */

import {
  type AnyActorLogic,
  type AnyActorRef,
  type AnyEventObject,
  createActor,
  type InspectionEvent,
  type Snapshot,
} from 'xstate';

import {quickDigest} from '../../machines/domain/digest.ts';
import type {JsonObject} from '../../machines/domain/json.ts';
import type {Report} from '../../machines/facts/progress.ts';
import type {PortTable} from '../../machines/port-natures.ts';
import {type Asked, type Performer, performFor} from '../../machines/ports.ts';
import {pathOf} from '../../machines/tree/path.ts';
import {type Effect, EffectKeys, EffectTable, isAsked, type Move} from './effect.ts';
import {crashIn, type Incoming} from './incoming.ts';
import {keepExecutors, stopOrphans} from './xstate-internals.ts';

/** The place of a report in the entries of a tree: the same in the process that runs it and in every replay. */
export interface Position {
  /** The `seq` of the entry whose delivery led to the report. */
  readonly entry: number;
  /** The number of the report among those of this delivery, from 1. */
  readonly nth: number;
  /** Epoch ms of the entry. */
  readonly at: number;
}

/** A report, with its source and time. */
export interface ActorReport {
  readonly report: Report;
  /** The ids on the path from below the root to the reporting actor, joined by `/`; empty for the root itself. */
  readonly actor: string;
  /** Epoch ms of the entry that caused the report. */
  readonly at: number;
  /** Absent: a replay does not repeat it. */
  readonly position?: Position;
}

export type Inspector = (event: InspectionEvent) => void;

export interface ActorTreeOptions {
  readonly logic: AnyActorLogic;
  readonly ports: PortTable;
  readonly onReport: (reported: ActorReport) => void;
  /** Absent: the run works in the folder in which it was opened. */
  readonly move?: Move | undefined;
  /** Called right before each delivery, live and in a replay. */
  readonly onDeliver?: (incoming: Incoming, at: number, seq: number) => void;
  /** Called when the time of a live timer has passed. */
  readonly onDue?: (timer: number) => void;
  /** Receives every step of every actor, also in a replay. */
  readonly inspect?: Inspector | undefined;
  /** As `Performer` has it. */
  readonly takesUsualWay?: boolean;
}

/** The id of every root actor. */
const rootId = 'i';

export class ActorTree implements Performer {
  readonly effects: EffectTable;
  readonly trail = new Trail();
  readonly clock: EngineClock;
  readonly #options: ActorTreeOptions;
  readonly #keys = new EffectKeys();
  #root: AnyActorRef | undefined;
  #at = 0;
  #entry = -1;
  /** Of the reports of the last delivery. */
  #count = 0;

  constructor(options: ActorTreeOptions) {
    this.#options = options;
    this.effects = new EffectTable(options.ports, this.#keys, options.move);
    this.clock = new EngineClock({
      now: () => this.#at,
      onDue: (timer) => options.onDue?.(timer),
      onChange: (change) => this.trail.note(change),
    });
  }

  get takesUsualWay(): boolean {
    return this.#options.takesUsualWay === true;
  }

  /** Epoch ms of the entry delivered last; 0 before the first. */
  get at(): number {
    return this.#at;
  }

  /** Undefined before the run is opened. */
  get root(): AnyActorRef | undefined {
    return this.#root;
  }

  /** The final snapshot of the root actor; undefined before it is opened and while it is active. */
  get end(): Snapshot<unknown> | undefined {
    const snapshot: Snapshot<unknown> | undefined = this.#root?.getSnapshot();
    return snapshot?.status === 'active' ? undefined : snapshot;
  }

  /** Keys of open effects, and timers. Empty when the tree waits only for persons or resumes that have been asked for. */
  atWork(): string[] {
    const effects = this.effects.open.filter((effect) => !isAsked(effect));
    return [...effects.map(({key}) => key), ...this.clock.numbers.map((timer) => `timer#${timer}`)];
  }

  /** True while a timer, or a performer that does not itself wait for others, is awaited. */
  get isBusy(): boolean {
    return this.clock.size > 0 || this.effects.isBusy;
  }

  /** From now on effects are performed, and timers run for the time that they had left at the last delivery. */
  goLive(): void {
    this.effects.goLive();
    this.clock.goLive();
  }

  /**
   * Delivers the content of one entry, whose `seq` counts for the positions of reports. The root and its descendants have taken
   * their steps when this returns.
   */
  deliver(incoming: Incoming, at: number, seq = -1): void {
    if (isResumption(incoming)) this.clock.skip(at - this.#at);
    this.#at = at;
    this.#entry = seq;
    this.#count = 0;
    this.#options.onDeliver?.(incoming, at, seq);
    if (incoming.kind === 'opened') this.#open(incoming.input);
    else if (incoming.kind === 'settled')
      this.#settle(incoming.effect, incoming.outcome, incoming.ms);
    else if (incoming.kind === 'received') this.#receive(incoming.event);
    else if (incoming.kind === 'lost') this.effects.miss(incoming);
    else this.clock.fire(incoming.timer);
  }

  request(asked: Asked, actor: AnyActorRef, port?: string): void {
    const {key, digest} = this.effects.add(asked, actor, port);
    this.trail.note(`${key} ${digest}`);
  }

  withdraw(actor: AnyActorRef): void {
    const effect = this.effects.withdraw(actor);
    if (effect) this.trail.note(`-${effect.key}`);
  }

  report(report: Report, actor: AnyActorRef): void {
    this.#options.onReport({report, ...this.sourceOf(actor), position: this.nextPosition()});
  }

  /** The position of one more report of the last delivery. */
  nextPosition(): Position {
    this.#count += 1;
    return {entry: this.#entry, nth: this.#count, at: this.#at};
  }

  /** The source of a report that the actor makes now. */
  sourceOf(actor: AnyActorRef): Pick<ActorReport, 'actor' | 'at'> {
    return {actor: pathOf(actor).slice(rootId.length + 1), at: this.#at};
  }

  #open(input: JsonObject): void {
    const {logic, inspect, move} = this.#options;
    this.#root = createActor(logic, {
      id: rootId,
      input: move ? {...input, workspace: move.to} : input,
      clock: this.clock,
      ...(inspect ? {inspect} : {}),
    });
    this.#root.subscribe({error: () => {}});
    performFor(this.#root.system, this);
    stopOrphans(this.#root.system);
    keepExecutors(this.#root);
    this.#root.start();
  }

  #settle(effect: Effect, outcome: JsonObject, ms: number): void {
    if (!this.effects.settle(effect)) return;
    const error = crashIn(outcome);
    if (error) effect.actor.send({type: 'effect.crashed', error});
    else effect.actor.send({type: 'effect.settled', outcome: {...outcome, at: this.#at, ms}});
    this.#noteState(effect.chart);
  }

  /** An event that names an open question is its answer. Every other event goes to the root. */
  #receive(event: JsonObject): void {
    const {type} = event;
    const key = this.#answeredBy(event);
    if (key !== undefined) this.#answer(key, event);
    else if (typeof type === 'string' && isForCharts(type)) this.#sendToRoot({...event, type});
  }

  #answeredBy(event: JsonObject): string | undefined {
    const keys = Object.values(this.#options.ports).map(({answeredBy}) => answeredBy?.(event));
    return keys.find((key) => typeof key === 'string');
  }

  #answer(key: string, event: JsonObject): void {
    const effect = this.effects.get(key);
    if (effect?.nature.settledBy === 'person') this.#settle(effect, event, 0);
  }

  #sendToRoot(event: AnyEventObject): void {
    this.#root?.send(event);
    this.#noteState(this.#root);
  }

  #noteState(actor: AnyActorRef | undefined): void {
    const snapshot: unknown = actor?.getSnapshot();
    if (typeof snapshot !== 'object' || snapshot === null || !('value' in snapshot)) return;
    const {value} = snapshot;
    this.trail.note(typeof value === 'string' ? value : JSON.stringify(value));
  }
}

/** Type of the first `received` event after a replay. It is not sent to the actors. */
export const resumption = 'run.resumed';

/** False for the resumption, which concerns only the engine, and for types that are reserved by XState. */
function isForCharts(type: string): boolean {
  return type !== resumption && !type.startsWith('xstate.');
}

function isResumption(incoming: Incoming): boolean {
  return incoming.kind === 'received' && incoming.event['type'] === resumption;
}

/** A rolling digest of the steps of a run's charts, which a replay must reproduce. */
export class Trail {
  #digest = '';
  #fresh = '';

  /** Adds a step: an effect requested or withdrawn, a timer set or cleared, a state reached. */
  note(step: string): void {
    this.#fresh += `${step}\n`;
  }

  /** The digest of all steps so far. It may be read at any time. */
  get digest(): string {
    return this.#fresh === '' ? this.#digest : quickDigest(this.#fresh, this.#digest);
  }

  /** The digest of all steps so far, for an entry: later digests build on it, so a replay folds at the same entries. */
  fold(): string {
    this.#digest = this.digest;
    this.#fresh = '';
    return this.#digest;
  }
}

// The clock of one actor system. Timers are numbered in the order in which the charts set them. A live timer fires after its
// time has passed and its entry is durable; in a replay, it fires at its entry.

/** The longest delay of a timer of Node. */
const maxTimerMs = 2_147_483_647;

interface Timer {
  readonly callback: (...args: never[]) => void;
  /** On the engine's time line, epoch ms. */
  due: number;
  handle?: NodeJS.Timeout | undefined;
}

export interface ClockOptions {
  /** The time of the entry being delivered, epoch ms. */
  readonly now: () => number;
  /** Called when a live timer's time has passed. */
  readonly onDue: (timer: number) => void;
  /** Called when the charts set or clear a timer. `change` describes it for the trail. */
  readonly onChange: (change: string) => void;
}

/** XState's `Clock`, and its control by the engine. */
class EngineClock {
  readonly #options: ClockOptions;
  readonly #timers = new Map<number, Timer>();
  #count = 0;
  #isLive = false;

  constructor(options: ClockOptions) {
    this.#options = options;
  }

  /** The number of pending timers. */
  get size(): number {
    return this.#timers.size;
  }

  /** The numbers of the pending timers. */
  get numbers(): number[] {
    return [...this.#timers.keys()];
  }

  setTimeout(callback: (...args: never[]) => void, delayMs: number): number {
    this.#count += 1;
    const number = this.#count;
    const timer: Timer = {callback, due: this.#options.now() + delayMs};
    this.#timers.set(number, timer);
    this.#options.onChange(`+${number}:${delayMs}`);
    this.#arm(number, timer);
    return number;
  }

  clearTimeout(number: number): void {
    const timer = this.#timers.get(number);
    if (!timer) return;
    clearTimeout(timer.handle);
    this.#timers.delete(number);
    this.#options.onChange(`-${number}`);
  }

  /** Fires a timer because of its entry. Returns false when the timer is not pending. */
  fire(number: number): boolean {
    const timer = this.#timers.get(number);
    if (!timer) return false;
    clearTimeout(timer.handle);
    this.#timers.delete(number);
    timer.callback();
    return true;
  }

  /** Starts the timers: each runs for the time that it had left at the last entry. */
  goLive(): void {
    this.#isLive = true;
    for (const [number, timer] of this.#timers) this.#arm(number, timer);
  }

  /** Postpones every timer by a time in which no process ran the tree. */
  skip(ms: number): void {
    for (const timer of this.#timers.values()) timer.due += ms;
  }

  stop(): void {
    this.#isLive = false;
    for (const {handle} of this.#timers.values()) clearTimeout(handle);
  }

  #arm(number: number, timer: Timer): void {
    if (!this.#isLive) return;
    const wait = Math.min(Math.max(0, timer.due - this.#options.now()), maxTimerMs);
    timer.handle = setTimeout(() => this.#options.onDue(number), wait);
  }
}
