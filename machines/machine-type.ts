/** The type of a chart as others see it: what goes in and comes out, without the types of all charts within it. */

import type {
  ActorLogic,
  AnyActorRef,
  AnyStateMachine,
  EventObject,
  MachineContext,
  MetaObject,
  ParameterizedObject,
  ProvidedActor,
  SnapshotFrom,
  StateMachine,
  StateSchema,
  StateValue,
} from 'xstate';

export type Chart<
  Context extends MachineContext,
  Event extends EventObject,
  Input,
  Output,
> = StateMachine<
  Context,
  Event,
  Record<string, AnyActorRef | undefined>,
  ProvidedActor,
  ParameterizedObject,
  ParameterizedObject,
  string,
  StateValue,
  string,
  Input,
  Output,
  EventObject,
  MetaObject,
  StateSchema
>;

/** For a machine whose own type, with those of all charts within, is longer than a declaration may be, or knows itself. */
export function asChart<Context extends MachineContext, Event extends EventObject, Input, Output>(
  machine: AnyStateMachine,
): Chart<Context, Event, Input, Output> {
  return machine;
}

/** A chart as an actor of another. */
export type ChartLogic<
  Context extends MachineContext,
  Event extends EventObject,
  Input,
  Output,
> = ActorLogic<SnapshotFrom<Chart<Context, Event, Input, Output>>, Event, Input>;

/** One of several charts, or the chart itself within its own actors: it is looked up when an actor starts. */
export function lookedUp<Context extends MachineContext, Event extends EventObject, Input, Output>(
  chartFor: (input: Input) => Chart<Context, Event, Input, Output>,
): ChartLogic<Context, Event, Input, Output> {
  return {
    getInitialSnapshot: (scope, input) => chartFor(input).getInitialSnapshot(scope, input),
    transition: (snapshot, event, scope) => snapshot.machine.transition(snapshot, event, scope),
    start: (snapshot) => snapshot.machine.start(snapshot),
    getPersistedSnapshot: (snapshot) => snapshot.machine.getPersistedSnapshot(snapshot),
  };
}
