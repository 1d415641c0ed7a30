/**
 * A world around one machine: it can take every step that the charts leave open. Outcomes come in every order, timers
 * fire in every order, messages arrive at every moment.
 */

import {
  type AnyActorRef,
  type AnyEventObject,
  type AnyStateMachine,
  assign,
  createActor,
  type InspectionEvent,
  setup,
} from 'xstate';
import {z} from 'zod';

import type {HilMode} from '../../machines/domain/settings.ts';
import {neverMs, performFor, type PortName} from '../../machines/ports.ts';
import {laneId, laneMachine} from '../../machines/tree/lane.ts';
import {modeId, modeLogic} from '../../machines/tree/mode.ts';
import {createPuppet, type Happening, type OpenRequest, pathOf} from './puppet.ts';
import {keyOf} from './state-key.ts';

/** One step of the world. */
export type Move =
  | {
      readonly type: 'settle';
      readonly path: string;
      readonly port: PortName;
      readonly outcome: object;
    }
  | {readonly type: 'fire'; readonly timer: string}
  | {readonly type: 'send'; readonly event: AnyEventObject};

export interface Scenario {
  readonly machine: AnyStateMachine;
  readonly input: unknown;
  /** Every outcome that this world has for a request. */
  readonly outcomes: (open: OpenRequest, happenings: readonly Happening[]) => readonly object[];
  /** Messages that may come from outside while the machine is at work. */
  readonly messages?: readonly AnyEventObject[];
  /** Whether a timer may fire before something else happens; without it, every timer may. */
  readonly mayFire?: (timer: string) => boolean;
  /** Whether the machine brings the lane and the mode of its run; otherwise the world holds them. */
  readonly hasLane?: boolean;
}

export interface World {
  /** Equal for two worlds exactly when the same actors stand in the same states, with the same timers set. */
  readonly key: () => string;
  readonly moves: () => readonly Move[];
  readonly apply: (move: Move) => void;
  readonly status: () => 'working' | 'done' | 'broken';
  /** Paths of requests and names of timers that are still open. */
  readonly open: () => readonly string[];
  readonly output: () => unknown;
  readonly heard: () => readonly AnyEventObject[];
  readonly happenings: readonly Happening[];
  /** What the charts reported, in order. */
  readonly reports: readonly unknown[];
}

/** What a machine may tell its parent. */
const told = ['action.*', 'seat.*', 'phase.*', 'task.*', 'tool.*', 'turn.*', 'plan.*'];

interface HostContext {
  readonly input: unknown;
  readonly heard: readonly AnyEventObject[];
  readonly output: unknown;
}

const emptyTypes: {input?: unknown; output?: unknown} = {};
const emptyMachine = setup({types: emptyTypes}).createMachine({id: 'empty'});

const hostTypes: {context?: HostContext; input?: unknown} = {};

const laneInvoke = {src: 'lane', id: 'lane', systemId: laneId} as const;
const modeInvoke = {
  src: 'mode',
  id: 'mode',
  systemId: modeId,
  input: ({context}: {context: HostContext}) => modeIn(context.input),
} as const;

const anyInput = z.object({
  hilMode: z.string().optional(),
  settings: z.object({agent: z.object({hilMode: z.string()})}).optional(),
});

/** The mode that a scenario begins with, wherever its input holds it. */
function modeIn(input: unknown): HilMode {
  const found = anyInput.safeParse(input).data;
  const mode = found?.settings?.agent.hilMode ?? found?.hilMode;
  return mode === 'auto_reject' || mode === 'auto_approve' ? mode : 'interactive';
}

/** The parent of the machine under test: holds the lane, hears what its child says, notices a crash. */
function createHost(own: readonly (typeof laneInvoke | typeof modeInvoke)[]) {
  return setup({
    types: hostTypes,
    actors: {subject: emptyMachine, lane: laneMachine, mode: modeLogic},
    actions: {
      hear: assign(({context, event}) => ({heard: [...context.heard, event]})),
      takeOutput: assign((_, output: unknown) => ({output})),
    },
  }).createMachine({
    id: 'host',
    context: ({input}) => ({input, heard: [], output: undefined}),
    initial: 'working',
    states: {
      working: {
        invoke: [
          ...own,
          {
            src: 'subject',
            id: 'subject',
            systemId: 'subject',
            input: ({context}: {context: HostContext}) => context.input,
            onDone: {
              target: 'done',
              actions: {
                type: 'takeOutput',
                params: ({event}: {event: {output: unknown}}) => event.output,
              },
            },
            onError: {
              target: 'broken',
              actions: {
                type: 'takeOutput',
                params: ({event}: {event: {error: unknown}}) => String(event.error),
              },
            },
          },
        ],
        on: Object.fromEntries(told.map((name) => [name, {actions: 'hear'}])),
      },
      done: {},
      broken: {},
    },
  });
}

