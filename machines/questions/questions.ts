/**
 * The questions that models answer by calling one tool, exactly once. This table is the only place that lists them: the
 * purposes, the tools offered to models, the expectations of scripts and the answers of the offline model derive from it.
 */

import type {z} from 'zod';

import {planSchema, readPlanArgs} from '../domain/plan.ts';
import {
  ballotSchema,
  callsBallotSchema,
  diffBallotSchema,
  readBallot,
  readCallsBallot,
} from './ballot.ts';
import {
  answersSchema,
  conclusionSchema,
  objectionsSchema,
  positionSchema,
  rankingSchema,
  readAttack,
  readConclusion,
  readDefence,
  readPosition,
  readRanking,
  readRulings,
  rulingsSchema,
} from './discussion.ts';
import {evaluationSchema, readEvaluation, readScore, scoreSchema} from './evaluation.ts';
import {
  answerReviewSchema,
  fieldOrderSchema,
  readAnswerReview,
  readFieldOrder,
} from './interview.ts';
import type {AnswerReading, Reading} from './reading.ts';

interface Question<Purpose extends string, About, Value> {
  /** The purposes of the requests that ask it, such as one for each kind of proposal. */
  readonly purposes: readonly Purpose[];
  /** The name of the tool that answers it; absent: the name of the question. */
  readonly tool?: string;
  /** Arguments of the tool; the schema's description is the tool's. Built on first use: a run asks few of the questions. */
  readonly schema: z.ZodType;
  /** Reads the arguments that a model gave. `about` holds the data that they must match. Never throws. */
  readonly read: (args: unknown, about: About) => AnswerReading<Value>;
  readonly toolChoice: 'auto' | 'required';
  /** One word for an answer, for people. */
  readonly noun: string;
  /** The instruction to a model after an invalid answer. */
  readonly repair: string;
}

function question<const Purpose extends string, About, Value>(
  entry: Question<Purpose, About, Value>,
): Question<Purpose, About, Value> {
  return entry;
}

const ballotRepair =
  'Your ballot did not count. Call cast_ballot exactly once, with valid arguments.';

