/** Checks of events from outside, before the journal takes them. */

import {readAllowRule} from '../../machines/domain/allow-rule.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {
  converses,
  parseInteractionForm,
  spawnableForms,
} from '../../machines/domain/interaction-form.ts';
import {type ContextMode, contextModes} from '../../machines/domain/interaction-form.ts';
import {asJson, isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import {inferredGround, type Plan, readPlan} from '../../machines/domain/plan.ts';
import type {ToolInfo} from '../../machines/domain/tool.ts';
import type {InterviewView, OpenAsk} from '../../machines/questionnaire/answers.ts';
import {type InteractionNode, spawnFault} from '../../machines/tree/interaction-tree.ts';
import {interactionIn} from '../../machines/tree/path.ts';
import type {RunForm} from '../config/resolve.ts';
import type {ConfigInput} from '../config/schema.ts';
import type {Effect} from '../engine/effect.ts';
import type {OpenGate} from './open-gate.ts';
import {checkedForm} from './validation.ts';

/** The open questions among the effects of the tree with this root. */
export function gatesOf(effects: readonly Effect[], root: string): OpenGate[] {
  return effects.flatMap(({port, key, request}) =>
    port === 'askHuman'
      ? [{gate: key, interaction: interactionIn(key, root), question: request}]
      : [],
  );
}

/** The messages of interviews that wait for a reply, among the effects of this tree, as the respondent reads them. */
export function asksOf(effects: readonly Effect[], root: string): OpenAsk[] {
  return effects.flatMap(({port, key, request}) => {
    if (port !== 'askPerson') return [];
    const {masked: _, ...asked} = request;
    return [{ask: key, interaction: interactionIn(key, root), ...asked}];
  });
}

/** The same messages for other readers: without private answers. */
export function maskedAsksOf(effects: readonly Effect[], root: string): OpenAsk[] {
  return effects.flatMap((effect) =>
    asksOf([effect], root).map((open) =>
      Object.assign(open, {message: maskedIn(effect) ?? open.message}),
    ),
  );
}

function maskedIn({port, request}: Effect): string | undefined {
  return port === 'askPerson' ? request.masked : undefined;
}

/** The state of a run that events are checked against. */
export interface EventGround {
  /** Of the root. */
  readonly form: RunForm;
  readonly gates: readonly OpenGate[];
  readonly asks: readonly OpenAsk[];
  /** The current view of an interview of the tree. */
  readonly interview: (interaction: string) => InterviewView | undefined;
  /** The interactions of the tree, the root first. */
  readonly interactions: readonly InteractionNode[];
  /** The tools that an edited plan may use. */
  readonly tools: readonly ToolInfo[];
  /** Throws AppError for settings that can't change or are invalid. */
  readonly settingsEvent: (settings: ConfigInput) => JsonObject;
}

type Read = (event: JsonObject, ground: EventGround) => JsonObject;

/** By the type of the event. */
const readers: ReadonlyMap<unknown, Read> = new Map<unknown, Read>([
  ['human.decided', addressed],
  ['user.cancel', (event) => event],
  ['settings.changed', (event, {settingsEvent}) => settingsEvent(settingsIn(event))],
  ['interaction.spawn', (event, {interactions}) => spawnIn(event, interactions)],
  ['interaction.cancel', (event, {interactions}) => spokenIn(event, interactions)],
  ['user.said', saidIn],
  ['person.replied', replyIn],
  ['form.changed', formIn],
]);

/**
 * The event as the journal will hold it. A decision goes to the gate that it names, or to the only open one. Throws AppError
 * `usage` for an invalid event, `nothing_waiting` for a decision without an open gate, the codes
 * of a `SpawnError` for an interaction that can't be spawned, `not_found` for a message to, or a cancel of, an interaction that
 * does not run, and the errors of `settingsEvent`.
 */
export function toReceived(event: unknown, ground: EventGround): JsonObject {
  const plain = plainOf(event);
  const read = readers.get(plain['type']);
  if (read) return read(plain, ground);
  const types = [...readers.keys()].join(', ');
  throw new AppError(
    'usage',
    `a run takes no event ${JSON.stringify(plain['type'])}; it takes ${types}`,
  );
}

function formIn({type = '', questionnaire}: JsonObject, {form}: EventGround): JsonObject {
  return {type, questionnaire: asJson(checkedForm(questionnaire, form))};
}

type Nodes = readonly InteractionNode[];

function spawnIn(event: JsonObject, nodes: Nodes): JsonObject {
  const {form: name, request, parent, contextMode} = event;
  const form = typeof name === 'string' ? parseInteractionForm(name) : undefined;
  if (!form) {
    const forms = spawnableForms.join(', ');
    throw new AppError('usage', `there is no form ${JSON.stringify(name)}; there are ${forms}`);
  }
  const above = parent ?? nodes[0]?.id;
  if (typeof above !== 'string')
    throw new AppError('usage', 'parent must be the id of an interaction');
  const fault = spawnFault(nodes, above, form);
  if (fault) throw new AppError(fault.code, fault.message);
  return {
    type: 'interaction.spawn',
    form,
    request: textIn(request, 'request'),
    parent: above,
    by: 'person',
    ...(contextMode === undefined ? {} : {contextMode: modeIn(contextMode)}),
  };
}

/** A message to an interview answers its open question. While the interview works, the message is refused. */
function saidIn(event: JsonObject, {asks, interactions: nodes}: EventGround): JsonObject {
  const said = spokenIn(event, nodes);
  const {interaction, text = ''} = said;
  const node = nodes.find(({id}) => id === interaction);
  if (!node || !converses(node.form)) return said;
  const asked = asks.find((each) => each.interaction === node.id);
  if (asked) return {type: 'person.replied', ask: asked.ask, text};
  throw new AppError(
    'nothing_waiting',
    `the interview ${node.id} has no open question now; wait for the next one`,
  );
}

/** A reply goes to the message that it names, or to the only one that waits. A field that it names must apply. */
function replyIn(event: JsonObject, {asks, interview}: EventGround): JsonObject {
  const {ask: named, text, field, confirms} = event;
  const asked = asks.find((open) => named === undefined || open.ask === named);
  if (!asked || (named === undefined && asks.length > 1)) {
    const open = asks.map(({ask}) => ask).join(', ');
    const which = open === '' ? 'no question is open now' : `say which message is meant: ${open}`;
    throw new AppError('nothing_waiting', which);
  }
  const reply = {type: 'person.replied', ask: asked.ask};
  if (confirms === true) {
    if (asked.state === 'confirming') return {...reply, text: 'submit', confirms};
    throw new AppError('nothing_waiting', 'the answers are not ready for confirmation yet');
  }
  if (field === undefined) return {...reply, text: textIn(text, 'text')};
  const answer = text === undefined ? '' : textIn(text, 'text');
  return {...reply, text: answer, field: fieldIn(field, interview(asked.interaction))};
}

/** The id of a field that applies. Throws AppError `usage` for any other field. */
function fieldIn(field: unknown, view: InterviewView | undefined): string {
  const id = view?.order.find((each) => each === field);
  if (id !== undefined && view?.fields[id]?.status !== 'notApplicable') return id;
  throw new AppError('usage', `there is no field ${JSON.stringify(field)} to answer now`);
}

/** A message to, or a cancel of, an interaction that runs. */
function spokenIn(event: JsonObject, nodes: Nodes): JsonObject {
  const {type, interaction = nodes[0]?.id} = event;
  const node = nodes.find(({id}) => id === interaction);
  if (!node || node.result) {
    const why = node ? 'has ended' : 'is not part of this run';
    throw new AppError('not_found', `the interaction ${JSON.stringify(interaction)} ${why}`);
  }
  if (type === 'interaction.cancel') return {type, interaction: node.id};
  return {type: 'user.said', interaction: node.id, text: textIn(event['text'], 'text')};
}

function textIn(value: unknown, name: string): string {
  const text = typeof value === 'string' ? value.toWellFormed().trim() : '';
  if (text === '') throw new AppError('usage', `${name} must be a text that is not blank`);
  return text;
}

function modeIn(value: unknown): ContextMode {
  const mode = contextModes.find((each) => each === value);
  if (mode) return mode;
  const modes = contextModes.join(', ');
  throw new AppError('usage', `contextMode must be one of ${modes}, not ${JSON.stringify(value)}`);
}

/** Unknown settings are refused when they are resolved. `hilMode` may be given alone. */
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
  const {digest, ...given} = event;
  const {decision} = given;
  const gate = gateOf(gates, given['gate'], digest);
  const allowed: readonly unknown[] = gate.question.allowed;
  if (!allowed.includes(decision)) {
    throw new AppError(
      'usage',
      `${JSON.stringify(decision)} does not answer this question; it takes ${allowed.join(', ')}`,
    );
  }
  if (decision === 'always') requireRule(event, gate);
  const {proposalHash} = gate.question;
  const addressee = {gate: gate.gate, proposalHash, by: 'person'};
  if (decision !== 'edit') return {...given, ...addressee};
  return {...given, ...addressee, plan: asJson(planIn(given, gate, tools))};
}

