/** The trace of one actor system of a program, as XState reports it. */

import type {AnyActorRef, AnyStateMachine, InspectionEvent} from 'xstate';

import type {TraceBatch} from '../../actors/inspect/inspection-api.ts';
import {isActor, plain, plainEvent, brief, wide, Recorder} from '../../actors/inspect/recorder.ts';
import type {JsonObject} from '../../machines/domain/json.ts';
import {isMachine} from '../../machines/testing/chart.ts';
import {Moments} from '../../machines/trace/moments.ts';
import type {Cause, Gap, Step, TraceHead} from '../../machines/trace/step.ts';
import {pathOf} from '../../machines/tree/path.ts';
import {drawnChart} from './charts.ts';
import type {Subject} from './routes.ts';

/** When there are twice as many steps, the older half is replaced by one step with the actors as they were. */
const kept = 10_000;

export class ProgramTrace implements Subject {
  readonly #id: string;
  readonly #root: AnyActorRef;
  readonly #openedAt: number;
  readonly #recorder = new Recorder({toJson: (context) => plain(context, wide)});
  readonly #machines = new Map<string, AnyStateMachine>();
  #steps: Step[] = [];
  /** The seq of the next step. */
  #count = 0;
  /** The seq of the last lost step; -1: none is lost. */
  #lostUpTo = -1;
  #cause: {readonly cause: Cause; readonly at: number} | undefined;
  #isFlushing = false;
  #grown = Promise.withResolvers<void>();

  constructor(id: string, root: AnyActorRef) {
    this.#id = id;
    this.#root = root;
    this.#openedAt = Date.now();
  }

  /** Takes an inspection event. Never throws. */
  take(event: InspectionEvent): void {
    const {actorRef: actor} = event;
    if (!isActor(actor)) return;
    if (event.type === '@xstate.event') this.#begin(event, actor);
    const machine = event.type === '@xstate.snapshot' ? machineOf(actor) : undefined;
    if (machine) this.#machines.set(machine.id, machine);
    this.#recorder.inspect(event);
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    queueMicrotask(() => {
      this.#isFlushing = false;
      this.#flush();
    });
  }

  head = async (): Promise<TraceHead> => {
    const {status} = this.#root.getSnapshot();
    return await Promise.resolve({
      id: this.#id,
      kind: 'program',
      form: machineOf(this.#root)?.id ?? '',
      title: this.#root.id,
      state: status === 'active' ? 'running' : status,
      openedAt: this.#openedAt,
      isThisVersion: true,
    });
  };

  calls = async (): Promise<readonly never[]> => await Promise.resolve([]);

  chart: Subject['chart'] = async (name) => {
    const machine = this.#machines.get(name);
    return machine && (await drawnChart(machine));
  };

  get hasEnded(): boolean {
    const {status = 'active'} = this.#root.getSnapshot() ?? {};
    return status !== 'active';
  }

  async *follow(signal: AbortSignal): AsyncGenerator<TraceBatch> {
    signal.addEventListener('abort', () => this.#wakeReaders(), {once: true});
    let next = 0;
    while (!signal.aborted) {
      const {promise: grown} = this.#grown;
      const first = this.#steps[0]?.seq ?? next;
      const batch = {steps: this.#steps.slice(Math.max(0, next - first)), gaps: this.#gapsAt(next)};
      next = this.#count;
      yield {...batch, isCurrent: true};
      // oxlint-disable-next-line no-await-in-loop -- one wait after the other
      await grown;
    }
  }

  /** For a reader that has the steps before `next`. */
  #gapsAt(next: number): readonly Gap[] {
    if (next > this.#lostUpTo) return [];
    return [{from: next, to: this.#lostUpTo, reason: `only the last ${kept} steps are kept`}];
  }

  #begin({event}: Extract<InspectionEvent, {type: '@xstate.event'}>, actor: AnyActorRef): void {
    if (this.#cause) this.#flush();
    const cause = {kind: 'event', to: pathOf(actor), event: plainEvent(event, brief)} as const;
    this.#cause = {cause, at: Date.now()};
  }

  #flush(): void {
    const recording = this.#recorder.take();
    if (!this.#cause && recording.changes.length === 0) return;
    const event: JsonObject = {type: 'xstate.init'};
    const {cause, at} = this.#cause ?? {
      cause: {kind: 'event', to: pathOf(this.#root), event} as const,
      at: Date.now(),
    };
    this.#cause = undefined;
    this.#steps.push({seq: this.#count, at, cause, ...recording, reports: [], requests: []});
    this.#count += 1;
    if (this.#steps.length >= 2 * kept) this.#forget();
    this.#wakeReaders();
  }

  #wakeReaders(): void {
    this.#grown.resolve();
    this.#grown = Promise.withResolvers<void>();
  }

  /** Replaces the older half of the steps. */
  #forget(): void {
    const moments = new Moments();
    moments.add(this.#steps.slice(0, kept));
    const last = this.#steps[kept - 1];
    if (!last) return;
    const actors = [...moments.at(kept - 1).actors.values()];
    const started = actors.map((actor) => Object.assign({change: 'started'} as const, actor));
    const cleared = {change: 'ended', path: pathOf(this.#root)} as const;
    this.#lostUpTo = last.seq - 1;
    this.#steps = [{...last, changes: [cleared, ...started]}, ...this.#steps.slice(kept)];
  }
}

function machineOf(actor: AnyActorRef): AnyStateMachine | undefined {
  const machine: unknown = actor.getSnapshot()?.machine;
  return isMachine(machine) ? machine : undefined;
}
