/** A human gate as a question that an MCP client asks its person (elicitation), and the answer as a decision. */

import {z} from 'zod';

import type {HumanDecision, HumanQuestion} from '../../machines/domain/human.ts';
import {gateTexts} from '../gate/texts.ts';
import {meaningOf, questionLines} from '../render/question.ts';
import {plainStyle} from '../render/style.ts';
import {oneLine} from '../render/text.ts';

/** Of a plan or a diff in a question. The rest is counted. */
const maxRows = 200;
const maxMessage = 20_000;
const maxReason = 2_000;

/** An edited plan and a standing permission are given on the command line, where a person sees exactly what they are. */
const forms: ReadonlySet<string> = new Set(['edit', 'always']);

/** The decisions that a client can offer. */
function offeredDecisions({allowed}: HumanQuestion): HumanDecision['decision'][] {
  return allowed.filter((decision) => !forms.has(decision));
}

export interface ElicitedQuestion {
  readonly message: string;
  readonly requestedSchema: {
    type: 'object';
    properties: {
      decision: {type: 'string'; title: string; description: string; enum: string[]};
      reason: {type: 'string'; title: string; maxLength: number};
    };
    required: string[];
  };
}

/** Undefined when no decision can be offered. */
export function elicitedQuestion(
  id: string,
  question: HumanQuestion,
): ElicitedQuestion | undefined {
  const offered = offeredDecisions(question);
  if (offered.length === 0) return undefined;
  const meanings = offered.map((each) => `${each}: ${meaningOf(question, each, {})}`);
  return {
    message: messageOf(id, question),
    requestedSchema: {
      type: 'object',
      properties: {
        decision: {
          type: 'string',
          title: 'Decision',
          description: meanings.join('. '),
          enum: offered,
        },
        reason: {type: 'string', title: 'Reason (optional)', maxLength: maxReason},
      },
      required: ['decision'],
    },
  };
}

function messageOf(id: string, question: HumanQuestion): string {
  const {kind, reason, proposalHash} = question;
  const view = {style: plainStyle, width: 100, maxRows};
  const lines = [
    `Quorate, run ${oneLine(id)}: ${gateTexts({}).titles[kind]}`,
    oneLine(reason, 1000),
    '',
    ...questionLines(question, view),
    '',
    `sha256 ${oneLine(proposalHash, 64)}; in full: quorate show ${oneLine(id)}`,
  ];
  const text = lines.join('\n');
  if (text.length <= maxMessage) return text;
  return `${text.slice(0, maxMessage).toWellFormed()}\n… cut; in full: quorate show ${oneLine(id)}`;
}

const answer = z.object({
  decision: z.enum(['approve', 'reject', 'retry', 'done', 'fail']),
  reason: z.string().max(maxReason).optional(),
});

/** Undefined for content that is not an answer. The run checks that its question allows the decision. */
export function decisionIn(content: unknown): HumanDecision | undefined {
  const read = answer.safeParse(content);
  if (!read.success) return undefined;
  const {decision, reason = ''} = read.data;
  const why = reason.trim() === '' ? {} : {reason: reason.trim()};
  return decision === 'approve' || decision === 'reject' ? {decision, ...why} : {decision};
}
