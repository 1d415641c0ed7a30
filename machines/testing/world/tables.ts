/** The samples of a search: inputs of a machine, events from outside, and outcomes of the actors that it starts. */

import type {AnyEventObject, AnyStateMachine, EventFrom, InputFrom} from 'xstate';

import {isMachine, nodesOf, selects} from '../chart.ts';
import {isOutcome, Outcome} from './moves.ts';

/** Values to try. */
export type Samples<Value = unknown> = readonly Value[];

/** Samples for a machine. Without samples, an event comes with its type alone, and an actor is done without an output. */
export interface MachineSamples<Machine extends AnyStateMachine = AnyStateMachine> {
  /** The input of the machine. */
  readonly input?: InputFrom<Machine>;
  /** Several inputs: each is a start of its own. */
  readonly inputs?: Samples<InputFrom<Machine>>;
  /** By the type of an event: what it carries beside its type. An empty list: the event never comes. */
  readonly events?: EventSamples<EventFrom<Machine>>;
  /**
   * By the name by which an actor is invoked or spawned, or by its id: its outputs, or outcomes made by `fails`, `sends` and
   * `next`. An actor also fails, if the machine handles that and no `fails` is given. An empty list: it never settles.
   */
  readonly outcomes?: Readonly<Record<string, Samples>>;
}

type EventSamples<Event extends {readonly type: string}> = {
  readonly [Type in Event['type']]?: Samples<Omit<Extract<Event, {type: Type}>, 'type'>>;
};

export interface Tables {
  readonly inputs: readonly unknown[];
  readonly events: ReadonlyMap<string, readonly AnyEventObject[]>;
  readonly outcomes: ReadonlyMap<string, readonly Outcome[]>;
}

/** Which of these names are of machines, by which the machine or one below it starts them. */
export function namesOfMachines(machine: AnyStateMachine, names: readonly string[]): string[] {
  const found = new Set<string>();
  const seen = new Set<object>();
  const visit = ({implementations: {actors}}: AnyStateMachine): void => {
    for (const [name, logic] of Object.entries(actors)) {
      if (!isMachine(logic)) continue;
      found.add(name);
      if (seen.has(logic)) continue;
      seen.add(logic);
      visit(logic);
    }
  };
  visit(machine);
  return names.filter((name) => found.has(name));
}

export function tablesOf({inputs, input, events = {}, outcomes = {}}: MachineSamples): Tables {
  const given: Readonly<Record<string, Samples<object> | undefined>> = events;
  return {
    inputs: inputs === undefined ? [input] : inputs,
    events: new Map(
      Object.entries(given).flatMap(([type, samples]) =>
        samples === undefined
          ? []
          : [[type, samples.map((payload) => Object.assign({type}, payload, {type}))]],
      ),
    ),
    outcomes: new Map(
      Object.entries(outcomes).map(([name, samples]) => [
        name,
        samples.map((value) => (isOutcome(value) ? value : new Outcome('done', value))),
      ]),
    ),
  };
}

/** The event types that a machine handles. `user.any` takes the place of the wildcard `user.*`. */
export function eventTypesOf(machine: AnyStateMachine): readonly string[] {
  const handled = nodesOf(machine.root).flatMap(({transitions}) => Array.from(transitions.keys()));
  const types = handled.map((type) => type.replace(/\*$/, 'any'));
  return [...new Set(types)].filter((type) => type !== '' && !type.startsWith('xstate.'));
}

/** True if a machine handles an event of this type in some state. */
export function handles(machine: AnyStateMachine, type: string): boolean {
  return nodesOf(machine.root)
    .flatMap(({transitions}) => Array.from(transitions.keys()))
    .some((descriptor) => selects(descriptor, type));
}
