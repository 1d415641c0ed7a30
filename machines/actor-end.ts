/** Params for guards and actions of transitions that are taken when an invoked actor ends. */

import {type Failure, toFailure} from './domain/failure.ts';

/** The output of the actor that is done. */
export function outputIn<Output>({event}: {readonly event: {readonly output: Output}}): Output {
  return event.output;
}

/** The failure of an actor that crashed, which is a bug. */
export function crashIn({event}: {readonly event: {readonly error: unknown}}): Failure {
  return toFailure(event.error);
}
