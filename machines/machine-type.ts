/** The public type of a chart: its context, events, input and output, without the types of its child charts. */

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

/** For a machine whose inferred type is too long for a declaration because of its child charts, or refers to itself. */
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

/** Actor logic that selects its chart when an actor starts: one of several, or the chart that contains it. */
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
