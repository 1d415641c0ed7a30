/**
 * Models that answer from a script, strictly: an unexpected request is a failure, and an unused reply is an error.
 *
 * The reply depends only on the request: it is the first reply of the model and purpose whose conditions all hold. So parallel
 * conversations do not affect each other, and a run that is resumed in another process gets the same answers.
 */

import {readFileSync} from 'node:fs';

import {z} from 'zod';

import {AppError} from '../../machines/domain/app-error.ts';
import {isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import {
  type ModelFailureCode,
  type ModelOutcome,
  type ModelPurpose,
  type ModelRequest,
  type Usage,
  wordPurposes,
} from '../../machines/domain/model.ts';
import type {Message} from '../../machines/prompts/transcript.ts';
import {questionPurposes} from '../../machines/questions/questions.ts';
import {openable} from '../../tools/containment/own-state.ts';
import {createFunctionModel, type Model} from './model.ts';
import {readStrictJson} from './wire/strict-json.ts';

export {createFunctionModel} from './model.ts';

export interface ScriptedModels {
  readonly models: readonly Model[];
  /** Throws AppError `config` with the replies that this process has not used. */
  readonly assertUsedUp: () => void;
}

interface Step extends ScriptStep {
  /** The name of the reply in messages: `model, reply 3 (plan)`. */
  readonly label: string;
}

/** Throws AppError `config` for a script that does not match the schema. */
export function createScriptedModels(script: ScriptInput): ScriptedModels {
  const {models} = parseScript(script, 'script');
  const unused = new Set<Step>();
  const created = Object.entries(models).map(([name, steps]) => {
    const labelled = steps.map((step, index) => ({
      ...step,
      label: `${name}, reply ${index + 1} (${step.expect.purpose})`,
    }));
    for (const step of labelled) unused.add(step);
    return createScriptedModel(name, labelled, (step) => unused.delete(step));
  });
  return {models: created, assertUsedUp: () => assertNone(unused)};
}

function assertNone(unused: ReadonlySet<Step>): void {
  if (unused.size === 0) return;
  const labels = [...unused].map((step) => step.label);
  throw new AppError('config', `the script has unused replies: ${labels.join('; ')}`);
}

function createScriptedModel(
  name: string,
  steps: readonly Step[],
  markUsed: (step: Step) => void,
): Model {
  const byPurpose = Map.groupBy(steps, (step) => step.expect.purpose);
  return createFunctionModel(name, (request) => {
    const candidates = byPurpose.get(request.purpose) ?? [];
    const seen = viewRequest(request);
    const step = candidates.find((candidate) => whyNot(candidate, seen) === undefined);
    if (!step) return unexpected(name, request, candidates, seen);
    markUsed(step);
    return answer(step, seen.turn());
  });
}

/** The parts of a request that conditions examine. Each is computed lazily. */
interface View {
  readonly turn: () => number;
  readonly last: () => string;
  readonly all: () => string;
}

function viewRequest({system, transcript: {messages}}: ModelRequest): View {
  let turn: number | undefined;
  let all: string | undefined;
  return {
    turn: () => (turn ??= messages.filter((message) => message.role === 'assistant').length),
    last: () => toText(messages.at(-1)),
    all: () => (all ??= [system, ...messages.map(toText)].join('\n')),
  };
}

function toText(message: Message | undefined): string {
  if (message?.role !== 'assistant') return message?.text ?? '';
  const calls = message.calls.map((call) => `${call.name} ${JSON.stringify(call.args)}`);
  return [message.text, ...calls].join('\n');
}

/** The first condition of the step that the request does not meet; undefined if it meets all of them. */
function whyNot({expect}: ScriptStep, seen: View): string | undefined {
  if (expect.turn !== undefined && expect.turn !== seen.turn()) return `turn ${expect.turn}`;
  const notLast = expect.lastContains.find((text) => !seen.last().includes(text));
  if (notLast !== undefined) return `a last message with ${quote(notLast)}`;
  const missing = expect.contains.find((text) => !seen.all().includes(text));
  if (missing !== undefined) return `${quote(missing)} in the request`;
  const forbidden = expect.notContains.find((text) => seen.all().includes(text));
  return forbidden === undefined ? undefined : `no ${quote(forbidden)} in the request`;
}

function unexpected(
  name: string,
  {purpose}: ModelRequest,
  candidates: readonly Step[],
  seen: View,
): ModelOutcome {
  const wants = candidates.map((step) => `${step.label} expects ${whyNot(step, seen)}`);
  const expected = wants.length > 0 ? wants.join('; ') : `it has none for this purpose`;
  const asked = `purpose "${purpose}", turn ${seen.turn()}, last message ${quote(seen.last())}`;
  return {
    kind: 'protocol',
    message: `the script of ${name} has no reply for this request (${asked}): ${expected}`,
  };
}

function quote(text: string): string {
  return JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text);
}

