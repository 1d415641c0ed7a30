/** What an interaction came to, as the one above it reads it. */

import {answersInWords} from '../questionnaire/answers-text.ts';
import type {Discussion} from '../questions/discussion.ts';
import {lineOf} from './bytes.ts';
import {type InteractionForm, isSpawnable, type SpawnableForm} from './interaction-form.ts';
import type {FormOutput} from './result.ts';

/** Bytes of an agent's closing answer. */
const maxAnswer = 1_500;

export type InteractionResult =
  | {readonly form: 'ask'; readonly answer: string}
  | {readonly form: 'discuss'; readonly synthesis: string; readonly participantCount: number}
  | {
      readonly form: 'agent';
      readonly summary: string;
      readonly success: boolean;
      /** The closing answer. */
      readonly answer?: string;
    }
  | {readonly form: 'interview'; readonly ended: string; readonly answers: string};

/** An interaction without an answer or a conclusion says how it ended in its place. */
export function toInteractionResult(form: SpawnableForm, output: FormOutput): InteractionResult {
  const {status, summary, answer, discussion} = output;
  if (form === 'agent') return agentResult(output);
  if (form === 'interview') return {form, ...interviewResult(output)};
  const ended = `(${status}) ${summary}`;
  if (form === 'ask') return {form, answer: answer ?? ended};
  return {
    form,
    synthesis: discussion?.conclusion ?? ended,
    participantCount: discussion ? voicesIn(discussion) : 0,
  };
}

/** Without an answer that the summary repeats. */
function agentResult({status, summary, answer = ''}: FormOutput): InteractionResult {
  const text = lineOf(answer, maxAnswer);
  const isSaid = text === '' || flatText(summary).includes(flatText(answer));
  const success = status === 'completed';
  return {form: 'agent', summary, success, ...(isSaid ? {} : {answer: text})};
}

function flatText(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Whoever reads it is told no answer that is nobody else's business. */
function interviewResult({status, summary, answers}: FormOutput): {
  readonly ended: string;
  readonly answers: string;
} {
  if (!answers) return {ended: status, answers: summary};
  const lines = answersInWords(answers).map(({label, text}) => `- ${label}: ${text}`);
  return {
    ended: answers.status === 'submitted' ? answers.status : status,
    answers: [summary, ...lines].join('\n'),
  };
}

/** In a debate there are two. */
function voicesIn({answers, debate}: Discussion): number {
  return debate ? 2 : answers.length;
}

export function toContextInjection(result: InteractionResult): string {
  if (result.form === 'ask') return `[Ask Result]: ${result.answer}`;
  if (result.form === 'agent') {
    const {success, summary, answer} = result;
    const closing = answer === undefined ? '' : `\nAnswer: ${answer}`;
    return `[Agent Result (${success ? 'completed' : 'failed'})]: ${summary}${closing}`;
  }
  if (result.form === 'interview') {
    return `[Interview Result (${result.ended})]: ${result.answers}`;
  }
  const {participantCount, synthesis} = result;
  return `[Discuss Result (${participantCount} models)]: ${synthesis}`;
}

/** The same of an interaction of any form; undefined for one that is never below another. */
export function injectionOf(form: InteractionForm, output: FormOutput): string | undefined {
  return isSpawnable(form) ? toContextInjection(toInteractionResult(form, output)) : undefined;
}
