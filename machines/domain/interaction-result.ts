/** The forms that an interaction can spawn, a row each: its description for models and reviewers, and the wording of its result. */

import {answersInWords} from '../questionnaire/answers.ts';
import type {Discussion} from '../questions/discussion.ts';
import {type InteractionForm, isSpawnable, type SpawnableForm} from './interaction-form.ts';
import {oneLine} from './plain-text.ts';
import type {FormOutput} from './result.ts';
import {lineOf} from './text-limits.ts';

/** In bytes, of an agent's closing answer. */
const maxAnswer = 1_500;

interface Results {
  readonly agent: {
    readonly summary: string;
    readonly success: boolean;
    /** The closing answer. */
    readonly answer?: string;
  };
  readonly ask: {readonly answer: string};
  readonly discuss: {readonly synthesis: string; readonly participantCount: number};
  readonly interview: {readonly ended: string; readonly answers: string};
}

type ResultOf<Form extends SpawnableForm> = {
  [Each in Form]: {readonly form: Each} & Results[Each];
}[Form];

export type InteractionResult = ResultOf<SpawnableForm>;

export interface SpawnWords {
  /** For models: its purpose. */
  readonly description: string;
  /** For reviewers: the interaction that is started, and what it may do. */
  readonly begins: string;
  readonly may: string;
}

interface SpawnableRow<Form extends SpawnableForm> extends SpawnWords {
  /** An interaction that ended without an answer or a conclusion gives its status and summary instead. */
  readonly result: (output: FormOutput) => Results[Form];
  readonly text: (result: Results[Form]) => string;
}

const rows: {readonly [Form in SpawnableForm]: SpawnableRow<Form>} = {
  agent: {
    description:
      'Have another agent do a piece of work of its own: it gathers context, plans, has its plan and each of its actions ' +
      'voted on, and reports. For work that stands apart from what you are doing. It takes many model calls: what a few ' +
      'calls of your other tools do, do yourself.',
    begins: 'another agent, which plans and carries out',
    may: 'Its plan, and each call by which it would change something, is voted on by itself.',
    result: agentResult,
    text: ({success, summary, answer}) => {
      const closing = answer === undefined ? '' : `\nAnswer: ${answer}`;
      return `[Agent Result (${success ? 'completed' : 'failed'})]: ${summary}${closing}`;
    },
  },
  ask: {
    description:
      'Have a question answered by another model with read-only tools, with the sources of its answer. For a question that ' +
      'takes a search of its own, when you need only the answer. If one or two look-ups suffice, do them yourself.',
    begins: 'a question to a model with read-only tools',
    may: 'It changes nothing. What it would spawn is voted on by itself.',
    result: (output) => ({answer: output.answer ?? statusAndSummary(output)}),
    text: ({answer}) => `[Ask Result]: ${answer}`,
  },
  discuss: {
    description:
      'Have several models discuss a question, review each other, and draw a conclusion, with the points of agreement and ' +
      'disagreement. For a matter of judgement: a design, a trade-off, a risk. They have no tools: the request says ' +
      'everything that they are to weigh. It takes many model calls.',
    begins: 'a discussion among several models on',
    may: 'They have no tools and change nothing.',
    result: (output) => ({
      synthesis: output.discussion?.conclusion ?? statusAndSummary(output),
      participantCount: output.discussion ? voicesIn(output.discussion) : 0,
    }),
    text: ({participantCount, synthesis}) =>
      `[Discuss Result (${participantCount} models)]: ${synthesis}`,
  },
  interview: {
    description:
      'Have the person asked, field by field, and receive their answers. For facts that only they know and that you need: ' +
      'several things at once, or one that must be exact. The request is the path of a form in the workspace (TOML or ' +
      'JSON) or one question. It waits for the person. Answers that the form marks as personal or secret are withheld from you.',
    begins: 'an interview with the person on',
    may: 'It has no tools and changes nothing. The person may decline to answer.',
    result: interviewResult,
    text: ({ended, answers}) => `[Interview Result (${ended})]: ${answers}`,
  },
};

export function spawnWords(form: SpawnableForm): SpawnWords {
  return rows[form];
}

export function toInteractionResult<Form extends SpawnableForm>(
  form: Form,
  output: FormOutput,
): ResultOf<Form> {
  return {form, ...rows[form].result(output)};
}

export function toContextInjection<Form extends SpawnableForm>(result: ResultOf<Form>): string {
  return rows[result.form].text(result);
}

/** The same for an interaction of any form; undefined for a form that can't be spawned. */
export function injectionOf(form: InteractionForm, output: FormOutput): string | undefined {
  return isSpawnable(form) ? toContextInjection(toInteractionResult(form, output)) : undefined;
}

function statusAndSummary({status, summary}: FormOutput): string {
  return `(${status}) ${summary}`;
}

/** Leaves out an answer that the summary repeats. */
function agentResult({status, summary, answer = ''}: FormOutput): Results['agent'] {
  const text = lineOf(answer, maxAnswer);
  const isSaid = text === '' || oneLine(summary).includes(oneLine(answer));
  const success = status === 'completed';
  return {summary, success, ...(isSaid ? {} : {answer: text})};
}

/** Without private answers: their values are withheld. */
function interviewResult({status, summary, answers}: FormOutput): Results['interview'] {
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
