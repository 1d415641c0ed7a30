/** Results of runs as MCP clients receive them: a text to read, and the same as data. */

import {z} from 'zod';

import type {HumanQuestion} from '../../machines/domain/human.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import {resultLines} from '../render/result/result.ts';
import {answerLines} from '../render/result/waiting.ts';
import {plainStyle} from '../render/style.ts';

const part = z.record(z.string(), z.unknown());
const parts = z.array(part);

/** One shape for every form: a member is absent where a form has no such thing. */
export const runOutput = z.object({
  run: z.string().describe('The ID of the run: quorate show ID prints its record.'),
  status: z.enum(['completed', 'failed', 'rejected', 'cancelled', 'error', 'limited', 'waiting']),
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
  waiting: z
    .object({
      kind: z.string(),
      reason: z.string(),
      digest: z.string().describe('SHA-256 of exactly the subject of the decision.'),
      howToAnswer: z.array(z.string()).describe('Commands for a person.'),
    })
    .optional()
    .describe('The open question. A person answers it, not a model.'),
  usage: part,
});

export type RunOutput = z.infer<typeof runOutput>;

/** A type, not an interface, so that it fits that of the SDK. */
export type ToolResult = {
  readonly content: {type: 'text'; text: string}[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
};

const failing: ReadonlySet<string> = new Set(['failed', 'cancelled', 'error', 'limited']);

/** A rejection is a result; an error is a run without one. */
export function toolResult(result: RunResult): ToolResult {
  const text = resultLines(result, {style: plainStyle, width: Number.POSITIVE_INFINITY}).join('\n');
  const isError = failing.has(result.status) && !result.review;
  return {
    content: [{type: 'text', text: text.trim() === '' ? result.summary : text}],
    structuredContent: {...dataOf(result)},
    ...(isError ? {isError: true} : {}),
  };
}

export function errorResult(message: string): ToolResult {
  return {content: [{type: 'text', text: message}], isError: true};
}

function dataOf(result: RunResult): RunOutput {
  const {interaction: run, status, summary, usage} = result;
  const {answer, sources, discussion, plan, reviews, review, degraded, waiting} = result;
  return asData({
    run,
    status,
    summary,
    answer,
    sources,
    discussion,
    plan,
    reviews: review ? undefined : reviews,
    review,
    degraded,
    waiting: waiting && {
      ...questionData(waiting.question),
      howToAnswer: answerLines(run, waiting).map((line) => line.trim().replaceAll(/ {3,}/g, '  ')),
    },
    usage,
  });
}

function questionData({kind, reason, proposalHash}: HumanQuestion) {
  return {kind, reason, digest: proposalHash};
}

/** Without the members that are absent. */
function asData(output: object): RunOutput {
  return runOutput.parse(JSON.parse(JSON.stringify(output)));
}
