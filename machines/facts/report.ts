/** Reports of charts at work: one typed fact at a time, with the path of the actor. */

import type {
  ActionArgs,
  AnyActorRef,
  EventObject,
  MachineContext,
  ParameterizedObject,
} from 'xstate';

import {performerOf} from '../ports.ts';
import {type Fact, isRecorded, progressIn} from './fact.ts';
import {recordFact} from './record.ts';

/** An action that reports what `factsOf` returns: one fact, several, or none. */
export function report<
  Context extends MachineContext,
  Received extends EventObject,
  Params extends ParameterizedObject['params'] | undefined,
  Event extends EventObject,
>(
  factsOf: (
    args: ActionArgs<Context, Received, Event>,
    params: Params,
  ) => Fact | readonly Fact[] | undefined,
): (args: ActionArgs<Context, Received, Event>, params: Params) => void {
  return (args, params) => {
    for (const fact of [factsOf(args, params) ?? []].flat()) reportFact(args.self, fact);
  };
}

/**
 * Adds the fact to the record of the actor's tree if charts read its kind, and passes it to the performer of the actor's
 * system as progress, which the performer ignores in a replay.
 */
export function reportFact(self: AnyActorRef, fact: Fact): void {
  if (isRecorded(fact)) recordFact(self, fact);
  const progress = progressIn(fact);
  if (progress) performerOf(self.system).report(progress, self);
}
