/** A lane to explore: three contenders that enter, leave, give up and vanish in every order. */

import {type AnyActorRef, assign, enqueueActions, log, setup} from 'xstate';

import {laneId} from '../../../machines/tree/lane.ts';
import {laneFaults} from '../laws-schedule.ts';
import type {Expedition} from '../survey.ts';

const names = ['a', 'b', 'c'] as const;

type Approach = {readonly type: 'enter' | 'leave' | 'vanish'; readonly name: string};

const contenderTypes: {
  context?: {readonly name: string};
  input?: {readonly name: string};
} = {};

/** Who gives up may come again. Vanishing is what an actor does that is stopped: it tells the lane nothing. */
const contenderMachine = setup({
  types: contenderTypes,
  actions: {
    tell: enqueueActions(({context, system, enqueue}, type: string) => {
      const lane: AnyActorRef = system.get(laneId);
      enqueue.sendTo(lane, {type, holder: context.name});
    }),
    report: log(({context}, type: string) => ({type, name: context.name})),
  },
}).createMachine({
  id: 'contender',
  context: ({input}) => input ?? {name: ''},
  initial: 'outside',
  states: {
    outside: {on: {enter: 'waiting', vanish: 'gone'}},
    waiting: {
      entry: [
        {type: 'report', params: 'asked'},
        {type: 'tell', params: 'lane.enter'},
      ],
      on: {
        'lane.granted': 'inside',
        leave: {
          target: 'outside',
          actions: [
            {type: 'tell', params: 'lane.leave'},
            {type: 'report', params: 'left'},
          ],
        },
        vanish: 'gone',
      },
    },
    inside: {
      entry: {type: 'report', params: 'admitted'},
      on: {leave: {target: 'gone', actions: {type: 'tell', params: 'lane.leave'}}},
    },
    gone: {type: 'final', entry: {type: 'report', params: 'left'}},
  },
});

const crowdTypes: {context?: {readonly left: number}; events?: Approach} = {};

const crowdMachine = setup({
  types: crowdTypes,
  actors: {contender: contenderMachine},
  actions: {
    pass: enqueueActions(({event, system, enqueue}) => {
      const contender: AnyActorRef | undefined =
        'name' in event ? system.get(event.name) : undefined;
      if (contender) enqueue.sendTo(contender, event);
    }),
    count: assign(({context}) => ({left: context.left - 1})),
  },
  guards: {isEmpty: ({context}) => context.left === 0},
}).createMachine({
  id: 'crowd',
  context: {left: names.length},
  initial: 'there',
  states: {
    there: {
      invoke: names.map((name) => ({
        src: 'contender' as const,
        id: name,
        systemId: name,
        input: {name},
        onDone: {actions: 'count' as const},
      })),
      always: {guard: 'isEmpty', target: 'gone'},
      on: {enter: {actions: 'pass'}, leave: {actions: 'pass'}, vanish: {actions: 'pass'}},
    },
    gone: {type: 'final'},
  },
});

const approaches = (['enter', 'leave', 'vanish'] as const).flatMap((type) =>
  names.map((name): Approach => ({type, name})),
);

export const lanes: readonly Expedition[] = [
  {
    name: 'before which three contend',
    scenario: {machine: crowdMachine, input: undefined, outcomes: () => [], messages: approaches},
    law: laneFaults,
  },
];
