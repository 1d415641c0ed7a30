/** The type of a chart as others see it: what goes in and comes out, without the types of all charts within it. */

import type {
  AnyActorRef,
  AnyStateMachine,
  EventObject,
  MachineContext,
  MetaObject,
  ParameterizedObject,
  ProvidedActor,
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
