/**
 * The review form: the panel votes on each part of a diff, and the votes are combined in one report.
 *
 * reviewing → weighed → approved / rejected / undecided
 *
 * Other end: cancelled. An empty diff is approved without a vote. A part whose vote crashed, which is a bug, is undecided.
 */

import {
  assign,
  type DoneActorEvent,
  enqueueActions,
  type ErrorActorEvent,
  setup,
  stopChild,
} from 'xstate';

import {crashIn, outputIn} from '../../actor-end.ts';
import type {Failure} from '../../domain/failure.ts';
import type {FormOutput} from '../../domain/result.ts';
import type {ReviewRound} from '../../domain/review.ts';
import {changeSettings, type SettingsChange} from '../../domain/settings.ts';
import {asChart} from '../../machine-type.ts';
import {quorumMachine} from '../../panel/quorum.ts';
import type {FormEvent} from '../../tree/form-event.ts';
import {
  ending,
  isComplete,
  nextParts,
  openReview,
  quorumInput,
  type ReviewInput,
  type ReviewState,
  verdictOf,
} from './review-state.ts';

type PartId = `part:${number}`;

type ReviewEvent =
  | FormEvent
  | DoneActorEvent<ReviewRound, PartId>
  | ErrorActorEvent<unknown, PartId>;

const machine = setup({
  types: {} as {
    context: ReviewState;
    input: ReviewInput;
    output: FormOutput;
    events: ReviewEvent;
  },
  actors: {quorum: quorumMachine},
  actions: {
    startParts: enqueueActions(({context, enqueue}) => {
      const parts = nextParts(context);
      for (const part of parts) {
        const input = quorumInput(context, part);
        enqueue.spawnChild('quorum', {id: `part:${context.parts.indexOf(part) + 1}`, input});
      }
      enqueue.assign({begun: context.begun + parts.length});
    }),
    takeRound: assign(({context: {rounds}}, round: ReviewRound) => ({rounds: [...rounds, round]})),
    dismiss: stopChild((_, actorId: string) => actorId),
    takeLoss: assign(({context: {lost}}, failure: Failure) => ({lost: lost + 1, failure})),
    takeSettings: assign(({context: {settings}}, change: SettingsChange) => ({
      settings: changeSettings(settings, change),
    })),
  },
  guards: {
    isComplete: ({context}) => isComplete(context),
    isApproved: ({context}) => verdictOf(context) === 'approved',
    isRejected: ({context}) => verdictOf(context) === 'rejected',
  },
}).createMachine({
  id: 'review',
  context: ({input}) => openReview(input),
  initial: 'reviewing',
  on: {
    'settings.changed': {
      actions: {type: 'takeSettings', params: ({event}) => event.settings ?? {}},
    },
    'user.cancel': '.cancelled',
  },
  states: {
    reviewing: {
      entry: 'startParts',
      always: {guard: 'isComplete', target: 'weighed'},
      on: {
        'xstate.done.actor.*': {
          actions: [
            {type: 'takeRound', params: outputIn},
            {type: 'dismiss', params: ({event}) => event.actorId},
            'startParts',
          ],
        },
        'xstate.error.actor.*': {
          actions: [
            {type: 'takeLoss', params: crashIn},
            {type: 'dismiss', params: ({event}) => event.actorId},
            'startParts',
          ],
        },
      },
    },
    weighed: {
      tags: 'choice',
      always: [
        {guard: 'isApproved', target: 'approved'},
        {guard: 'isRejected', target: 'rejected'},
        {target: 'undecided'},
      ],
    },
    approved: {type: 'final', output: ending('completed')},
    rejected: {type: 'final', tags: 'failure', output: ending('rejected')},
    undecided: {type: 'final', output: ending('failed')},
    cancelled: {type: 'final', tags: 'failure', output: ending('cancelled')},
  },
  output: ({event}) => event.output as FormOutput,
});

export const reviewMachine = asChart<ReviewState, FormEvent, ReviewInput, FormOutput>(machine);
