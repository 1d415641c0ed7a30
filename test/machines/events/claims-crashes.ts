/** Evaluations, checks of claims and closings whose children have a bug. */

import {agentMachine} from '../../../machines/forms/agent/agent.ts';
import {closingMachine} from '../../../machines/forms/agent/closing/closing.ts';
import {evaluationMachine} from '../../../machines/forms/agent/evaluation/evaluation.ts';
import {askMachine} from '../../../machines/forms/ask/ask.ts';
import {claimCheckMachine} from '../../../machines/forms/claim-check.ts';
import {modelCallMachine} from '../../../machines/model-call.ts';
import {questionMachine} from '../../../machines/questions/question.ts';
import {withBug} from '../../support/buggy.ts';
import {executingAgents} from './agent.ts';
import {answering} from './answers.ts';
import {asks} from './ask.ts';
import {claimChecks} from './claim-check.ts';
import {closings} from './closing.ts';
import {evaluations} from './evaluation.ts';
import {ruling, saying} from './outcomes.ts';
import {type Crash, quietly} from './quietly.ts';

export const claimsCrashes: readonly Crash[] = [
  {
    name: 'the question of an evaluation',
    at: ['xstate.init', 'xstate.done.actor.call'],
    transition: 'evaluation.judging xstate.error.actor.question → failed',
    scenario: (bug) => ({
      ...quietly(evaluations),
      machine: evaluationMachine.provide({actors: {question: withBug(questionMachine, bug)}}),
    }),
    output: {kind: 'failed', failure: {code: 'internal'}},
  },
  {
    name: 'the model of a check of claims',
    at: ['xstate.init', 'xstate.done.actor.model'],
    transition: 'claim-check.correcting xstate.error.actor.call → cut',
    scenario: (bug) => ({
      ...quietly(claimChecks),
      outcomes: answering({ask: [saying('so it is')], 'review-result': [ruling('reject')]}),
      machine: claimCheckMachine.provide({actors: {modelCall: withBug(modelCallMachine, bug)}}),
    }),
    output: {isCut: true},
  },
  {
    name: 'the check of claims of a question',
    at: ['xstate.init'],
    transition: 'ask.checkingClaims xstate.error.actor.claims → errored',
    scenario: (bug) => ({
      ...quietly(asks),
      machine: askMachine.provide({actors: {claimCheck: withBug(claimCheckMachine, bug)}}),
    }),
    output: {status: 'error', error: {code: 'internal'}},
  },
  {
    name: 'the model of a closing',
    at: ['xstate.init', 'xstate.done.actor.model'],
    transition: 'closing.writing xstate.error.actor.call → unwritten',
    scenario: (bug) => ({
      ...quietly(closings),
      machine: closingMachine.provide({actors: {modelCall: withBug(modelCallMachine, bug)}}),
    }),
    output: {answer: ''},
  },
  {
    name: 'the closing of an agent',
    at: ['xstate.init', 'xstate.done.actor.call'],
    transition: 'agent xstate.error.actor.* → errored',
    scenario: (bug) => ({
      ...quietly(executingAgents, 'whose result is voted on once'),
      machine: agentMachine.provide({actors: {closing: withBug(closingMachine, bug)}}),
    }),
    output: {status: 'error', error: {code: 'internal'}},
  },
];
