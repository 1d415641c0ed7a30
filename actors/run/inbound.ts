/** Checks of events from outside, before the journal takes them. */

import {z} from 'zod';

import {readAllowRule} from '../../machines/domain/allow-rule.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {
  contextModes,
  converses,
  parseInteractionForm,
  spawnableForms,
} from '../../machines/domain/interaction-form.ts';
import {asJson, type JsonObject} from '../../machines/domain/json.ts';
import {inferredGround, readPlan, type Plan} from '../../machines/domain/plan.ts';
import type {ToolInfo} from '../../machines/domain/tool.ts';
import type {InterviewView, OpenAsk} from '../../machines/questionnaire/answers.ts';
import {readBy} from '../../machines/questions/reading.ts';
import {spawnFault, type InteractionNode} from '../../machines/tree/interaction-tree.ts';
import {interactionIn} from '../../machines/tree/path.ts';
import type {RunForm} from '../config/resolve.ts';
import type {ConfigInput} from '../config/schema.ts';
import type {Effect} from '../engine/effect.ts';
import type {OpenGate} from '../runtime-api.ts';
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

const words = z
  .string()
  .transform((given) => given.toWellFormed().trim())
  .refine((given) => given !== '', 'must be a text that is not blank');

/** The shapes of events. Their references are checked against the {@link EventGround}. */
const eventSchema = z.lazy(() => {
  const reference = z.string().optional();
  const text = words.optional();
  const mode = z.enum(contextModes).optional();
  const decision = {gate: reference, digest: text, decision: z.string(), prefix: text};
  const spawn = {form: z.string(), request: words, parent: reference, contextMode: mode};
  const reply = {ask: reference, text, field: reference, confirms: z.boolean().optional()};
  const change = {settings: z.looseObject({}).optional(), hilMode: reference};
  const events = [
    z.looseObject({type: z.literal('human.decided'), ...decision}),
    z.looseObject({type: z.literal('user.cancel')}),
    z.object({type: z.literal('settings.changed'), ...change}),
    z.object({type: z.literal('interaction.spawn'), ...spawn}),
    z.object({type: z.literal('interaction.cancel'), interaction: reference}),
    z.object({type: z.literal('user.said'), interaction: reference, text: words}),
    z.object({type: z.literal('person.replied'), ...reply}),
    z.object({type: z.literal('form.changed'), questionnaire: z.unknown()}),
  ] as const;
  const types = events.map(({shape}) => shape.type.value).join(', ');
  return z.discriminatedUnion('type', events, {error: `a run takes events of the types ${types}`});
});

type Inbound = z.infer<typeof eventSchema>;
type Typed<Type extends Inbound['type']> = Extract<Inbound, {type: Type}>;

/**
 * The event as the journal will hold it. A decision goes to the gate that it names, or to the only open one. Throws AppError
 * `usage` for an invalid event, `nothing_waiting` for a decision without an open gate, the codes
 * of a `SpawnError` for an interaction that can't be spawned, `not_found` for a message to, or a cancel of, an interaction that
 * does not run, and the errors of `settingsEvent`.
 */
export function toReceived(given: unknown, ground: EventGround): JsonObject {
  const event = parseEvent(given);
  const {interactions, form, settingsEvent} = ground;
  if (event.type === 'human.decided') return addressed(event, ground);
  if (event.type === 'user.cancel') return asJson(event);
  // Unknown settings are refused when they are resolved.
  if (event.type === 'settings.changed')
    return settingsEvent(asJson(event.settings ?? {agent: {hil_mode: event.hilMode}}));
  if (event.type === 'interaction.spawn') return spawnIn(event, interactions);
  if (event.type === 'interaction.cancel')
    return {type: event.type, interaction: runningNode(event.interaction, interactions).id};
  if (event.type === 'user.said') return saidIn(event, ground);
  if (event.type === 'person.replied') return replyIn(event, ground);
  return {...event, questionnaire: asJson(checkedForm(event.questionnaire, form))};
}

function parseEvent(given: unknown): Inbound {
  const reading = readBy(eventSchema, plainOf(given));
  if (reading.ok) return reading.value;
  throw new AppError('usage', `invalid event: ${reading.problems.join('; ')}`);
}

function plainOf(given: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(given));
  } catch (error) {
    throw new AppError('usage', 'an event must be plain JSON', {cause: error});
  }
}

type Nodes = readonly InteractionNode[];

function spawnIn(event: Typed<'interaction.spawn'>, nodes: Nodes): JsonObject {
  const {type, request, parent = nodes[0]?.id ?? '', contextMode} = event;
  const form = parseInteractionForm(event.form);
  if (!form) {
    const forms = spawnableForms.join(', ');
    throw new AppError(
      'usage',
      `there is no form ${JSON.stringify(event.form)}; there are ${forms}`,
    );
  }
  const fault = spawnFault(nodes, parent, form);
  if (fault) throw new AppError(fault.code, fault.message);
  const mode = contextMode === undefined ? {} : {contextMode};
  return {type, form, request, parent, by: 'person', ...mode};
}

