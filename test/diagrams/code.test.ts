import {expect, test} from 'vitest';
import {
  and,
  assign,
  cancel,
  createMachine,
  emit,
  enqueueActions,
  fromPromise,
  log,
  not,
  or,
  raise,
  sendParent,
  sendTo,
  spawnChild,
  stopChild,
} from 'xstate';

import {toCode} from '../../diagrams/code/code.ts';
import {configOf} from '../../diagrams/code/config.ts';
import {order} from './user-machines.ts';

test('a machine is written as code with names only', () => {
  expect(toCode(order)).toBe(`import {createMachine} from 'xstate';

export const machine = createMachine({
  id: 'order',
  context: {items: 0},
  description: 'From the first item to the receipt.',
  initial: 'shopping',
  on: {'help.asked': '.helping', 'order.reset': {target: '#order', reenter: true}},
  states: {
    shopping: {
      type: 'parallel',
      meta: {page: 'shop'},
      on: {'order.placed': 'paying'},
      onDone: 'paying',
      states: {
        cart: {
          initial: 'empty',
          states: {
            empty: {on: {'item.added': 'filled'}},
            filled: {
              on: {
                'item.added': {target: 'filled', actions: 'assign items', reenter: true},
                'item.removed': [
                  {target: 'empty', guard: 'inline guard 1 of shopping.cart.filled'},
                  {actions: 'inline action 1 of shopping.cart.filled'},
                ],
              },
            },
            before: {type: 'history', history: 'deep', target: 'filled'},
          },
        },
        address: {
          initial: 'unknown',
          states: {
            unknown: {on: {'address.given': {target: 'known', description: 'By hand.'}}},
            known: {type: 'final'},
          },
        },
      },
    },
    helping: {on: {'help.closed': '#order.shopping.cart.before', 'help.left': 'back'}},
    back: {type: 'history'},
    paying: {
      initial: {target: 'charging', actions: 'raise payment.begun'},
      on: {'*': {actions: 'log'}, 'order.retried': {target: 'paying', reenter: true}},
      states: {
        charging: {
          tags: ['slow', 'money'],
          invoke: [
            {
              src: 'charge',
              onDone: [{target: '#order.paid', guard: 'isPaid'}, 'waiting'],
              onError: 'waiting',
            },
            {src: 'inline actor 1 of paying.charging', id: 'audit'},
          ],
          after: {
            5000: 'waiting',
            grace: {target: '#order.failed', guard: 'inline guard 1 of paying.charging'},
          },
        },
        waiting: {
          on: {'order.retried': '#order.paying', 'order.left': '#order'},
          after: {1000: 'charging'},
        },
      },
    },
    paid: {id: 'paid', type: 'final'},
    failed: {type: 'final'},
  },
});
`);
});

function remember(): void {}

function isOpen(): boolean {
  return true;
}

test('an inline implementation is named by its function', () => {
  const machine = createMachine({
    id: 'inline',
    initial: 'first',
    states: {
      first: {
        entry: [
          assign({count: 1, name: 'a'}),
          assign(() => ({})),
          raise({type: 'x'}),
          sendTo('child', {type: 'y'}),
          sendParent({type: 'z'}),
          sendTo(({self}) => self, {type: 'w'}),
          emit({type: 'reported'}),
          log('said', 'label'),
          cancel('timer'),
          stopChild('child'),
          spawnChild('worker'),
          enqueueActions(() => {}),
          remember,
          () => {},
          {type: 'named', params: {size: 3}},
          {type: 'counted', params: () => ({size: 3})},
        ],
        invoke: {id: 'job', src: fromPromise(async () => 1)},
        on: {
          go: [
            {guard: and(['isReady', not(() => true)]), target: 'first'},
            {guard: or([isOpen, and(['a', 'b'])]), target: 'first'},
            {guard: ({context}) => context !== undefined, actions: () => {}},
          ],
        },
      },
    },
  });
  expect(configOf(machine)).toEqual({
    id: 'inline',
    initial: 'first',
    states: {
      first: {
        entry: [
          'assign count, name',
          'inline assign 1 of first',
          'raise x',
          'send y to child',
          'send z to the parent',
          'send w',
          'emit reported',
          'log label',
          'cancel timer',
          'stop child',
          'spawn worker',
          'inline enqueueActions 1 of first',
          'remember',
          'inline action 1 of first',
          {type: 'named', params: {size: 3}},
          'counted',
        ],
        invoke: {src: 'inline actor 1 of first', id: 'job'},
        on: {
          go: [
            {target: 'first', guard: 'isReady and not inline guard 1 of first'},
            {target: 'first', guard: 'isOpen or (a and b)'},
            {guard: 'inline guard 2 of first', actions: 'inline action 2 of first'},
          ],
        },
      },
    },
  });
});

test('data is kept, other values are omitted', () => {
  const loop: Record<string, unknown> = {};
  loop['self'] = loop;
  const machine = createMachine({
    id: 'data',
    context: {size: 3, names: ['a']},
    meta: {loop},
    initial: 'a',
    states: {a: {meta: {page: 'a', ratio: 0.5}, description: 'it\'s a \\ "b"\n'}},
  });
  expect(configOf(machine)).toMatchObject({context: {size: 3, names: ['a']}});
  expect(configOf(machine)).not.toHaveProperty('meta');
  expect(toCode(machine)).toContain(
    String.raw`{a: {description: 'it\'s a \\ "b"\n', meta: {page: 'a', ratio: 0.5}}}`,
  );
});
