/** Sections shared by several messages, with a test text in every field that others may fill, and the builders of conversations. */

import type {Objection} from '../../../machines/domain/ledger.ts';
import type {CallFact} from '../../../machines/domain/result.ts';
import {surroundingSections} from '../../../machines/forms/agent/gathering.ts';
import {
  attackMessage,
  type DebateBrief,
  defenceMessage,
  openingMessage,
  rulingMessage,
} from '../../../machines/forms/debate/debate.ts';
import {
  chairMessage,
  debateChairMessage,
  participantMessage,
  readerMessage,
} from '../../../machines/forms/discuss/discuss-requests.ts';
import {backgroundOf as discussed} from '../../../machines/forms/discuss/discuss-state.ts';
import type {Ground} from '../../../machines/forms/ground.ts';
import {noTurns, reminded} from '../../../machines/forms/interview/agents/agent-loop.ts';
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
import {quotedText} from '../../../machines/prompts/section-text.ts';
import {
  attachedSection,
  type ContextFile,
  contextFilesSection,
  inheritedSection,
  type Section,
  surveyText,
} from '../../../machines/prompts/sections.ts';
import {openTranscript} from '../../../machines/prompts/transcript.ts';
import type {Questionnaire} from '../../../machines/questionnaire/questionnaire.ts';
import {messageSections} from '../../../machines/tree/messages.ts';

/** The next text: hostile, or harmless. */
export type Next = () => string;

export interface Builder {
  /** The function that builds the message. */
  readonly name: string;
  readonly build: (next: Next) => string;
  /** The calls that the message lists as made, in order. */
  readonly calls?: readonly Pick<CallFact, 'status' | 'exitCode' | 'confinement'>[];
  /** True when there is no room for all lines, and the message states how many are missing. */
  readonly isCut?: true;
}

export function attachmentsOf(next: Next) {
  return [
    {name: next(), text: next()},
    {name: 'standard input', text: next()},
  ];
}

export function pendingOf(next: Next): Section[] {
  return messageSections(
    [
      {from: 'person', text: next()},
      {from: 'interaction', text: next()},
      {from: 'person', text: next()},
    ],
    2_000,
  );
}

export function backgroundOf(next: Next): Section[] {
  return [
    attachedSection(attachmentsOf(next)),
    ['Survey', surveyText(surveyOf(next))],
    ['Report of the explorer', quotedText(next())],
    ...surroundingSections({files: [{path: next(), text: next()}]}, [], 4_000),
    contextFilesSection(contextFilesOf(next)),
    inheritedSection(next()),
    ...pendingOf(next),
  ];
}

export function contextFilesOf(next: Next): ContextFile[] {
  return ['../AGENTS.md', next(), '.quorate/context.md'].map((path) => ({path, text: next()}));
}

export function surveyOf(next: Next) {
  const files = ['README.md', 'CONTRIBUTING.md', 'package.json'];
  const texts = files.map((name) => `\n\n## ${name}\n${next()}`);
  const machine = {facts: [`System: ${next()}`], git: {status: next(), subjects: next()}};
  return {text: `${next()}${texts.join('')}`, read: files, machine};
}

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

function talkGround(next: Next): Ground {
  return {
    question: next(),
    inherited: next(),
    attachments: attachmentsOf(next),
    pendingMessages: pendingOf(next),
    background: discussed(surveyOf(next), next()),
  };
}

function shownOf(next: Next) {
  return ['Response A', 'Response B'].map((label) => ({label, by: 'x', text: next()}));
}

function debateOf(next: Next): DebateBrief {
  const objection: Objection = {
    id: 'O1',
    round: 1,
    severity: 'major',
    objection: next(),
    evidence: next(),
    answer: next(),
    reason: next(),
  };
  return {
    ground: talkGround(next),
    position: next(),
    reasons: [next()],
    objections: [objection],
    round: 'round 1 of 3',
    mayRevise: true,
  };
}

export const talkBuilders: readonly Builder[] = [
  {name: 'participantMessage', build: (next) => participantMessage(talkGround(next), next())},
  {name: 'readerMessage', build: (next) => readerMessage(talkGround(next), shownOf(next))},
  {
    name: 'chairMessage',
    build: (next) => {
      const remark = {
        label: 'Response A',
        score: 3,
        place: 'place 1 of 2',
        words: [next(), next()],
      };
      return chairMessage(talkGround(next), shownOf(next), [remark], ['Without an answer: 1.']);
    },
  },
  {name: 'debateChairMessage', build: (next) => debateChairMessage(debateOf(next), next())},
  {name: 'openingMessage', build: (next) => openingMessage(talkGround(next))},
  {name: 'attackMessage', build: (next) => attackMessage(debateOf(next))},
  {name: 'defenceMessage', build: (next) => defenceMessage(debateOf(next))},
  {name: 'rulingMessage', build: (next) => rulingMessage(debateOf(next))},
];
