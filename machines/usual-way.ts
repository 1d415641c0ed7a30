/**
 * The usual way through a chart that makes one request: request, outcome, end. Where the performer of a system takes it, an actor
 * makes the request itself and ends with the outcome: without an actor for the request, and without the transitions of the chart.
 * States, keys, reports and output are those of the chart, which handles every other outcome and event.
 */

import type {
  AnyActorRef,
  AnyActorScope,
  AnyEventObject,
  AnyMachineSnapshot,
  AnyStateMachine,
  MachineContext,
} from 'xstate';

import type {Fact} from './facts/fact.ts';
import {reportFact} from './facts/record.ts';
import {type Asked, performerOf, takesUsualWay} from './ports.ts';

export interface UsualWay<Context extends MachineContext, Outcome> {
  /** The state that invokes the port. */
  readonly from: string;
  /** The final state. */
  readonly to: string;
  /** False when the chart does not begin in `from`. Absent: it always does. */
  readonly isTaken?: (context: Context) => boolean;
  /** The last context; undefined for an outcome after which the chart does not end in `to`. */
  readonly ended: (context: Context, outcome: Outcome) => Context | undefined;
  /** The report on entry of `from`. */
  readonly begins?: (context: Context) => Fact | undefined;
  /** The report on entry of `to`. */
  readonly ends?: (context: Context) => Fact | undefined;
}

/** Changes and returns the machine. Its context must be a function of the input alone, and its output of the context. */
export function withUsualWay<
  Machine extends AnyStateMachine,
  Context extends MachineContext,
  Outcome,
>(machine: Machine, way: UsualWay<Context, Outcome>): Machine {
  const {getInitialSnapshot, start, transition, config} = machine as unknown as Plain;
  const [{id, src, input} = missing(way.from)] = machine.states[way.from]?.invoke ?? [];
  const asked = ({context}: AnyMachineSnapshot, self: AnyActorRef) =>
    ({port: src, request: Object(input)({context, self})}) as Asked;
  const asking: AnyMachineSnapshot = machine.resolveState({value: way.from, context: {}});
  const ended: AnyMachineSnapshot = machine.resolveState({value: way.to, context: {}});
  const isAsking = ({value, children}: AnyMachineSnapshot): boolean =>
    value === way.from && children[id] === undefined;
  const usual: Plain = {
    config,
    getInitialSnapshot: (scope, given) => {
      if (!takesUsualWay(scope.system)) return getInitialSnapshot(scope, given);
      const context = config.context({input: given});
      if (way.isTaken?.(context) === false) return getInitialSnapshot(scope, given);
      return {...asking, context};
    },
    start: (snapshot, scope) => {
      if (!isAsking(snapshot)) {
        start(snapshot, scope);
        return;
      }
      const {self, system} = scope;
      performerOf(system).request(asked(snapshot, self), self, id);
      reportAny(self, way.begins?.(snapshot.context));
    },
    transition: (snapshot, event, scope) => {
      if (!isAsking(snapshot)) return transition(snapshot, event, scope);
      const {self, system} = scope;
      const {type, outcome, error} = event;
      const over = {output: outcome, error, actorId: id};
      if (type === 'xstate.stop') performerOf(system).withdraw(self);
      if (type === 'effect.crashed')
        return transition(snapshot, {type: `xstate.error.actor.${id}`, ...over}, scope);
      if (type !== 'effect.settled') return transition(snapshot, event, scope);
      const context = way.ended(snapshot.context, outcome);
      if (!context) return transition(snapshot, {type: `xstate.done.actor.${id}`, ...over}, scope);
      reportAny(self, way.ends?.(context));
      return {...ended, context, output: config.output({context})};
    },
  };
  return Object.assign(machine, usual);
}

/** A machine as XState calls it. Its methods are bound. */
interface Plain {
  readonly config: {
    readonly context: (args: {readonly input: unknown}) => never;
    readonly output: (args: {readonly context: MachineContext}) => AnyMachineSnapshot['output'];
  };
  readonly getInitialSnapshot: (scope: AnyActorScope, input: unknown) => AnyMachineSnapshot;
  readonly start: (snapshot: AnyMachineSnapshot, scope: AnyActorScope) => void;
  readonly transition: (
    snapshot: AnyMachineSnapshot,
    event: AnyEventObject,
    scope: AnyActorScope,
  ) => AnyMachineSnapshot;
}

function missing(state: string): never {
  throw new Error(`the state ${state} invokes nothing`);
}

function reportAny(self: AnyActorRef, fact: Fact | undefined): void {
  if (fact) reportFact(self, fact);
}
