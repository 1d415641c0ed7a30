/** Panels and polls to explore. */

import type {AnyEventObject} from 'xstate';

import type {Proposal, ProposalKind, Seat} from '../../../machines/domain/review.ts';
import {pollMachine, type PollSeat} from '../../../machines/panel/poll.ts';
import {quorumMachine} from '../../../machines/panel/quorum.ts';
import {openTranscript} from '../../../machines/prompts/transcript.ts';
import {crash} from '../../support/hand-performer.ts';
import type {Scenario, Played} from '../../support/played.ts';
import type {LawfulScenario} from '../explored.ts';
import {panelLaws} from '../laws-panel.ts';
import {outputOf, settlementsOf, unless, valueIn} from '../laws-record.ts';
import {answering, failing, ruling, rulings, saying, unknowing, voting} from './outcomes.ts';
import {modelSeat, policySeat} from './settings.ts';

const vetoing: Seat = {...policySeat, veto: true};

const policyPanel = ['policy/safety', 'policy/scope', 'policy/evidence'].map((id) =>
  Object.assign({}, vetoing, {id, model: id}),
);

export const proposal: Proposal = {
  kind: 'plan',
  title: 'a plan',
  hash: 'the hash of the plan',
  text: 'Do it.',
  facts: {request: 'do it', workspace: '/w', evidence: [], calls: [], claims: []},
};

/** The replies that the model of a seat may give, by the start of the seat's name. */
const replies: Readonly<Record<string, readonly object[]>> = {
  'test/every': [
    voting('approve'),
    voting('reject'),
    saying('I approve.'),
    failing('rateLimited'),
    failing('auth'),
    failing('truncated'),
    crash,
  ],
  'test/plain': [voting('approve'), voting('reject'), voting('abstain')],
  'test/torn': [
    voting('approve', {comments: [{file: 'a.ts', severity: 'major', message: 'it leaks'}]}),
    voting('approve'),
    failing('auth'),
  ],
  'test/faulty': [voting('approve'), voting('approve', {round: 7}), failing('auth')],
};

const words = [ruling('approve'), ruling('reject'), ruling('abstain'), unknowing('frobnicate')];

/** All combinations of ballots of `count` policies, a crash, and an outcome without ballots. */
function screenings(count: number): readonly object[] {
  let together = [rulings()];
  for (let asked = 0; asked < count; asked++) {
    together = together.flatMap((before) => words.map((word) => rulings(before, word)));
  }
  return [...together, crash, rulings()];
}

function panel(
  seats: readonly Seat[],
  minParticipation: number,
  screen: readonly string[],
  kind: ProposalKind,
): Scenario {
  return {
    machine: quorumMachine,
    input: {
      round: 1,
      proposal: {...proposal, kind},
      seats,
      settings: {
        rule: 'majority',
        screen,
        minParticipation,
        deadlineMs: 1_000,
        feedbackGraceMs: 100,
      },
      maxOutputTokens: 100,
      background: [],
      history: [],
    },
    outcomes: ({path, port, request}) => {
      if (port === 'awaitResume') return [{resumed: true}, crash];
      if (port === 'screenProposal') return screenings(request.policies.length);
      const name = Object.keys(replies).find((seat) => path.includes(encodeURIComponent(seat)));
      return name === undefined ? [] : (replies[name] ?? []);
    },
    messages: seats.length > 1 ? strayBallots(seats[0]?.id ?? '') : [],
  };
}

/** Approvals that must not count: of another round, of another proposal, of a seat that is not on the panel. */
function strayBallots(seat: string): AnyEventObject[] {
  const subject = `${proposal.hash} in round 1`;
  const [value] = ruling('approve').ballots;
  const answer = {kind: 'answered', question: 'cast_ballot', value, at: 0};
  const message = {type: 'seat.settled', subject, seat, answer};
  return [
    {...message, subject: `${proposal.hash} in round 0`},
    {...message, subject: 'another in round 1'},
    {...message, seat: 'test/stranger'},
  ];
}

