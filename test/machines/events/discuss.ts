/** Discussions to explore: participants, readers and chairs that fail, are down, say the same, or are too late. */

import type {AnyEventObject} from 'xstate';

import {discussMachine} from '../../../machines/forms/discuss/discuss.ts';
import {crash, type OpenRequest} from '../../support/hand-performer.ts';
import type {LawfulScenario} from '../explored.ts';
import {debateLaws, discussLaws} from '../laws-discuss.ts';
import {type Answers, answering} from './answers.ts';
import {calling, conclusion, failing, ran, ranking, saying} from './outcomes.ts';
import {smallSettings} from './settings.ts';

const participants = ['test/ann', 'test/bob'];

const input = {
  request: 'Move it?',
  workspace: '/w',
  settings: {
    ...smallSettings('interactive', []),
    discuss: {
      participants: participants.map((id) => ({id, model: id})),
      moderator: {id: 'moderator', model: 'test/chair'},
      deadlineMs: 1_000,
    },
  },
};

const {settings} = input;

const debating = {
  ...input,
  settings: {
    ...settings,
    discuss: {...settings.discuss, strategy: 'debate'},
    debate: {...settings.debate, maxRounds: 1},
  },
};

/** The answer of a seat. */
function ownWords({path}: OpenRequest): string {
  return path.includes('ann') ? 'Move it, the sooner the better.' : 'Leave it where it is.';
}

const sound: Answers = {
  surveyWorkspace: [{text: 'a queue', read: []}],
  runTool: [ran],
  discuss: (_, open) => [saying(ownWords(open))],
  'rank-answers': [ranking],
  conclude: [conclusion],
};

const scenarios: readonly {
  readonly name: string;
  readonly answers: Answers;
  readonly isTimed?: true;
  readonly isDebate?: true;
  readonly message?: AnyEventObject;
}[] = [
  {
    name: 'whose participants may fail, be late or be down',
    answers: {discuss: (_, open) => [saying(ownWords(open)), failing('auth'), failing('refused')]},
    isTimed: true,
  },
  {
    name: 'whose participants may say the same',
    answers: {discuss: [saying('Yes.'), saying('No.')]},
  },
  {
    name: 'whose readers and chairs may fail or be down',
    answers: {
      'rank-answers': [ranking, failing('refused')],
      conclude: [conclusion, failing('refused'), failing('auth')],
      awaitResume: [{resumed: true}, crash],
    },
  },
  {
    name: 'whose surroundings may break',
    answers: {surveyWorkspace: [{text: '', read: []}, crash], runTool: [ran, crash]},
  },
  {
    name: 'that is a debate, settled, escalated or failed',
    isDebate: true,
    answers: {
      'take-position': [
        calling('take_position', {position: 'Move it.', arguments: ['why not']}),
        failing('refused'),
      ],
      'raise-objections': [
        calling('raise_objections', {objections: []}),
        calling('raise_objections', {objections: [{severity: 'major', objection: 'it fails'}]}),
      ],
      'answer-objections': [calling('answer_objections', {answers: [{id: 'O1', answer: 'no'}]})],
      'rule-on-objections': [failing('refused')],
      'ask-debate': [{decision: 'approve'}, {decision: 'reject', reason: 'no'}],
    },
  },
  {name: 'that a person may cancel at every moment', answers: {}, message: {type: 'user.cancel'}},
  {
    name: 'whose settings a person may change at every moment',
    answers: {},
    message: {type: 'settings.changed', settings: {agent: {maxReplans: 1}}},
  },
];

export const discussions: readonly LawfulScenario[] = scenarios.map(
  ({name, answers, isTimed, isDebate, message}) => ({
    name,
    scenario: {
      machine: discussMachine,
      input: isDebate ? debating : input,
      outcomes: answering({...sound, ...answers}),
      messages: message ? [message] : [],
      mayFire: () => isTimed === true,
    },
    law: isDebate ? debateLaws : discussLaws(participants),
  }),
);
