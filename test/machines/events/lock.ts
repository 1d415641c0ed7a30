/** Locks to explore: three contenders that come, leave, give up and crash in every order. */

import {type AnyActorRef, assign, enqueueActions, setup} from 'xstate';

import {report} from '../../../machines/facts/report.ts';
import {hold} from '../../../machines/tree/lock.ts';
import {crash} from '../../support/hand-performer.ts';
import type {LawfulScenario} from '../explored.ts';
import {lockFaults} from '../laws-schedule.ts';

const names = ['a', 'b', 'c'] as const;

type Approach = {readonly type: 'enter' | 'leave' | 'crash'; readonly name: string};

const contenderTypes: {
  context?: {readonly name: string};
  input?: {readonly name: string};
  events?: Approach | {readonly type: 'lock.granted'};
} = {};

/** A contender that gives up may come again. One that crashes has a bug, and sends nothing to the lock. */
const contenderMachine = setup({
  types: contenderTypes,
  actors: {hold},
  actions: {
    note: report(({context}, text: string) => ({type: 'thought', text, task: context.name})),
    crash: () => {
      throw new Error('a bug in a chart');
    },
  },
}).createMachine({
  id: 'contender',
  context: ({input}) => input ?? {name: ''},
  initial: 'outside',
  states: {
    outside: {on: {enter: 'contending', crash: 'gone'}},
    contending: {
      invoke: {src: 'hold', id: 'lock'},
      initial: 'waiting',
      states: {
        waiting: {
          entry: {type: 'note', params: 'asked'},
          on: {
            'lock.granted': 'inside',
            leave: {target: '#contender.outside', actions: {type: 'note', params: 'left'}},
          },
        },
        inside: {
          entry: {type: 'note', params: 'admitted'},
          on: {leave: {target: '#contender.gone', actions: {type: 'note', params: 'left'}}},
        },
      },
      on: {crash: {actions: [{type: 'note', params: 'left'}, 'crash']}},
    },
    gone: {type: 'final'},
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
        onError: {actions: 'count' as const},
      })),
      always: {guard: 'isEmpty', target: 'gone'},
      on: {enter: {actions: 'pass'}, leave: {actions: 'pass'}, crash: {actions: 'pass'}},
    },
    gone: {type: 'final'},
  },
});

const approaches = (['enter', 'leave', 'crash'] as const).flatMap((type) =>
  names.map((name): Approach => ({type, name})),
);

export const locks: readonly LawfulScenario[] = [
  {
    name: 'for which three contend',
    scenario: {machine: crowdMachine, input: undefined, outcomes: () => [], messages: approaches},
    law: lockFaults,
  },
  {
    name: 'that others may hold, or that can not be had',
    scenario: {
      machine: crowdMachine,
      input: undefined,
      outcomes: ({port}) =>
        port === 'lockWorkspace'
          ? [{locked: true}, {locked: false, why: 'there is no room'}, crash]
          : [{locked: false}, crash],
      messages: approaches
        .filter(({name, type}) => name !== 'c' && type !== 'crash')
        .concat({type: 'crash', name: 'c'}),
    },
    law: lockFaults,
  },
];
