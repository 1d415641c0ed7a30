/** The result of a run as the server sends it: every member of `RunResult`, the parts of single forms as plain objects. */

import {z} from 'zod';

import {interactionForms} from '../../../machines/domain/interaction-form.ts';
import type {RunResult} from '../../../machines/domain/result.ts';

const part = z.record(z.string(), z.unknown());
const parts = z.array(part);

const usage = z.object({
  modelCalls: z.int(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  cachedTokens: z.int(),
  costUsd: z.number().optional().describe('Absent when no model with a known price was called.'),
  estimated: z.literal(true).optional(),
});

/** The types require a schema for each member, and allow no other. */
const members = {
  type: z.literal('result'),
  interaction: z.string(),
  form: z.enum(interactionForms),
  status: z.enum(['completed', 'failed', 'rejected', 'cancelled', 'error', 'limited', 'waiting']),
  exitCode: z.int().describe('The same as on the command line.'),
  summary: z.string(),
  usage,
  resumable: z
    .literal(true)
    .optional()
    .describe('The run has not ended: it continues when it is resumed.'),
  language: z.literal('ja').optional().describe('The language of the request. Absent: English.'),
  error: z.object({code: z.string(), message: z.string()}).optional(),
  answer: z.string().optional().describe('ask: the answer. agent: the closing answer.'),
  degraded: z.literal(true).optional(),
  sources: parts.optional(),
  steps: parts.optional(),
  toolCalls: z.int().optional(),
  stoppedReason: z.string().optional(),
  guardrail: part.optional(),
  plan: part.optional(),
  tasks: parts.optional(),
  evaluations: parts.optional(),
  reviews: parts.optional().describe('Every round of votes.'),
  denied: parts.optional(),
  changes: z
    .array(z.object({path: z.string(), added: z.int(), removed: z.int()}))
    .optional()
    .describe('Changed files, each once, with their lines.'),
  decisions: parts.optional(),
  unheard: z.array(z.string()).optional(),
  aborted: z.array(z.string()).optional(),
  inDoubt: z.array(z.string()).optional(),
  waiting: part.optional().describe('The open question of a run that waits for a person.'),
  asked: parts.optional(),
  discussion: part.optional(),
  review: part.optional(),
  answers: part.optional(),
  conversation: parts.optional(),
  interactions: parts.optional(),
} satisfies Record<keyof RunResult, z.ZodType>;

export const runResult = z.object(members);
