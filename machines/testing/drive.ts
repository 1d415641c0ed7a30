/** Drives one machine by hand, as the tests do that `quorate paths --vitest` writes. */

import type {AnyStateMachine, EventFrom, InputFrom, SnapshotFrom} from 'xstate';

import type {Move, Outcome} from './world/moves.ts';
import {Stage} from './world/stage.ts';
import {tablesOf} from './world/tables.ts';

export interface DriveOptions<Machine extends AnyStateMachine> {
  readonly input?: InputFrom<Machine>;
  /** True if custom actions are executed; otherwise `performed` lists them. */
  readonly runActions?: boolean;
  /** Machines that it starts and that are puppets, too, by the names by which they are invoked or spawned. */
  readonly puppets?: readonly string[];
}

/** An actor is called by its id, by the name of its logic if no other has it, or by the ids from below the machine, joined by `/`. */
export interface Driven<Machine extends AnyStateMachine> {
  /** Sends an event to the machine, or to a machine that it has started. */
  readonly send: (event: EventFrom<Machine>, actor?: string) => void;
  /** Sends an event. True if it changed nothing: no state, no context, no actor and no timer, and no action was performed. */
  readonly ignores: (event: EventFrom<Machine>, actor?: string) => boolean;
  readonly done: (actor: string, output?: unknown) => void;
  readonly fails: (actor: string, error?: unknown) => void;
  /** The actor sends an event to its parent. */
  readonly sends: (actor: string, event: {readonly type: string}) => void;
  /** The actor has a next value. */
  readonly next: (actor: string, value: unknown) => void;
  /** `after 500 in checkout.paying`, or the type of a delayed event. */
  readonly fire: (timer: string) => void;
  readonly snapshot: SnapshotFrom<Machine>;
  readonly state: SnapshotFrom<Machine>['value'];
  readonly context: SnapshotFrom<Machine>['context'];
  /** Names of the actors that have not ended and of the timers that are set. */
  readonly pending: readonly string[];
  /** The descriptors of events that the active states take, such as `user.*`, whatever their guards say. */
  readonly accepts: readonly string[];
  /** The input of an actor that has not ended. */
  readonly input: (actor: string) => unknown;
  /** The delay of a timer that is set, in ms. */
  readonly delay: (timer: string) => number;
  /** Names of the custom actions since this was last read. */
  readonly performed: readonly string[];
}

/**
 * Starts a machine whose actors and timers wait for the test. Each method throws Error when nothing of that name waits, and
 * lists what does.
 */
export function drive<Machine extends AnyStateMachine>(
  machine: Machine,
  {input, runActions = false, puppets = []}: DriveOptions<Machine> = {},
): Driven<Machine> {
  const outcomes = Object.fromEntries(puppets.map((name) => [name, []]));
  const tables = tablesOf({input, outcomes});
  const world = new Stage({machine, tables, runsActions: runActions}, input);

  const apply = (move: Move) => world.apply(move);
  const settle = (does: Outcome['kind']) => (actor: string, value?: unknown) =>
    apply({type: 'settle', actor, does, value});
  const send: Driven<Machine>['send'] = (event, actor) =>
    apply({type: 'send', event, ...(actor === undefined ? {} : {actor})});
  const trace = () =>
    [world.key(), ...world.pending(), world.performed().length, world.toParent().length].join(' ');
  let read = 0;
  return {
    send,
    ignores(event, actor) {
      const before = trace();
      send(event, actor);
      return trace() === before;
    },
    done: settle('done'),
    fails: settle('fails'),
    sends: settle('sends'),
    next: settle('next'),
    fire: (timer) => apply({type: 'fire', timer}),
    get snapshot() {
      return world.snapshotAs<Machine>();
    },
    get state() {
      return world.snapshot().value;
    },
    get context() {
      return world.snapshot().context;
    },
    get pending() {
      return world.pending();
    },
    get accepts() {
      return world.accepts();
    },
    input: (actor) => world.input(actor),
    delay: (timer) => world.delay(timer),
    get performed() {
      const all = world.performed().map(({type}) => type);
      const fresh = all.slice(read);
      read = all.length;
      return fresh;
    },
  };
}