/** A message to an interview answers its open question. While the interview works, the message is refused. */
function saidIn(
  {type, interaction, text}: Typed<'user.said'>,
  {asks, interactions}: EventGround,
): JsonObject {
  const node = runningNode(interaction, interactions);
  if (!converses(node.form)) return {type, interaction: node.id, text};
  const asked = asks.find((each) => each.interaction === node.id);
  if (asked) return {type: 'person.replied', ask: asked.ask, text};
  throw new AppError(
    'nothing_waiting',
    `the interview ${node.id} has no open question now; wait for the next one`,
  );
}

/** A reply goes to the message that it names, or to the only one that waits. A field that it names must apply. */
function replyIn(
  {type, ask: named, text, field, confirms}: Typed<'person.replied'>,
  {asks, interview}: EventGround,
): JsonObject {
  const asked = asks.find((open) => named === undefined || open.ask === named);
  if (!asked || (named === undefined && asks.length > 1)) {
    const open = asks.map(({ask}) => ask).join(', ');
    const which = open === '' ? 'no question is open now' : `say which message is meant: ${open}`;
    throw new AppError('nothing_waiting', which);
  }
  const {ask, interaction, state} = asked;
  if (confirms === true) {
    if (state === 'confirming') return {type, ask, text: 'submit', confirms};
    throw new AppError('nothing_waiting', 'the answers are not ready for confirmation yet');
  }
  if (field !== undefined)
    return {type, ask, text: text ?? '', field: fieldIn(field, interview(interaction))};
  if (text !== undefined) return {type, ask, text};
  throw new AppError('usage', 'invalid event: a reply needs a text or a field');
}

/** The id of a field that applies. Throws AppError `usage` for any other field. */
function fieldIn(field: string, view: InterviewView | undefined): string {
  if (view?.order.includes(field) && view.fields[field]?.status !== 'notApplicable') return field;
  throw new AppError('usage', `there is no field ${JSON.stringify(field)} to answer now`);
}

/** The interaction of this id, by default the root. */
function runningNode(interaction: string | undefined, nodes: Nodes): InteractionNode {
  const node = nodes.find(({id}) => id === (interaction ?? nodes[0]?.id));
  if (node && !node.result) return node;
  const why = node ? 'has ended' : 'is not part of this run';
  throw new AppError('not_found', `the interaction ${JSON.stringify(interaction)} ${why}`);
}

function addressed(
  {digest = '', ...given}: Typed<'human.decided'>,
  {gates, tools}: EventGround,
): JsonObject {
  const {decision} = given;
  const gate = gateOf(gates, given.gate, digest);
  const allowed: readonly string[] = gate.question.allowed;
  if (!allowed.includes(decision)) {
    throw new AppError(
      'usage',
      `${JSON.stringify(decision)} does not answer this question; it takes ${allowed.join(', ')}`,
    );
  }
  if (decision === 'always') requireRule(given.prefix, gate);
  if (decision === 'revise') requireWords(given['reason']);
  const {proposalHash} = gate.question;
  const plan = decision === 'edit' ? {plan: planIn(given['plan'], gate, tools)} : {};
  return asJson({...given, gate: gate.gate, proposalHash, by: 'person', ...plan});
}

/** The open gate that a decision names, by its id or by the beginning of the SHA-256 of the proposal. */
function gateOf(gates: readonly OpenGate[], named: string | undefined, digest: string): OpenGate {
  if (gates.length === 0) throw new AppError('nothing_waiting', 'nothing waits for a decision');
  const meant = gates.filter(
    ({gate, question}) =>
      (named === undefined || gate === named) && question.proposalHash.startsWith(digest),
  );
  const hashes = new Set(meant.map(({question}) => question.proposalHash));
  const [first] = meant;
  if (first && (meant.length === 1 || (digest !== '' && hashes.size === 1))) return first;
  const open = gates
    .map(({gate, question}) => `${gate} (sha256 ${question.proposalHash.slice(0, 8)})`)
    .join(', ');
  const problem = first
    ? 'say which gate is meant'
    : `no open gate is ${JSON.stringify(digest || named)}`;
  throw new AppError('nothing_waiting', `${problem}: ${open}`);
}

/** Throws AppError `usage`. */
function requireWords(reason: unknown): void {
  if (typeof reason === 'string' && reason.trim() !== '') return;
  throw new AppError('usage', 'the decision "revise" needs a reason: what should be different');
}

/** The prefix of a standing permission must match the command that the gate asks about. Throws AppError `usage`. */
function requireRule(prefix: string | undefined, {question}: OpenGate): void {
  if (prefix === undefined) return;
  const reading = question.lasting && readAllowRule(question.lasting, prefix);
  if (reading?.ok === false) throw new AppError('usage', reading.problem);
}

/** An edited plan is read as strictly as a model's. */
function planIn(plan: unknown, {question}: OpenGate, tools: readonly ToolInfo[]): Plan {
  const reading = readPlan(plan, tools, question.plan && inferredGround(question.plan));
  if (reading.ok) return reading.plan;
  throw new AppError('usage', `the plan is not valid: ${reading.problems.join('; ')}`);
}
