/** What guards and actions are told of an actor below that has ended: params of a transition that is taken then. */

import {type Failure, toFailure} from './domain/failure.ts';

/** What it came to. */
export function outputIn<Output>({event}: {readonly event: {readonly output: Output}}): Output {
  return event.output;
}

/** Why it crashed, which is a bug. */
export function crashIn({event}: {readonly event: {readonly error: unknown}}): Failure {
  return toFailure(event.error);
}
