/**
 * The lane through which high-risk calls pass one at a time.
 *
 * free → held → free
 *
 * A holder is the `systemId` of the actor that waits for `lane.granted`.
 */

import {type AnyActorRef, assign, enqueueActions, setup} from 'xstate';

export interface LaneContext {
  readonly holder: string;
  readonly queue: readonly string[];
}

export type LaneEvent =
  | {readonly type: 'lane.enter'; readonly holder: string}
  | {readonly type: 'lane.leave'; readonly holder: string};

/** The `systemId` of the lane of a run. */
export const laneId = 'lane';

/** The lane of a run. */
export function laneOf(system: AnyActorRef['system']): AnyActorRef {
  return system.get(laneId);
}

export const laneMachine = setup({
  types: {} as {context: LaneContext; events: LaneEvent},
  actions: {
    admit: assign(({event}) => ({holder: event.holder})),
    line: assign(({context, event}) => ({queue: [...context.queue, event.holder]})),
    unline: assign(({context, event}) => ({
      queue: context.queue.filter((holder) => holder !== event.holder),
    })),
    admitNext: assign(({context}) => ({
      holder: context.queue[0] ?? '',
      queue: context.queue.slice(1),
    })),
    grant: enqueueActions(({system, context, enqueue}) => {
      const holder: AnyActorRef | undefined = system.get(context.holder);
      if (holder) enqueue.sendTo(holder, {type: 'lane.granted'});
      else enqueue.raise({type: 'lane.leave', holder: context.holder});
    }),
  },
  guards: {
    isHolder: ({context, event}) => context.holder === event.holder,
    isHolderWithQueue: ({context, event}) =>
      context.holder === event.holder && context.queue.length > 0,
  },
}).createMachine({
  id: 'lane',
  context: {holder: '', queue: []},
  initial: 'free',
  states: {
    free: {on: {'lane.enter': {target: 'held', actions: ['admit', 'grant']}}},
    held: {
      on: {
        'lane.enter': {actions: 'line'},
        'lane.leave': [
          {guard: 'isHolderWithQueue', actions: ['admitNext', 'grant']},
          {guard: 'isHolder', target: 'free'},
          {actions: 'unline'},
        ],
      },
    },
  },
});
