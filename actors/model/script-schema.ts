/** The file format of scripted models, and its reader. */

import {readFileSync} from 'node:fs';

import {z} from 'zod';

import {AppError} from '../../machines/domain/app-error.ts';
import {isJsonObject} from '../../machines/domain/json.ts';
import type {JsonObject} from '../../machines/domain/json.ts';
import {
  wordPurposes,
  type ModelFailureCode,
  type ModelPurpose,
} from '../../machines/domain/model.ts';
import {questionPurposes} from '../../machines/questions/questions.ts';
import {openable} from '../../tools/containment/own-state.ts';
import {readStrictJson} from './wire/strict-json.ts';

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
export type ScriptStep = Script['models'][string][number];

/** Throws AppError `config` with each invalid field. `where` is the source of the script, for the message. */
export function parseScript(value: unknown, where: string): Script {
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
