/** The builders of interviews. */

import {noTurns, reminded} from '../../../machines/forms/interview/agents/agent-turn.ts';
import {
  type Dialogue,
  openDialogue,
  withRecord,
  withReply,
} from '../../../machines/forms/interview/dialogue.ts';
import {
  architectMessage,
  formAskedText,
  greeterMessage,
  interviewerMessage,
  reviewerMessage,
  reviewSectionText,
  reviewText,
} from '../../../machines/forms/interview/prompts.ts';
import {openTranscript} from '../../../machines/prompts/transcript.ts';
import type {Questionnaire} from '../../../machines/questionnaire/questionnaire.ts';
import type {Builder, Next} from './fields.ts';

function formOf(next: Next): Questionnaire {
  const field = {required: true, type: 'text', sensitivity: 'none', order: 1} as const;
  return {
    id: 'form',
    title: next(),
    description: next(),
    fields: [
      {...field, id: 'name', label: next(), intent: next()},
      {...field, id: 'work', label: next(), type: 'choice', choices: [next(), 'b']},
    ],
    facts: [
      {field: 'work', key: next(), fact: next(), doneCriteria: next(), questioningHints: next()},
    ],
  };
}

function dialogueOf(next: Next): Dialogue {
  const open = openDialogue(formOf(next), {language: next(), country: next()});
  const done = withRecord(open, 'name', {status: 'done', value: next(), quote: next()});
  const work = withRecord(done, 'work', {
    facts: {[next()]: {value: next(), quote: next()}},
    replies: [{text: next()}, {text: next()}],
  });
  return withReply(work, {text: next(), agent: 'interviewer', field: 'work'});
}

export const dialogueBuilders: readonly Builder[] = [
  {name: 'greeterMessage', build: (next) => greeterMessage(dialogueOf(next))},
  {name: 'architectMessage', build: (next) => architectMessage(dialogueOf(next))},
  {name: 'interviewerMessage', build: (next) => interviewerMessage(dialogueOf(next), 'work')},
  {name: 'reviewerMessage', build: (next) => reviewerMessage(dialogueOf(next), 'work')},
  {name: 'formAskedText', build: (next) => formAskedText(next(), next())},
  {
    name: 'reviewSectionText',
    build: (next) => reviewSectionText(reviewText(false, [next()], [next()])),
  },
  {name: 'reviewSectionText', build: (next) => reviewSectionText(next())},
  {
    name: 'reminded',
    build: (next) => {
      const state = {
        agent: 'interviewer',
        dialogue: dialogueOf(next),
        transcript: openTranscript(''),
        field: 'work',
        canReview: false,
        calls: [],
        ...noTurns,
      } as const;
      return reminded(state).transcript?.messages.at(-1)?.text ?? '';
    },
  },
];
