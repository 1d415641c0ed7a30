/**
 * The reviewer of one field: rules first, then a model, unless rules alone review the field.
 *
 * checking → passed / failed
 * checking → judging → verifying → passed / failed; checking again, by rule, when its model calls no tool
 */

import {assign, setup} from 'xstate';

import {onCrash, otherwise, outputIn, when} from '../../../actor-end.ts';
import type {Failure} from '../../../domain/failure.ts';
import {report} from '../../../facts/record.ts';
import {checkAnswer} from '../../../ports.ts';
import {openTranscript} from '../../../prompts/transcript.ts';
import type {AnswerCheck, AnswerReading} from '../../../questionnaire/answer-reading.ts';
import type {FactValue} from '../../../questionnaire/answers.ts';
import {typeOf} from '../../../questionnaire/field-types.ts';
import {isMadeOf, isSaid} from '../../../questions/interview.ts';
import {
  answerIn,
  type QuestionInput,
  questionMachine,
  type QuestionOutput,
  whyUnanswered,
} from '../../../questions/question.ts';
import type {FieldAssignment} from '../agents/handover.ts';
import {type Dialogue, fieldOf, recordOf} from '../dialogue.ts';
import {
  isReviewedByRule,
  isWordsAlone,
  replacementReport,
  withUnusable,
} from '../interview-settings.ts';
import {reviewerMessage, reviewerSystem} from '../prompts.ts';
import type {Fault} from '../templates.ts';
import {isPrivate} from './field-rules.ts';

export const fieldReviewerMachine = setup({
  types: {} as {context: FieldReviewerState; input: FieldAssignment; output: FieldReview},
  actors: {checkAnswer, question: questionMachine},
  actions: {
    takeCheck: assign((_, check: AnswerReading) => ({check, fault: faultIn(check)})),
    takeVerdict: assign(({context}, output: QuestionOutput) => verdictTaken(context, output)),
    takeVerification: assign(({context}, check: AnswerReading) => verified(context, check)),
    giveUp: assign(({context}) => givenUp(context)),
    reportGivenUp: report(({context}) => replacementReport('reviewer', context.settings.reviewer)),
    takeFailure: assign((_, {message}: Failure) => ({
      fault: {problems: [], missing: [], feedback: message},
    })),
  },
  guards: {
    isFaulty: ({context: {isByRule}}, check: AnswerReading) =>
      check.problems.length > 0 || (isByRule && check.missing.length > 0),
    isByRule: ({context: {isByRule}}) => isByRule,
    isPassed: (_, output: QuestionOutput) => isPassedBy(output),
    isWordsAlone: (_, output: QuestionOutput) => isWordsAlone(output),
    isSound: (_, {problems}: AnswerReading) => problems.length === 0,
  },
}).createMachine({
  id: 'field-reviewer',
  context: ({input}) => openReview(input),
  initial: 'checking',
  states: {
    checking: {
      invoke: {
        src: 'checkAnswer',
        id: 'check',
        input: ({context}) => checkInput(context),
        onDone: [
          when('isFaulty', 'failed', 'takeCheck'),
          {
            guard: 'isByRule',
            target: 'passed',
            actions: {type: 'takeCheck', params: outputIn},
          },
          otherwise('judging', 'takeCheck'),
        ],
        onError: onCrash('failed', 'takeFailure'),
      },
    },
    judging: {
      invoke: {
        src: 'question',
        id: 'review',
        input: ({context}) => reviewQuestion(context),
        onDone: [
          when('isPassed', 'verifying', 'takeVerdict'),
          {
            guard: {type: 'isWordsAlone', params: outputIn},
            target: 'checking',
            actions: ['giveUp', 'reportGivenUp'],
          },
          otherwise('failed', 'takeVerdict'),
        ],
        onError: onCrash('failed', 'takeFailure'),
      },
    },
    verifying: {
      invoke: {
        src: 'checkAnswer',
        id: 'verification',
        input: ({context}) => verifyInput(context),
        onDone: [when('isSound', 'passed', 'takeVerification'), otherwise('failed', 'takeCheck')],
        onError: onCrash('failed', 'takeFailure'),
      },
    },
    passed: {type: 'final', output: ({context}) => ({passed: true, ...reviewed(context)})},
    failed: {
      type: 'final',
      tags: 'failure',
      output: ({context}) => ({passed: false, ...reviewed(context)}),
    },
  },
  output: ({event}) => event.output as FieldReview,
});

function reviewed({dialogue, check, fault, by}: FieldReviewerState): Omit<FieldReview, 'passed'> {
  return {dialogue, check, fault, by};
}

// The context of a field reviewer, and its updates by rules and by a model.

