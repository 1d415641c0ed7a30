/** Panels with a bug in the poll or below it. */

import {modelCallMachine} from '../../../machines/model-call.ts';
import {pollMachine} from '../../../machines/panel/poll.ts';
import {quorumMachine} from '../../../machines/panel/quorum.ts';
import {questionMachine} from '../../../machines/questions/question.ts';
import {withBug} from '../../support/buggy.ts';
import {listIn, valueIn} from '../laws-record.ts';
import {saying, voting} from './outcomes.ts';
import {type Crash, quietly} from './quietly.ts';
import {panelScenarios as panels} from './quorum.ts';

/** A panel whose poll asks with this chart. */
function panelWith(question: typeof questionMachine) {
  const poll = pollMachine.provide({actors: {question}});
  return {machine: quorumMachine.provide({actors: {poll}})};
}

/** The model of a question. */
function askedModel(holder: unknown): unknown {
  return valueIn(holder, 'model') ?? valueIn(holder, 'input', 'model');
}

/** True for a model call that repairs an answer. */
function isRepair(holder: unknown): boolean {
  const request = valueIn(holder, 'request') ?? holder;
  return listIn(request, 'transcript', 'messages').length > 1;
}

const nobodyVotes = {verdict: 'noQuorum', approved: false, degraded: true};

export const panelCrashes: readonly Crash[] = [
  {
    name: 'the poll of a panel',
    at: ['xstate.init', 'xstate.done.actor.seat:test%2Fplain-b'],
    transition: 'quorum.polling xstate.error.actor.poll → counted',
    scenario: ({at}) => ({
      ...quietly(panels, 'two must vote'),
      machine: quorumMachine.provide({
        actors: {poll: withBug(pollMachine, {at})},
      }),
    }),
    output: nobodyVotes,
  },
  {
    name: 'every seat of a panel',
    at: ['xstate.init', 'xstate.done.actor.call'],
    transition: 'poll.polling xstate.error.actor.*',
    scenario: (bug) => ({
      ...quietly(panels, 'three equal'),
      ...panelWith(withBug(questionMachine, bug)),
    }),
    output: nobodyVotes,
  },
  {
    name: 'a seat of a panel that has decided',
    at: ['xstate.done.actor.call'],
    transition: 'poll.polling xstate.error.actor.*',
    scenario: ({at}) => ({
      ...quietly(panels, 'three equal'),
      outcomes: () => [voting('reject')],
      ...panelWith(
        withBug(questionMachine, {at, isIn: (holder) => askedModel(holder) === 'test/plain-c'}),
      ),
    }),
    output: {verdict: 'rejected', approved: false, degraded: true},
  },
  {
    name: 'the model call of a question',
    at: ['xstate.init', 'xstate.done.actor.model'],
    transition: 'question.asking.first xstate.error.actor.call → unanswered',
    scenario: (bug) => ({
      ...quietly(panels, 'three equal'),
      ...panelWith(questionMachine.provide({actors: {modelCall: withBug(modelCallMachine, bug)}})),
    }),
    output: nobodyVotes,
  },
  {
    name: 'the model call that repairs an answer',
    at: ['xstate.init', 'xstate.done.actor.model'],
    transition: 'question.asking.repairing xstate.error.actor.repair → unanswered',
    scenario: ({at}) => ({
      ...quietly(panels, 'three equal'),
      outcomes: () => [saying('I approve.')],
      ...panelWith(
        questionMachine.provide({
          actors: {modelCall: withBug(modelCallMachine, {at, isIn: isRepair})},
        }),
      ),
    }),
    output: nobodyVotes,
  },
];
