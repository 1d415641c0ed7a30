/**
 * The discuss form: several participants answer a question, review each other's answers, and a chair concludes.
 *
 * gathering → answering → peerReviewing → synthesizing → checkingClaims → concluded
 *
 * With a single answer, or equal ones, there is nothing to review: answering → synthesizing. If a chair fails, the next
 * candidate is asked: synthesizing → chairReplied → synthesizing; unserved if no chair can be called. Strategy `debate`:
 * gathering → debating → synthesizing, with awaitingHuman between them if critical or major objections are open.
 *
 * Other ends: failed (no answer), rejected (at the gate), cancelled, errored.
 */

import {assign, type ErrorActorEvent, setup} from 'xstate';

import {onCrash, otherwise, when} from '../../actor-end.ts';
import {type Failure, outageIn} from '../../domain/failure.ts';
import type {FormOutput} from '../../domain/result.ts';
import type {SettingsChange} from '../../domain/settings.ts';
import type {ToolOutcome} from '../../domain/tool.ts';
import type {Fact} from '../../facts/fact.ts';
import {report} from '../../facts/record.ts';
import {humanGateMachine, type HumanGateOutput} from '../../human-gate.ts';
import {asChart} from '../../machine-type.ts';
import {pollMachine, type PollOutput, type SeatAnswered} from '../../panel/poll.ts';
import {awaitResume, runTool, surveyWorkspace} from '../../ports.ts';
import type {Survey} from '../../prompts/sections.ts';
import type {FormEvent} from '../../tree/form-event.ts';
import {messagesReadFact, messagesFor} from '../../tree/messages.ts';
import {claimCheckMachine, type ClaimCheckOutput} from '../claim-check.ts';
import {debateMachine, type DebateOutput} from '../debate/debate.ts';
import {gatePhase, phase, reportPhase} from '../phases.ts';
import {
  answersPoll,
  chairPoll,
  chairsOf,
  claimsOf,
  debateInput,
  debateQuestion,
  lostToOutage,
  readersIn,
  reviewsBy,
  reviewsPoll,
  voicesIn,
  withAnswers,
  withChair,
  withChecked,
  withReviews,
} from './discuss-requests.ts';
import {
  type DiscussInput,
  type DiscussState,
  openDiscussion,
  passagesIn,
  searchRequest,
  withChange,
} from './discuss-state.ts';
import {ending} from './outcome.ts';

type DiscussEvent = FormEvent | SeatAnswered | ErrorActorEvent;