export interface PanelScenario {
  readonly name: string;
  readonly seats: readonly Seat[];
  readonly minParticipation: number;
  readonly screen: readonly string[];
  readonly kind: ProposalKind;
  readonly scenario: Scenario;
}

const seatings: readonly (readonly [
  name: string,
  seats: readonly Seat[],
  minimum: number,
  screen?: readonly string[],
  kind?: ProposalKind,
])[] = [
  ['one reviewer that may do anything', [modelSeat('test/every')], 1],
  ['three equal reviewers', ['a', 'b', 'c'].map((key) => modelSeat(`test/plain-${key}`)), 1],
  [
    'three reviewers of whom two must vote',
    ['a', 'b', 'c'].map((key) => modelSeat(`test/plain-${key}`)),
    2,
  ],
  ['the policies alone, as they sit by default', policyPanel, 1],
  [
    'a policy with a veto, a sound and a faulty reviewer',
    [vetoing, modelSeat('test/plain'), modelSeat('test/faulty')],
    1,
  ],
  [
    'a reviewer behind two policies that screen',
    [modelSeat('test/plain')],
    1,
    ['policy/safety', 'policy/scope'],
  ],
  [
    'a reviewer and a policy that screens, too, behind another',
    [policySeat, modelSeat('test/plain')],
    2,
    ['policy/safety', 'policy/scope'],
  ],
  [
    'a diff, for a sound and a contradictory reviewer behind a policy that screens',
    [modelSeat('test/plain'), modelSeat('test/torn')],
    1,
    ['policy/safety'],
    'diff',
  ],
];

export const panelScenarios: readonly PanelScenario[] = seatings.map(
  ([name, seats, minParticipation, screen = [], kind = 'plan']) => ({
    name,
    seats,
    minParticipation,
    screen,
    kind,
    scenario: panel(seats, minParticipation, screen, kind),
  }),
);

function speaker(id: string): PollSeat {
  return {
    id,
    filledBy: 'speaker',
    ask: {
      purpose: 'discuss',
      model: id,
      system: '',
      transcript: openTranscript('the question'),
      tools: [],
      toolChoice: 'none',
      maxOutputTokens: 100,
    },
  };
}

const seats = ['test/a', 'test/b'];
const pollWords = 'so it is';

/** The paths of the calls with an answer. */
function answersIn({log}: Played): string[] {
  return settlementsOf(log, 'callModel')
    .filter(({outcome}) => valueIn(outcome, 'text') === pollWords)
    .map(({path}) => path);
}

/** `enough`: the number of answers that suffices; undefined: all. */
function pollOf(name: string, enough: number | undefined): LawfulScenario {
  return {
    name,
    scenario: {
      machine: pollMachine,
      input: {
        subject: 'the question',
        seats: seats.map(speaker),
        deadlineMs: 1_000,
        ...(enough === undefined ? {} : {enough}),
      },
      outcomes: answering({
        discuss: [saying(pollWords), saying(''), failing('auth')],
        awaitResume: (before) => (before === 0 ? [{resumed: true}, crash] : [crash]),
      }),
    },
    law: {
      'every seat has the answer of its model, or a reason': (played) => {
        const output = outputOf(played);
        const said = answersIn(played).join();
        return seats.flatMap((seat) => {
          const answer = valueIn(output, seat);
          const isKept = said.includes(encodeURIComponent(seat))
            ? valueIn(answer, 'text') === pollWords
            : typeof valueIn(answer, 'because') === 'string';
          return unless(output === undefined || isKept, `${seat}: ${JSON.stringify(answer)}`);
        });
      },
      'it does not wait for a resume once there are enough answers': (played) => {
        const isWaiting = played.open().includes('subject/resume');
        const isContent = enough !== undefined && answersIn(played).length >= enough;
        return unless(!isWaiting || !isContent, 'it waits');
      },
    },
  };
}

export const polls: readonly LawfulScenario[] = [
  pollOf('that waits for all', undefined),
  pollOf('that continues with one answer', 1),
  pollOf('that continues without any', 0),
];

export const panels = panelScenarios.map(({name, scenario, ...seating}): LawfulScenario => ({
  name,
  scenario,
  law: panelLaws(seating),
}));
