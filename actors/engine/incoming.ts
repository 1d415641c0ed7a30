/** Inputs of a tree, before and after the journal has taken them. */

import type {Failure} from '../../machines/domain/failure.ts';
import {isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import type {EntryBody} from '../journal/journal.ts';
import type {NewSubmission} from '../journal/submissions.ts';
import {type Effect, isLook} from './effect.ts';

export type Incoming =
  /** `submission`: recorded in the transaction of the entry. */
  | {
      readonly kind: 'opened';
      readonly input: JsonObject;
      readonly version: string;
      readonly submission?: NewSubmission | undefined;
    }
  | {
      readonly kind: 'settled';
      readonly effect: Effect;
      readonly outcome: JsonObject;
      readonly ms: number;
    }
  /** `message`: of the inbox, which keeps it until the entry is durable. */
  | {readonly kind: 'received'; readonly event: JsonObject; readonly message?: number}
  | {readonly kind: 'fired'; readonly timer: number}
  /** An earlier process had begun the effect, and its entry is lost. */
  | {readonly kind: 'lost'; readonly key: string; readonly request: string};

/** The outcome of an effect whose performer has a bug. The chart receives it as an error. */
export function crashOutcome({code, message}: Failure): JsonObject {
  return {crashed: {code, message}};
}

export function crashIn({crashed}: JsonObject): Failure | undefined {
  if (!isJsonObject(crashed)) return undefined;
  const {code, message} = crashed;
  return {code: stringOrUnknown(code), message: stringOrUnknown(message)};
}

function stringOrUnknown(value: unknown): string {
  return typeof value === 'string' ? value : 'unknown';
}

export function bodyOf(incoming: Incoming): EntryBody {
  switch (incoming.kind) {
    case 'opened':
      return {type: 'opened', input: incoming.input, version: incoming.version};
    case 'received':
      return {type: 'received', event: incoming.event};
    case 'fired':
      return {type: 'fired', timer: incoming.timer};
    case 'lost':
      return {type: 'requested', key: incoming.key, request: incoming.request, isLost: true};
    case 'settled': {
      const {effect, outcome, ms} = incoming;
      return {type: 'settled', key: effect.key, request: effect.digest, outcome, ms};
    }
    default:
      return incoming satisfies never;
  }
}

/**
 * True when losing the entry costs nothing. Such entries are delivered at once and become durable with the next entry that is
 * not lazy; nothing that matters is started in between.
 */
export function isLazy(incoming: Incoming): boolean {
  return incoming.kind === 'settled' && isLook(incoming.effect);
}
