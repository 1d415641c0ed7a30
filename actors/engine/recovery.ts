/** What becomes of an effect whose performing was cut short, by the end of its process or by a suspend. */

import type {JsonObject} from '../../machines/domain/json.ts';
import type {Entry} from '../journal/journal.ts';
import type {Effect} from './effect.ts';
import {crashIn, crashOutcome} from './incoming.ts';

/** The outcome of one that an earlier process has begun and that must never be repeated silently. */
export function doubtOf({nature, repeatability}: Effect): JsonObject | undefined {
  if (repeatability !== 'once') return undefined;
  return nature.doubt?.('it was started, and the process died before it told how it ended.');
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

/** The keys of the effects of which entries say that they were about to be performed, and were not taken back. */
export function keysRequested(entries: readonly Entry[]): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const entry of entries) {
    if (entry.type !== 'requested') continue;
    if (entry.isTakenBack === true) keys.delete(entry.key);
    else keys.add(entry.key);
  }
  return keys;
}
