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
import type {AnswerReading} from '../../../questionnaire/answer-reading.ts';
import {questionMachine, type QuestionOutput} from '../../../questions/question.ts';
import type {FieldAssignment} from '../agents/handover.ts';
import {isWordsAlone, replacementReport} from '../agents/unusable-models.ts';
import {
  checkInput,
  faultIn,
  type FieldReview,
  isPassedBy,
  openReview,
  reviewQuestion,
  type FieldReviewerState,
  givenUp,
  verdictTaken,
  verified,
  verifyInput,
} from './field-reviewer-state.ts';

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
