/** Results of runs as MCP clients receive them: a text to read, and the same as data. */

import {z} from 'zod';

import type {RunResult, Waiting} from '../../machines/domain/result.ts';
import {escapeForTerminal} from '../../tools/escape.ts';
import {hasResult, resultLines} from '../render/result/result.ts';
import {continueLines} from '../render/result/waiting.ts';
import {answerCommands} from '../render/result/waiting.ts';
import {plainStyle} from '../render/style.ts';
import {oneLine} from '../render/text.ts';

const width = Number.POSITIVE_INFINITY;
/** Of a string in the data, in UTF-16 units. */
const maxString = 20_000;
const maxError = 4_000;

const part = z.record(z.string(), z.unknown());
const parts = z.array(part);

/** One shape for every form: a member is absent where a form has no such thing. */
export const runOutput = z.object({
  run: z.string().describe('The ID of the run: quorate show ID prints its record.'),
  status: z
    .enum([
      'completed',
      'failed',
      'rejected',
      'cancelled',
      'error',
      'limited',
      'waiting',
      'suspended',
    ])
    .describe(
      'waiting: for a person. suspended: it stopped, for the reason in error, and can be resumed.',
    ),
  summary: z.string(),
  answer: z.string().optional(),
  sources: parts.optional(),
  discussion: part.optional(),
  plan: part.optional(),
  reviews: parts.optional().describe('Every round of votes on the plan.'),
  review: part
    .optional()
    .describe('Of a diff: approved, rule, votes, comments by file and line, synthesis.'),
  degraded: z.boolean().optional(),
  error: z.object({code: z.string(), message: z.string()}).optional(),
  waiting: z
    .object({
      kind: z.string(),
      reason: z.string(),
      folder: z.string(),
      digest: z.string().describe('SHA-256 of exactly the subject of the decision.'),
      commands: z.array(z.object({command: z.string(), effect: z.string()})),
    })
    .optional()
    .describe('The open question. A person answers it with a command, not a model.'),
  resume: z.string().optional().describe('The command that continues a suspended run.'),
  usage: part,
});

/** A type, not an interface, so that it fits that of the SDK. */
export type ToolResult = {
  readonly content: {type: 'text'; text: string}[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
};

/** A rejection, and an open question, are results. */
export function toolResult(result: RunResult): ToolResult {
  return {
    content: [{type: 'text', text: textOf(result)}],
    structuredContent: dataOf(result),
    ...(isFailure(result) ? {isError: true} : {}),
  };
}

/** `message` may contain words of others. */
export function errorResult(message: string): ToolResult {
  const text = escapeForTerminal(message.slice(0, maxError).toWellFormed());
  return {content: [{type: 'text', text}], isError: true};
}

function isFailure(result: RunResult): boolean {
  const {status, review} = result;
  if (status === 'failed') return review === undefined;
  return isSuspended(result) || ['cancelled', 'error', 'limited'].includes(status);
}

/** It waits for a model, or for its client, not for a person. */
function isSuspended({status, waiting, asked = []}: RunResult): boolean {
  return status === 'waiting' && !waiting && asked.length === 0;
}

function textOf(result: RunResult): string {
  const {interaction: run, summary} = result;
  const lines = resultLines(result, {style: plainStyle, width}).join('\n');
  const next = hasResult(result) && result.resumable === true ? continueLines(result) : [];
  const text = [lines.trim() === '' ? summary : lines, ...next].join('\n');
  return text.includes(run) ? text : `${text}\n\nrun ${oneLine(run)}`;
}

function dataOf(result: RunResult): Record<string, unknown> {
  const {interaction: run, status, summary, usage, error} = result;
  const {answer, sources, discussion, plan, reviews, review, degraded, waiting} = result;
  const isLeft = isSuspended(result) || result.resumable === true;
  return asData({
    run,
    status: isSuspended(result) ? 'suspended' : status,
    summary,
    answer,
    sources,
    discussion,
    plan,
    reviews: review ? undefined : reviews,
    review,
    degraded,
    error,
    waiting: waiting && questionData(run, waiting),
    resume: isLeft && !waiting ? `quorate resume ${run}` : undefined,
    usage,
  });
}

function questionData(run: string, waiting: Waiting) {
  const {kind, reason, proposalHash: digest} = waiting.question;
  const commands = answerCommands(run, waiting).map(([command, effect]) => ({command, effect}));
  return {kind, reason, folder: waiting.workspace, digest, commands};
}

/** Without the members that are absent, with escaped and bounded strings. */
function asData(output: object): Record<string, unknown> {
  const safe: unknown = JSON.parse(JSON.stringify(output), (_, value: unknown) =>
    typeof value === 'string' ? safeString(value) : value,
  );
  return {...runOutput.parse(safe)};
}

function safeString(text: string): string {
  if (text.length <= maxString) return escapeForTerminal(text);
  return `${escapeForTerminal(text.slice(0, maxString).toWellFormed())}… (cut)`;
}
