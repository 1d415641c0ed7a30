/** What reaches a run from outside, before and after the journal has taken it. */

import type {Failure} from '../../machines/domain/failure.ts';
import {isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import type {EntryBody} from '../journal/journal.ts';
import type {Effect} from './effect.ts';

export type Incoming =
  | {
      readonly kind: 'settled';
      readonly effect: Effect;
      readonly outcome: JsonObject;
      readonly ms: number;
    }
  | {readonly kind: 'received'; readonly event: JsonObject}
  | {readonly kind: 'fired'; readonly timer: number};

/** The outcome of an effect whose performer rejected: a bug, told to the chart as an error. */
export function crashOutcome(failure: Failure): JsonObject {
  return {crashed: {code: failure.code, message: failure.message}};
}

export function crashIn({crashed}: JsonObject): Failure | undefined {
  if (!isJsonObject(crashed)) return undefined;
  const {code, message} = crashed;
  return {code: textOf(code), message: textOf(message)};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : 'unknown';
}

export function bodyOf(incoming: Incoming): EntryBody {
  if (incoming.kind === 'received') return {type: 'received', event: incoming.event};
  if (incoming.kind === 'fired') return {type: 'fired', timer: incoming.timer};
  const {effect, outcome, ms} = incoming;
  return {type: 'settled', key: effect.key, request: effect.digest, outcome, ms};
}

/**
 * Losing the entry costs nothing: a read, done again after a crash. Such entries are delivered at once and become
 * durable with the next that is not; nothing that matters is started in between.
 */
export function isLazy(incoming: Incoming): boolean {
  if (incoming.kind !== 'settled') return false;
  const {port, repeatability} = incoming.effect;
  return repeatability === 'repeatable' && port !== 'callModel';
}