const host = createHost([laneInvoke, modeInvoke]);
const hostWithoutLane = createHost([]);

/** `inspect` is told of every step of every actor. */
export function startWorld(
  scenario: Scenario,
  inspect: (event: InspectionEvent) => void = () => {},
): World {
  const puppet = createPuppet();
  const timers = createTimers(() => {
    const {_scheduledEvents: scheduled} = actor.system.getSnapshot();
    return scheduled;
  });
  const parent = scenario.hasLane === true ? hostWithoutLane : host;
  const actor = createActor(parent.provide({actors: {subject: scenario.machine}}), {
    id: 'world',
    input: scenario.input,
    clock: timers.clock,
    inspect,
  });
  performFor(actor.system, puppet.performer);
  actor.start();
  const status = () => actor.getSnapshot().value;
  const moves = (): Move[] => [
    ...puppet
      .open()
      .flatMap((open) =>
        scenario
          .outcomes(open, puppet.happenings)
          .map((outcome): Move => ({type: 'settle', path: open.path, port: open.port, outcome})),
      ),
    ...timers
      .names()
      .filter(scenario.mayFire ?? (() => true))
      .map((timer): Move => ({type: 'fire', timer})),
    ...(scenario.messages ?? []).map((event): Move => ({type: 'send', event})),
  ];
  return {
    happenings: puppet.happenings,
    get reports() {
      return puppet.happenings.flatMap((each) => (each.type === 'reported' ? [each.report] : []));
    },
    status,
    output: () => actor.getSnapshot().context.output,
    heard: () => actor.getSnapshot().context.heard,
    key: () => `${keyOf(actor)} ${timers.names().toSorted().join(' ')}`,
    open: () => [...puppet.open().map(({path}) => path), ...timers.names()],
    moves: () => (status() === 'working' ? moves() : []),
    apply(move) {
      if (move.type === 'settle') return puppet.settle(move.path, move.outcome);
      puppet.happenings.push(
        move.type === 'fire'
          ? {type: 'fired', timer: move.timer}
          : {type: 'sent', event: move.event},
      );
      if (move.type === 'fire') return timers.fire(move.timer);
      if (move.event.type === 'settings.changed') {
        puppet.tell('askHuman', move.event);
        if (parent === host) actor.system.get(modeId)?.send(move.event);
      }
      actor.system.get('subject')?.send(move.event);
    },
  };
}

type Scheduled = Readonly<
  Record<string, {readonly target: AnyActorRef; readonly event: AnyEventObject}>
>;

/** A clock whose timers fire when the test says so. A timer is called by its actor's path and its event. */
function createTimers(scheduled: () => Scheduled) {
  const waiting = new Map<number, {name: string; fire: () => void}>();
  const named = new WeakSet<object>();
  let count = 0;
  return {
    clock: {
      setTimeout(fire: () => void, delayMs: number): number {
        const entry = Object.values(scheduled()).find((candidate) => !named.has(candidate));
        if (!entry) throw new Error('a timer without an event');
        named.add(entry);
        if (delayMs >= neverMs) return 0;
        count += 1;
        waiting.set(count, {name: `${pathOf(entry.target)} ${entry.event.type}`, fire});
        return count;
      },
      clearTimeout: (id: number) => waiting.delete(id),
    },
    names: () => [...waiting.values()].map(({name}) => name),
    fire(name: string): void {
      const [id] = [...waiting].find(([, timer]) => timer.name === name) ?? [];
      const timer = id === undefined ? undefined : waiting.get(id);
      if (id === undefined || !timer) throw new Error(`no timer ${name} is set`);
      waiting.delete(id);
      timer.fire();
    },
  };
}
