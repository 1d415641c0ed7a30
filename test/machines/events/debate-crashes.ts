/** A debate whose poll has a bug. */

import {debateMachine} from '../../../machines/forms/debate/debate.ts';
import {pollMachine} from '../../../machines/panel/poll.ts';
import {withBug} from '../../support/buggy.ts';
import {debates} from './debate.ts';
import {type Crash, quietly} from './quietly.ts';

export const debateCrashes: readonly Crash[] = [
  {
    name: 'the poll of a debate',
    at: ['xstate.init', 'xstate.done.actor.seat:proponent'],
    transition: 'debate xstate.error.actor.* → failed',
    scenario: (bug) => ({
      ...quietly(debates, 'never stops'),
      machine: debateMachine.provide({actors: {poll: withBug(pollMachine, bug)}}),
    }),
    output: {outcome: 'failed', failure: {message: 'a bug in a chart'}},
  },
];