/** The open gate that a decision names, by its id or by the beginning of the SHA-256 of the proposal. */
function gateOf(gates: readonly OpenGate[], named: unknown, digest: unknown): OpenGate {
  if (gates.length === 0) throw new AppError('nothing_waiting', 'nothing waits for a decision');
  const seen = digest === undefined ? '' : textIn(digest, 'digest');
  const meant = gates.filter(
    ({gate, question}) =>
      (named === undefined || gate === named) && question.proposalHash.startsWith(seen),
  );
  const hashes = new Set(meant.map(({question}) => question.proposalHash));
  const [first] = meant;
  if (first && (meant.length === 1 || (seen !== '' && hashes.size === 1))) return first;
  const open = gates
    .map(({gate, question}) => `${gate} (sha256 ${question.proposalHash.slice(0, 12)})`)
    .join(', ');
  const problem = first
    ? 'say which gate is meant'
    : `no open gate is ${JSON.stringify(digest ?? named)}`;
  throw new AppError('nothing_waiting', `${problem}: ${open}`);
}

/** The prefix of a standing permission must match the command that the gate asks about. Throws AppError `usage`. */
function requireRule({prefix}: JsonObject, {question}: OpenGate): void {
  if (prefix === undefined) return;
  const words = textIn(prefix, 'prefix');
  const reading = question.lasting && readAllowRule(question.lasting, words);
  if (reading?.ok === false) throw new AppError('usage', reading.problem);
}

/** An edited plan is read as strictly as a model's. */
function planIn({plan}: JsonObject, {question}: OpenGate, tools: readonly ToolInfo[]): Plan {
  const reading = readPlan(plan, tools, question.plan && inferredGround(question.plan));
  if (reading.ok) return reading.plan;
  throw new AppError('usage', `the plan is not valid: ${reading.problems.join('; ')}`);
}
