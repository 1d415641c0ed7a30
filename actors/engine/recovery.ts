/** What becomes of an effect whose performing was cut short, by the end of its process or by a suspend. */

import type {JsonObject} from '../../machines/domain/json.ts';
import type {Effect} from './effect.ts';
import {crashIn, crashOutcome} from './incoming.ts';

/** The outcome of one that an earlier process has begun and that must never be repeated silently. */
export function doubtOf({nature, repeatability, stage}: Effect): JsonObject | undefined {
  if (repeatability !== 'once') return undefined;
  if (stage === 'requested')
    return nature.doubt?.('it was started, and the process died before it told how it ended.');
  if (stage === 'lost')
    return nature.doubt?.(
      'it, or another in its place, was started before, and the end of the journal, which told how that ended, is lost.',
    );
  return undefined;
}

/** What a suspend makes durable of an outcome that came after the abort; undefined: it can be had again. */
export function keptOf(
  {nature, repeatability}: Effect,
  outcome: JsonObject,
): JsonObject | undefined {
  const crash = crashIn(outcome);
  if (!crash && nature.isCut?.(outcome) === false) return outcome;
  if (repeatability !== 'once') return undefined;
  const how = crash ? `it was given up (${crash.message})` : 'it was stopped half-way';
  return nature.doubt?.(`${how} when the run was suspended.`, outcome);
}

/** The outcome of one that did not end when it was told to: it may be at work for all that anybody knows. */
export function givenUpOf({nature, repeatability}: Effect, message: string): JsonObject {
  const doubt = repeatability === 'once' ? nature.doubt?.(message) : undefined;
  return doubt ?? crashOutcome({code: 'given_up', message});
}
