/** The builders of discussions and debates. */

import type {Objection} from '../../../machines/domain/ledger.ts';
import {
  attackMessage,
  type DebateBrief,
  defenceMessage,
  openingMessage,
  rulingMessage,
} from '../../../machines/forms/debate/prompt.ts';
import {backgroundOf as discussed} from '../../../machines/forms/discuss/background.ts';
import {
  chairMessage,
  debateChairMessage,
  participantMessage,
  readerMessage,
} from '../../../machines/forms/discuss/prompt.ts';
import type {Ground} from '../../../machines/forms/ground.ts';
import {attachmentsOf, type Builder, pendingOf, type Next, surveyOf} from './fields.ts';

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
