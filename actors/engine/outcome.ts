/** The only entry for outcomes: each becomes plain JSON that fits its port, or the outcome of a crash. */

import {type Failure, toFailure} from '../../machines/domain/failure.ts';
import {isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import type {Effect} from './effect.ts';
import {crashOutcome} from './incoming.ts';

/** UTF-16 units of its JSON. */
export const maxOutcomeUnits = 16_000_000;

/**
 * The outcome that the journal will hold for `value`. Never throws. A value that JSON can't hold, that is too large or that
 * does not fit the port is a bug of the performer, and results in the outcome of a crash.
 */
export function toOutcome({port, nature}: Effect, value: unknown): JsonObject {
  const name = `the outcome of ${port}`;
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    return crashed(`${name} is not JSON: ${toFailure(error).message}`);
  }
  if (text === undefined) return crashed(`${name} is ${typeof value}`);
  if (text.length > maxOutcomeUnits) {
    return crashed(`${name} is larger than ${maxOutcomeUnits} characters`);
  }
  const outcome: unknown = JSON.parse(text);
  if (!isJsonObject(outcome)) return crashed(`${name} is not an object`);
  const problem = nature.outcome(outcome, name);
  return problem === undefined ? outcome : crashed(problem);
}

function crashed(message: string): JsonObject {
  const failure: Failure = {code: 'internal', message};
  return crashOutcome(failure);
}
