/** What a run may be told from outside, checked before the journal takes it. */

import {AppError} from '../machines/domain/app-error.ts';
import type {HumanQuestion} from '../machines/domain/human.ts';
import {asJson, isJsonObject, type JsonObject} from '../machines/domain/json.ts';
import {groundOf, type Plan, readPlan} from '../machines/domain/plan.ts';
import type {ToolInfo} from '../machines/domain/tool.ts';
import type {ConfigInput} from './config/schema.ts';
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

/** What an event is checked against. */
export interface EventGround {
  readonly gates: readonly OpenGate[];
  /** What an edited plan may use. */
  readonly tools: readonly ToolInfo[];
  /** Throws AppError for settings that can't change, or make no sense. */
  readonly settingsEvent: (settings: ConfigInput) => JsonObject;
}

/**
 * The event as the journal will hold it; a decision goes to the gate that it names, or to the only one that is open.
 * Throws AppError `usage` for what is no event of a run, `nothing_waiting` for a decision without an open gate, and what
 * `settingsEvent` throws.
 */
export function toReceived(event: unknown, ground: EventGround): JsonObject {
  const plain = plainOf(event);
  if (!eventTypes.has(plain['type'])) {
    const types = [...eventTypes].join(', ');
    throw new AppError(
      'usage',
      `a run takes no event ${JSON.stringify(plain['type'])}; it takes ${types}`,
    );
  }
  if (plain['type'] === 'settings.changed') return ground.settingsEvent(settingsIn(plain));
  return plain['type'] === 'human.decided' ? addressed(plain, ground) : plain;
}

/** What is no setting is refused when it is resolved. A mode may be told alone. */
function settingsIn({settings, hilMode}: JsonObject): ConfigInput {
  const given: unknown = settings ?? {agent: {hil_mode: hilMode}};
  if (isJsonObject(given)) return given;
  throw new AppError('usage', 'settings.changed needs settings, such as {agent: {hil_mode: …}}');
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

function addressed(event: JsonObject, {gates, tools}: EventGround): JsonObject {
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
  if (decision !== 'edit') return {...event, gate: gate.gate};
  return {...event, gate: gate.gate, plan: asJson(planIn(event, gate, tools))};
}

/** An edited plan is read as strictly as a model's. */
function planIn({plan}: JsonObject, {question}: OpenGate, tools: readonly ToolInfo[]): Plan {
  const reading = readPlan(plan, tools, question.plan && groundOf(question.plan));
  if (reading.ok) return reading.plan;
  throw new AppError('usage', `the plan is not valid: ${reading.problems.join('; ')}`);
}
