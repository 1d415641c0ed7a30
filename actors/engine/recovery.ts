/** Outcomes of effects that were interrupted, by the end of their process or by a suspend. */

import type {JsonObject} from '../../machines/domain/json.ts';
import type {Effect} from './effect.ts';
import {crashIn, crashOutcome} from './incoming.ts';

/** The outcome of an effect that an earlier process has begun and that must not be repeated silently; undefined for others. */
export function doubtOf({nature, repeatability, stage}: Effect): JsonObject | undefined {
  if (repeatability !== 'once') return undefined;
  if (stage === 'requested')
    return nature.doubt?.('it was started, and the process died before it recorded the outcome.');
  if (stage === 'lost')
    return nature.doubt?.(
      'it, or another in its place, was started before, and the end of the journal, which recorded the outcome, is lost.',
    );
  return undefined;
}

/** The outcome that a suspend records of an effect that ended after the abort; undefined when the effect can be repeated. */
export function keptOf(
  {nature, repeatability}: Effect,
  outcome: JsonObject,
): JsonObject | undefined {
  const crash = crashIn(outcome);
  if (!crash && nature.isCut?.(outcome) === false) return outcome;
  if (repeatability !== 'once') return undefined;
  const how = crash ? `it was abandoned (${crash.message})` : 'it was interrupted';
  return nature.doubt?.(`${how} when the run was suspended.`, outcome);
}

/** The outcome of an effect whose performer did not end after an abort, and may still be running. */
export function givenUpOf({nature, repeatability}: Effect, message: string): JsonObject {
  const doubt = repeatability === 'once' ? nature.doubt?.(message) : undefined;
  return doubt ?? crashOutcome({code: 'given_up', message});
}