/** The faults of an answer. `feedback` is a model's, for the agent that asks. */
export interface ReviewFault extends Fault {
  readonly feedback?: string;
}

export interface FieldReviewerState extends FieldAssignment {
  readonly isByRule: boolean;
  readonly check: AnswerReading;
  readonly fault: ReviewFault;
  readonly by: 'rules' | 'model';
  /** The answer in the model's words. */
  readonly value?: string;
}

export interface FieldReview {
  readonly dialogue: Dialogue;
  readonly passed: boolean;
  readonly check: AnswerReading;
  readonly fault: ReviewFault;
  readonly by: 'rules' | 'model';
}

const unchecked: AnswerReading = {facts: {}, problems: [], missing: [], suffices: false};

function openReview(input: FieldAssignment): FieldReviewerState {
  const {dialogue, field} = input;
  return {
    ...input,
    isByRule: isReviewedByRule(input) || isPrivate(dialogue.questionnaire, field),
    check: unchecked,
    fault: {problems: [], missing: []},
    by: 'rules',
  };
}

function checkInput({dialogue, field}: FieldReviewerState): AnswerCheck {
  const {replies, facts} = recordOf(dialogue, field);
  return {
    field: fieldOf(dialogue, field),
    facts: dialogue.questionnaire.facts.filter((fact) => fact.field === field),
    replies,
    known: facts,
    ...dialogue.respondent,
    at: dialogue.said.findLast(({at}) => at !== undefined)?.at ?? 0,
  };
}

/** The input of a check of the model's wording, which is as strict as the check of a person's answer. */
function verifyInput(state: FieldReviewerState): AnswerCheck {
  const {value, check} = state;
  const input = checkInput(state);
  const known = {...input, facts: [], known: check.facts};
  return value === undefined ? known : {...known, replies: [{text: value}]};
}

function faultIn({problems, missing}: AnswerReading): ReviewFault {
  return {problems, missing};
}

function reviewQuestion({dialogue, settings, field}: FieldReviewerState): QuestionInput {
  return {
    question: 'review_answer',
    purpose: 'review-answer',
    about: {spoken: spoken(dialogue)},
    model: settings.reviewer,
    system: reviewerSystem,
    transcript: openTranscript(reviewerMessage(dialogue, field)),
    maxOutputTokens: settings.maxOutputTokens,
    waits: true,
  };
}

/** The model called no tool: rules review this answer and all later ones. */
function givenUp({dialogue, settings}: FieldReviewerState): Partial<FieldReviewerState> {
  return {dialogue: withUnusable(dialogue, settings.reviewer), isByRule: true};
}

/** All texts of the person. */
function spoken({said}: Dialogue): string[] {
  return said.filter(({from}) => from === 'person').map(({text}) => text);
}

function isPassedBy(output: QuestionOutput): boolean {
  return answerIn('review_answer', output)?.passed === true;
}

function verdictTaken(
  state: FieldReviewerState,
  output: QuestionOutput,
): Partial<FieldReviewerState> {
  const review = answerIn('review_answer', output);
  if (!review) {
    const {message} = whyUnanswered(output);
    return {by: 'model', fault: {problems: [], missing: [], feedback: message}};
  }
  const found = review.facts.map(({key, value, quote}): [string, FactValue] => [
    key,
    {value, quote},
  ]);
  const keys = new Set(checkInput(state).facts.map(({key}) => key));
  const facts = Object.fromEntries(found.filter(([key]) => keys.has(key)));
  return {
    by: 'model',
    check: {...state.check, facts: {...state.check.facts, ...facts}},
    fault: {
      problems: [],
      missing: review.missingFacts,
      ...(review.feedback === undefined ? {} : {feedback: review.feedback}),
    },
    ...(review.value === undefined ? {} : {value: review.value}),
  };
}

/**
 * Takes the model's wording of a prose answer if it consists of the person's words; otherwise the value that rules read. The
 * quote is always in the person's words.
 */
function verified(state: FieldReviewerState, {value}: AnswerReading): Partial<FieldReviewerState> {
  const {check, dialogue, field} = state;
  const replies = recordOf(dialogue, field).replies.map(({text}) => text);
  const words = state.value ?? '';
  const isWording = typeOf(fieldOf(dialogue, field)).isProse && isMadeOf(words, replies);
  const isQuote = isWording && isSaid(words, replies);
  const quote = isQuote ? words : (check.quote ?? replies.at(-1));
  const kept = isWording ? value : (check.value ?? replies.join('\n'));
  return {
    check: {
      ...check,
      ...(kept === undefined ? {} : {value: kept}),
      ...(quote === undefined ? {} : {quote}),
    },
  };
}