function answer(step: Step, turn: number): ModelOutcome {
  const {reply} = step;
  const usage = step.usage === null ? {} : {usage: step.usage satisfies Usage};
  if ('fail' in reply) {
    const {kind, message, retryAfterMs} = reply.fail;
    return {kind, message, ...(retryAfterMs === undefined ? {} : {retryAfterMs}), ...usage};
  }
  const calls = reply.calls.map(({name, args, problem}, index) => ({
    id: `call-${turn + 1}-${index + 1}`,
    name,
    args: problem === undefined ? args : {},
    ...(problem === undefined ? {} : {problem}),
  }));
  return {kind: 'ok', text: reply.text, calls, ...usage};
}

// The file format of scripted models, and its reader.

const purposes: readonly ModelPurpose[] = [...wordPurposes, ...questionPurposes];

const failureKinds = [
  'refused',
  'truncated',
  'rateLimited',
  'overloaded',
  'contextOverflow',
  'unsupported',
  'auth',
  'billing',
  'protocol',
  'network',
  'cancelled',
  'overBudget',
] as const satisfies readonly ModelFailureCode[];

/** Lazy: built when the first script is read. */
const scriptSchema = z.lazy(() =>
  z.strictObject({
    models: z.record(
      z.string().regex(/^[^/\s]+\/\S+$/, 'a name is provider/model'),
      z.array(stepSchema()).min(1),
    ),
  }),
);

function stepSchema() {
  return z.strictObject({
    expect: expectSchema(),
    reply: replySchema(),
    /** Absent: no usage. `null`: the provider did not report it. */
    usage: usageSchema().nullable().default({
      inputTokens: 0,
      outputTokens: 0,
      cachedTokens: 0,
      costUsd: 0,
    }),
  });
}

function expectSchema() {
  const texts = z.array(z.string().min(1)).readonly();
  return z.strictObject({
    purpose: z.enum(purposes),
    /** Texts that must each occur in the system text or the transcript. */
    contains: texts.default([]),
    notContains: texts.default([]),
    /** Texts that must occur in the last message. */
    lastContains: texts.default([]),
    /** The required number of assistant messages in the transcript. */
    turn: z.int().min(0).optional(),
  });
}

function replySchema() {
  return z.union([
    z.strictObject({
      fail: z.strictObject({
        kind: z.enum(failureKinds),
        message: z.string().default('scripted failure'),
        retryAfterMs: z.number().min(0).optional(),
      }),
    }),
    z.strictObject({
      text: z.string().default(''),
      calls: z.array(callSchema()).readonly().default([]),
    }),
  ]);
}

function callSchema() {
  return z.strictObject({
    name: z.string().min(1),
    args: z.custom<JsonObject>(isJsonObject, 'arguments are a JSON object').default({}),
    /** Simulates arguments that are not a valid JSON object. */
    problem: z.string().min(1).optional(),
  });
}

function usageSchema() {
  const tokens = z.int().min(0);
  return z.strictObject({
    inputTokens: tokens,
    outputTokens: tokens,
    cachedTokens: tokens.default(0),
    costUsd: z.number().min(0).default(0),
  });
}

export type Script = z.infer<typeof scriptSchema>;
/** A script as written: members with a default are optional. */
export type ScriptInput = z.input<typeof scriptSchema>;
type ScriptStep = Script['models'][string][number];

/** Throws AppError `config` with each invalid field. `where` is the source of the script, for the message. */
function parseScript(value: unknown, where: string): Script {
  const parsed = scriptSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(
    (issue) => `${issue.path.join('.') || 'the script'}: ${issue.message}`,
  );
  throw new AppError('config', `${where}: ${issues.join('; ')}`);
}

/** Throws AppError `io` if the file cannot be read, `config` if it is not a valid script. */
export function loadScript(path: string): Script {
  let text: string;
  try {
    text = readFileSync(openable(path), 'utf8');
  } catch (error) {
    throw new AppError('io', `${path}: the script can't be read`, {cause: error});
  }
  const read = readStrictJson(text);
  if (!read.ok) throw new AppError('config', `${path}: ${read.problem}`);
  return parseScript(read.value, path);
}
