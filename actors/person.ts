/** What a run may be told from outside, checked before the journal takes it. */

import {AppError} from '../machines/domain/app-error.ts';
import type {HumanQuestion} from '../machines/domain/human.ts';
import {isJsonObject, type JsonObject} from '../machines/domain/json.ts';
import type {Effect} from './engine/effect.ts';

/** A question that waits for a person. */
export interface OpenGate {
  /** The key of its effect. */
  readonly gate: string;
  readonly question: HumanQuestion;
}

/** The questions among effects. */
export function gatesOf(effects: readonly Effect[]): OpenGate[] {
  return effects.flatMap((effect) =>
    effect.port === 'askHuman' ? [{gate: effect.key, question: effect.request}] : [],
  );
}

const eventTypes: ReadonlySet<unknown> = new Set([
  'human.decided',
  'user.cancel',
  'settings.changed',
]);

/**
 * The event as the journal will hold it; a decision goes to the gate that it names, or to the only one that is open.
 * Throws AppError `usage` for what is no event of a run, `nothing_waiting` for a decision without an open gate.
 */
export function toReceived(event: unknown, gates: readonly OpenGate[]): JsonObject {
  const plain = plainOf(event);
  if (!eventTypes.has(plain['type'])) {
    const types = [...eventTypes].join(', ');
    throw new AppError(
      'usage',
      `a run takes no event ${JSON.stringify(plain['type'])}; it takes ${types}`,
    );
  }
  return plain['type'] === 'human.decided' ? addressed(plain, gates) : plain;
}

function plainOf(event: unknown): JsonObject {
  try {
    const plain: unknown = JSON.parse(JSON.stringify(event));
    if (isJsonObject(plain)) return plain;
  } catch (error) {
    throw new AppError('usage', 'an event must be plain JSON', {cause: error});
  }
  throw new AppError('usage', 'an event must be an object');
}

function addressed(event: JsonObject, gates: readonly OpenGate[]): JsonObject {
  const {gate: named, decision} = event;
  const gate = gates.find((open) => named === undefined || open.gate === named);
  if (!gate || (named === undefined && gates.length > 1)) {
    const open = gates.map((each) => each.gate).join(', ');
    const which = open === '' ? 'nothing waits for a decision' : `say which gate is meant: ${open}`;
    throw new AppError('nothing_waiting', which);
  }
  const allowed: readonly unknown[] = gate.question.allowed;
  if (!allowed.includes(decision)) {
    throw new AppError(
      'usage',
      `${JSON.stringify(decision)} does not answer this question; it takes ${allowed.join(', ')}`,
    );
  }
  return {...event, gate: gate.gate};
}
