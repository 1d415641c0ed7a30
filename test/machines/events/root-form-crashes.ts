/** Forms that only a root runs, with a bug in an actor that they invoke. */

import {commandMachine} from '../../../machines/forms/command/command.ts';
import {reviewMachine} from '../../../machines/forms/review/review.ts';
import {toolCallMachine} from '../../../machines/loop/tool-call.ts';
import {quorumMachine} from '../../../machines/panel/quorum.ts';
import {withBug} from '../../support/buggy.ts';
import {commands} from './command.ts';
import {type Crash, quietly} from './quietly.ts';
import {reviews} from './review.ts';

const internal = {message: 'a bug in a chart'};

export const rootFormCrashes: readonly Crash[] = [
  {
    name: 'the call of a command',
    at: ['xstate.init', 'xstate.done.actor.review'],
    transition: 'command.running xstate.error.actor.call → failed',
    scenario: (bug) => ({
      ...quietly(commands),
      machine: commandMachine.provide({actors: {toolCall: withBug(toolCallMachine, bug)}}),
    }),
    output: {status: 'failed', error: internal},
  },
  {
    name: 'the vote on a part of a diff',
    at: ['xstate.init', 'seat.settled'],
    transition: 'review.reviewing xstate.error.actor.*',
    scenario: (bug) => ({
      ...quietly(reviews, 'of two parts'),
      machine: reviewMachine.provide({actors: {quorum: withBug(quorumMachine, bug)}}),
    }),
    output: {status: 'failed', error: internal, review: {approved: false, degraded: true}},
  },
];