const machine = setup({
  types: {} as {
    context: DiscussState;
    input: DiscussInput;
    output: FormOutput;
    events: DiscussEvent;
    tags: 'choice' | 'phase' | 'waitsForPerson' | 'failure';
  },
  actors: {
    awaitResume,
    claimCheck: claimCheckMachine,
    debate: debateMachine,
    humanGate: humanGateMachine,
    poll: pollMachine,
    runTool,
    surveyWorkspace,
  },
  actions: {
    reportPhase,
    takeMessages: assign(({self}) => ({pendingMessages: messagesFor(self, 0).items})),
    reportRead: report(({context}) => messagesReadFact(context.pendingMessages)),
    takeSurvey: assign((_, {text, read}: Survey) => ({survey: {text, read}})),
    takePassages: assign((_, outcome: ToolOutcome) => ({passages: passagesIn(outcome)})),
    takeAnswer: assign(({context}, {seat, answer}: SeatAnswered) =>
      withAnswers(context, {...context.replies, [seat]: answer}),
    ),
    takeAnswers: assign(({context}, replies: PollOutput) => withAnswers(context, replies)),
    takeReviews: assign(({context}, replies: PollOutput) => withReviews(context, replies)),
    seatChairs: assign(({context}) => ({chairs: chairsOf(context), lost: []})),
    takeConclusion: assign(({context}, replies: PollOutput) => withChair(context, replies)),
    takeChecked: assign(({context}, checked: ClaimCheckOutput) => withChecked(context, checked)),
    takeDebate: assign((_, debate: DebateOutput) => ({debate})),
    takeWord: assign((_, word: HumanGateOutput) => ({word})),
    takeFailure: assign((_, failure: Failure) => ({failure})),
    takeSettings: assign(({context}, change: SettingsChange) => withChange(context, change)),
    reportAnswer: report((_, reply: SeatAnswered) => answerReport(reply)),
    reportReview: report(({context}, reply: SeatAnswered) => reviewReport(context, reply)),
    warnOfChair: report(({context}) => chairReport(context)),
  },
  guards: {
    isDebate: ({context}) => context.work.settings.discuss.strategy === 'debate',
    isSettled: (_, {outcome}: DebateOutput) => outcome === 'settled',
    isEscalated: (_, {outcome}: DebateOutput) => outcome === 'escalated',
    isAccepted: (_, {decision}: HumanGateOutput) => decision.decision === 'approve',
    isSilence: ({context}) => context.answers.length === 0,
    isOneVoice: ({context}) => voicesIn(context).length === 1,
    isConcluded: ({context}) => context.conclusion !== undefined,
    hasChairLeft: ({context}) => context.chairs.length > 0,
    isLostByOutage: ({context}) => 'outage' in lostToOutage(context),
  },
}).createMachine({
  id: 'discuss',
  context: ({input}) => openDiscussion(input),
  initial: 'gathering',
  on: {
    'settings.changed': {
      actions: {type: 'takeSettings', params: ({event}) => event.settings ?? {}},
    },
    'user.cancel': '.cancelled',
    'xstate.error.actor.*': onCrash('.errored', 'takeFailure'),
  },
  states: {
    gathering: {
      ...phase('gathering'),
      initial: 'surveying',
      states: {
        surveying: {
          invoke: {
            src: 'surveyWorkspace',
            id: 'survey',
            input: ({
              context: {
                work: {workspace, settings},
              },
            }) => ({
              workspace,
              maxBytes: settings.context.maxEntryBytes,
            }),
            onDone: otherwise('searching', 'takeSurvey'),
          },
        },
        searching: {
          invoke: {
            src: 'runTool',
            id: 'search',
            input: ({context}) => searchRequest(context),
            onDone: otherwise('#discuss.gathered', 'takePassages'),
          },
        },
      },
    },
    gathered: {
      tags: 'choice',
      always: [{guard: 'isDebate', target: 'debating'}, {target: 'answering'}],
    },
    debating: {
      ...phase('debating', 'takeMessages', 'reportRead'),
      invoke: {
        src: 'debate',
        id: 'debate',
        input: ({context}) => debateInput(context),
        onDone: [
          when('isSettled', 'reviewed', 'takeDebate'),
          when('isEscalated', 'awaitingHuman', 'takeDebate'),
          otherwise('failed', 'takeDebate'),
        ],
      },
    },
    awaitingHuman: {
      ...gatePhase('awaitingHuman'),
      invoke: {
        src: 'humanGate',
        id: 'gate',
        input: ({context}) => ({question: debateQuestion(context)}),
        onDone: [when('isAccepted', 'reviewed', 'takeWord'), otherwise('rejected', 'takeWord')],
      },
    },
    answering: {
      ...phase('answering', 'takeMessages', 'reportRead'),
      invoke: {
        src: 'poll',
        id: 'answers',
        input: ({context}) => answersPoll(context),
        onDone: otherwise('answered', 'takeAnswers'),
      },
      on: {
        'seat.settled': {
          actions: [
            {type: 'takeAnswer', params: ({event}) => event},
            {type: 'reportAnswer', params: ({event}) => event},
          ],
        },
      },
    },
    answered: {
      tags: 'choice',
      always: [
        {guard: 'isSilence', target: 'failed'},
        {guard: 'isOneVoice', target: 'reviewed'},
        {target: 'peerReviewing'},
      ],
    },
    peerReviewing: {
      ...phase('peerReviewing', 'takeMessages', 'reportRead'),
      invoke: {
        src: 'poll',
        id: 'reviews',
        input: ({context}) => reviewsPoll(context),
        onDone: otherwise('reviewed', 'takeReviews'),
      },
      on: {'seat.settled': {actions: {type: 'reportReview', params: ({event}) => event}}},
    },
    reviewed: {
      tags: 'choice',
      always: {target: 'synthesizing', actions: 'seatChairs'},
    },
    synthesizing: {
      ...phase('synthesizing', 'takeMessages', 'reportRead'),
      invoke: {
        src: 'poll',
        id: 'chair',
        input: ({context}) => chairPoll(context),
        onDone: otherwise('chairReplied', 'takeConclusion'),
      },
    },
    chairReplied: {
      tags: 'choice',
      always: [
        {guard: 'isConcluded', target: 'checkingClaims'},
        {guard: 'hasChairLeft', target: 'synthesizing', actions: 'warnOfChair'},
        {guard: 'isLostByOutage', target: 'unserved'},
        {target: 'concluded'},
      ],
    },
    checkingClaims: {
      invoke: {
        src: 'claimCheck',
        id: 'claims',
        input: ({context}) => claimsOf(context),
        onDone: otherwise('concluded', 'takeChecked'),
      },
    },
    unserved: {
      invoke: {
        src: 'awaitResume',
        id: 'resume',
        input: ({context}) => outageIn(lostToOutage(context)),
        onDone: 'reviewed',
      },
    },
    concluded: {type: 'final', output: ending('completed')},
    failed: {type: 'final', tags: 'failure', output: ending('failed')},
    rejected: {type: 'final', tags: 'failure', output: ending('rejected')},
    cancelled: {type: 'final', tags: 'failure', output: ending('cancelled')},
    errored: {type: 'final', tags: 'failure', output: ending('error')},
  },
  output: ({event}) => event.output as FormOutput,
});

export const discussMachine = asChart<DiscussState, FormEvent, DiscussInput, FormOutput>(machine);

// Facts that a discussion reports while it is active.

function answerReport({seat: participant, answer}: SeatAnswered): Fact | undefined {
  const type = 'discuss.answered';
  if (answer.kind === 'said') return {type, participant, answer: answer.text};
  return answer.kind === 'unanswered' ? {type, participant, because: answer.because} : undefined;
}

function reviewReport(
  state: DiscussState,
  {seat: participant, answer}: SeatAnswered,
): Fact | undefined {
  const type = 'discuss.reviewed';
  if (answer.kind === 'unanswered') return {type, participant, because: answer.because};
  const shown = readersIn(state).find(({reader}) => reader.id === participant)?.shown ?? [];
  const reviews = reviewsBy(participant, shown, answer)
    .toSorted((a, b) => a.place - b.place)
    .map(({of, score, assessment}) => ({of, score, assessment}));
  return {type, participant, reviews};
}

/** Reports that the chair passes to the next candidate. */
function chairReport({lost, chairs}: DiscussState): Fact {
  const {who = '', because = ''} = lost.at(-1) ?? {};
  return {
    type: 'warning',
    message: `${who} drew no conclusion (${because}); ${chairs[0]?.id ?? ''} takes the chair`,
  };
}
