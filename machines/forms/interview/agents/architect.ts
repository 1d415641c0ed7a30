/**
 * The architect: the order in which an interview asks for the fields of its form.
 *
 * opened → ordering → ordered; the form's own order by rule or without a valid plan
 */

import {assign, setup} from 'xstate';

import {onCrash, outputIn, when} from '../../../actor-end.ts';
import type {Failure} from '../../../domain/failure.ts';
import {report} from '../../../facts/record.ts';
import {openTranscript} from '../../../prompts/transcript.ts';
import {
  answerIn,
  type QuestionInput,
  questionMachine,
  type QuestionOutput,
  whyUnanswered,
} from '../../../questions/question.ts';
import {isLedByRule, isWordsAlone, replacementReport, withUnusable} from '../interview-settings.ts';
import {architectMessage, architectSystem} from '../prompts.ts';
import {type Assignment, going, type Handover} from './handover.ts';

export const architectMachine = setup({
  types: {} as {context: Assignment; input: Assignment; output: Handover},
  actors: {question: questionMachine},
  actions: {
    takeOrder: assign(({context}, output: QuestionOutput) => ordered(context, output)),
    giveUp: assign(({context: {dialogue, settings}}) => ({
      dialogue: withUnusable(dialogue, settings.model),
    })),
    reportGivenUp: report(({context}) => replacementReport('architect', context.settings.model)),
    reportFallback: report((_, {message}: Failure) => ({
      type: 'warning',
      message: `the fields are asked in the form's own order: ${message}`,
    })),
  },
  guards: {
    isByRule: ({context}) =>
      isLedByRule(context) || context.dialogue.questionnaire.fields.length < 2,
    isOrdered: (_, output: QuestionOutput) => output.kind === 'answered',
    isWordsAlone: (_, output: QuestionOutput) => isWordsAlone(output),
  },
}).createMachine({
  id: 'architect',
  context: ({input}) => ({...input}),
  initial: 'opened',
  states: {
    opened: {
      tags: 'choice',
      always: [{guard: 'isByRule', target: 'ordered'}, {target: 'ordering'}],
    },
    ordering: {
      invoke: {
        src: 'question',
        id: 'plan',
        input: ({context}) => questionOf(context),
        onDone: [
          when('isOrdered', 'ordered', 'takeOrder'),
          {
            guard: {type: 'isWordsAlone', params: outputIn},
            target: 'ordered',
            actions: ['giveUp', 'reportGivenUp'],
          },
          {
            target: 'ordered',
            actions: {type: 'reportFallback', params: ({event}) => whyUnanswered(event.output)},
          },
        ],
        onError: onCrash('ordered', 'reportFallback'),
      },
    },
    ordered: {type: 'final', output: going('next')},
  },
  output: ({event}) => event.output as Handover,
});

function questionOf({dialogue, settings}: Assignment): QuestionInput {
  const {fields} = dialogue.questionnaire;
  return {
    question: 'order_fields',
    purpose: 'design-interview',
    about: {fields: fields.map(({id, required}) => ({id, required}))},
    model: settings.model,
    system: architectSystem,
    transcript: openTranscript(architectMessage(dialogue)),
    maxOutputTokens: settings.maxOutputTokens,
    waits: true,
  };
}

function ordered({dialogue}: Assignment, output: QuestionOutput): Partial<Assignment> {
  const order = answerIn('order_fields', output);
  return order ? {dialogue: {...dialogue, order}} : {};
}