export const questions = {
  create_plan: question({
    purposes: ['plan'],
    schema: planSchema,
    read: readPlanArgs,
    toolChoice: 'required',
    noun: 'plan',
    repair: 'Call create_plan once more with a plan that has none of these problems.',
  }),
  cast_ballot: question({
    purposes: ['review-plan', 'review-action', 'review-result'],
    schema: ballotSchema,
    read: readBallot,
    toolChoice: 'required',
    noun: 'ballot',
    repair: ballotRepair,
  }),
  review_calls: question({
    purposes: ['review-action'],
    tool: 'cast_ballot',
    schema: callsBallotSchema,
    read: readCallsBallot,
    toolChoice: 'required',
    noun: 'ballot',
    repair: ballotRepair,
  }),
  review_diff: question({
    purposes: ['review-diff'],
    tool: 'cast_ballot',
    schema: diffBallotSchema,
    read: readBallot,
    toolChoice: 'required',
    noun: 'ballot',
    repair: ballotRepair,
  }),
  score_plan: question({
    purposes: ['score-plan'],
    schema: scoreSchema,
    read: (args, _about: Readonly<Record<string, never>>) => readScore(args),
    toolChoice: 'required',
    noun: 'score',
    repair: 'Your score did not count. Call score_plan exactly once, with valid arguments.',
  }),
  evaluate_result: question({
    purposes: ['evaluate'],
    schema: evaluationSchema,
    read: (args, _about: Readonly<Record<string, never>>) => readEvaluation(args),
    toolChoice: 'required',
    noun: 'evaluation',
    repair: 'Call evaluate_result exactly once, with valid arguments.',
  }),
  rank_answers: question({
    purposes: ['rank-answers'],
    schema: rankingSchema,
    read: readRanking,
    toolChoice: 'required',
    noun: 'ranking',
    repair:
      'Your ranking did not count. Call rank_answers exactly once: rank and review each of the given labels exactly once, and no other.',
  }),
  conclude: question({
    purposes: ['conclude'],
    schema: conclusionSchema,
    read: (args, _about: Readonly<Record<string, never>>) => readConclusion(args),
    toolChoice: 'required',
    noun: 'conclusion',
    repair: 'Call conclude exactly once, with valid arguments.',
  }),
  take_position: question({
    purposes: ['take-position'],
    schema: positionSchema,
    read: (args, _about: Readonly<Record<string, never>>) => readPosition(args),
    toolChoice: 'required',
    noun: 'position',
    repair: 'Call take_position exactly once, with valid arguments.',
  }),
  raise_objections: question({
    purposes: ['raise-objections'],
    schema: objectionsSchema,
    read: readAttack,
    toolChoice: 'required',
    noun: 'objections',
    repair: 'Call raise_objections exactly once, with valid arguments.',
  }),
  answer_objections: question({
    purposes: ['answer-objections'],
    schema: answersSchema,
    read: readDefence,
    toolChoice: 'required',
    noun: 'answers',
    repair: 'Call answer_objections exactly once, with one answer to each open objection.',
  }),
  rule_on_objections: question({
    purposes: ['rule-on-objections'],
    schema: rulingsSchema,
    read: readRulings,
    toolChoice: 'required',
    noun: 'rulings',
    repair: 'Call rule_on_objections exactly once, with one ruling on each open objection.',
  }),
  order_fields: question({
    purposes: ['design-interview'],
    tool: 'create_plan',
    schema: fieldOrderSchema,
    read: readFieldOrder,
    toolChoice: 'required',
    noun: 'plan',
    repair: 'Call create_plan once more with a plan that has none of these problems.',
  }),
  review_answer: question({
    purposes: ['review-answer'],
    tool: 'review',
    schema: answerReviewSchema,
    read: readAnswerReview,
    toolChoice: 'required',
    noun: 'review',
    repair: 'Your review did not count. Call review exactly once, with valid arguments.',
  }),
};

type Questions = typeof questions;

export type QuestionName = keyof Questions;
export type QuestionPurpose = Questions[QuestionName]['purposes'][number];
export type AnswerTo<Name extends QuestionName> =
  ReturnType<Questions[Name]['read']> extends Reading<infer Value> ? Value : never;

/** A question with the data that its answer must match. */
export type AskedQuestion = {
  readonly [Name in QuestionName]: {
    readonly question: Name;
    readonly purpose: Questions[Name]['purposes'][number];
    readonly about: Parameters<Questions[Name]['read']>[1];
  };
}[QuestionName];

/** A valid answer, with the question that it answers. */
export type Answer = {
  readonly [Name in QuestionName]: {readonly question: Name; readonly value: AnswerTo<Name>};
}[QuestionName];

export const questionNames = Object.keys(questions) as readonly QuestionName[];

/** The name of the tool that answers a question. */
export function toolOf(name: QuestionName): string {
  const {tool = name}: Pick<Question<string, unknown, unknown>, 'tool'> = questions[name];
  return tool;
}

export const questionPurposes: readonly QuestionPurpose[] = [
  ...new Set(questionNames.flatMap((name): readonly QuestionPurpose[] => questions[name].purposes)),
];

/** The question that is asked for a purpose: the first, if there are several. */
export function questionFor(purpose: QuestionPurpose): QuestionName {
  const found = questionNames.find((name) =>
    questions[name].purposes.some((own) => own === purpose),
  );
  if (!found) throw new Error(`no question has the purpose ${purpose}`);
  return found;
}

/** Reads the arguments of a question's tool. */
export function readArguments(
  {question: name, about}: AskedQuestion,
  args: unknown,
): AnswerReading<Answer> {
  const {read} = questions[name] as Question<string, unknown, unknown>;
  const reading = read(args, about);
  const answer = (value: unknown): Answer => ({question: name, value}) as Answer;
  if (reading.ok) return {ok: true, value: answer(reading.value)};
  return 'otherwise' in reading ? {...reading, otherwise: answer(reading.otherwise)} : reading;
}
