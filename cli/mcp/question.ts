/** A human gate as a question that an MCP client asks its person (elicitation), and the answer as a decision. */

import {z} from 'zod';

import type {HumanDecision, HumanQuestion} from '../../machines/domain/human.ts';
import type {JsonObject} from '../../machines/domain/json.ts';
import type {Waiting} from '../../machines/domain/result.ts';
import {say} from '../language.ts';
import {meaningOf, questionLines, questionTitles} from '../render/question.ts';
import {decidingOn} from '../render/result/waiting.ts';
import {plainStyle} from '../render/style.ts';
import {oneLine} from '../render/text.ts';

/** Columns of a message. */
const width = 100;
/** A person decides on what they see: a longer question is not asked through a client. */
const maxMessage = 20_000;
/** Models write requests, too: a long one must not hide the subject of the decision. */
const maxRequest = 1_000;
const maxReason = 2_000;

/** An edited plan and a standing permission are given on the command line, where a person sees exactly what they are. */
const onCommandLineOnly: ReadonlySet<string> = new Set(['edit', 'always']);

export interface ElicitedQuestion {
  readonly message: string;
  readonly requestedSchema: FormSchema;
}

interface FormSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JsonObject>>;
  readonly required: readonly string[];
}

export interface QuestionOptions {
  /** The ID of the run. */
  readonly run: string;
  /** An approved plan is the result: nothing carries it out. */
  readonly isPlanOnly: boolean;
}

/** Undefined when no decision can be offered, or the message would not show the whole subject of the decision. */
export function elicitedQuestion(
  waiting: Waiting,
  options: QuestionOptions,
): ElicitedQuestion | undefined {
  const {question} = waiting;
  const message = messageOf(waiting, options);
  if (message.length > maxMessage) return undefined;
  const offered = question.allowed.filter((decision) => !onCommandLineOnly.has(decision));
  if (offered.length === 0) return undefined;
  const effects = offered.map(
    (decision) => `${decision}: ${effectOf(question, decision, options)}`,
  );
  return {message, requestedSchema: decisionForm(offered, `${effects.join('. ')}.`)};
}

function decisionForm(
  offered: readonly HumanDecision['decision'][],
  description: string,
): FormSchema {
  return {
    type: 'object',
    properties: {
      decision: {type: 'string', title: 'Decision', description, enum: offered},
      reason: {type: 'string', title: 'Reason (optional; needed to revise)', maxLength: maxReason},
    },
    required: ['decision'],
  };
}

function messageOf(waiting: Waiting, {run, isPlanOnly}: QuestionOptions): string {
  const {question} = waiting;
  const {kind, reason, request} = question;
  const shown = {...question, request: cutRequest(request)};
  return [
    `Quorate, run ${oneLine(run)}: ${say(questionTitles[kind], {})}`,
    oneLine(reason, 1000),
    ...(isPlanOnly && isOnPlan(question) ? ['The plan will not be carried out by this run.'] : []),
    decidingOn(waiting, {}),
    ...questionLines(shown, {style: plainStyle, width}),
  ].join('\n');
}

/** Line ends count as spaces: a request of empty lines would fill the screen. */
function cutRequest(request: string): string {
  const text = request.replaceAll(/\s+/g, ' ').trim();
  return text.length <= maxRequest ? text : `${text.slice(0, maxRequest).toWellFormed()} …`;
}

function effectOf(
  question: HumanQuestion,
  decision: HumanDecision['decision'],
  {isPlanOnly}: QuestionOptions,
): string {
  if (isPlanOnly && isOnPlan(question)) return planEffects[decision] ?? decision;
  return meaningOf(question, decision, {});
}

const planEffects: Readonly<Partial<Record<HumanDecision['decision'], string>>> = {
  approve: 'Accept this plan',
  reject: 'Reject this plan; a reason may follow',
  revise: 'Have another plan made as the reason says',
};

function isOnPlan({kind}: HumanQuestion): boolean {
  return kind === 'plan' || kind === 'confirmation';
}

const answerSchema = z.object({
  decision: z.enum(['approve', 'reject', 'revise', 'retry', 'done', 'fail']),
  reason: z.string().optional(),
});

export interface Response {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: unknown;
}

/** Undefined for no decision. The run checks that its question allows the decision. */
export function decisionIn({action, content}: Response): HumanDecision | undefined {
  return action === 'accept' ? readDecision(content) : undefined;
}

function readDecision(content: unknown): HumanDecision | undefined {
  const parsed = answerSchema.safeParse(content);
  if (!parsed.success) return undefined;
  const {decision, reason = ''} = parsed.data;
  const text = reason.trim().slice(0, maxReason).toWellFormed();
  const why = text === '' ? {} : {reason: text};
  if (decision === 'revise') return text === '' ? undefined : {decision, reason: text};
  return decision === 'approve' || decision === 'reject' ? {decision, ...why} : {decision};
}
