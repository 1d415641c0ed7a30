/** Machines as users of XState write them, with all features of charts. */

import {assign, createMachine, fromPromise, raise} from 'xstate';

const orderTypes: {context: {readonly items: number}} = {context: {items: 0}};

export const order = createMachine({
  types: orderTypes,
  id: 'order',
  initial: 'shopping',
  context: {items: 0},
  description: 'From the first item to the receipt.',
  on: {'help.asked': '.helping', 'order.reset': {target: '#order', reenter: true}},
  states: {
    shopping: {
      type: 'parallel',
      meta: {page: 'shop'},
      states: {
        cart: {
          initial: 'empty',
          states: {
            empty: {on: {'item.added': 'filled'}},
            filled: {
              on: {
                'item.added': {target: 'filled', reenter: true, actions: assign({items: 1})},
                'item.removed': [
                  {guard: ({context}) => context.items < 2, target: 'empty'},
                  {actions: () => {}},
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
      onDone: 'paying',
      on: {'order.placed': 'paying'},
    },
    helping: {on: {'help.closed': '#order.shopping.cart.before', 'help.left': 'back'}},
    back: {type: 'history'},
    paying: {
      initial: {target: 'charging', actions: raise({type: 'payment.begun'})},
      states: {
        charging: {
          tags: ['slow', 'money'],
          invoke: [
            {
              src: 'charge',
              onDone: [{guard: 'isPaid', target: '#paid'}, 'waiting'],
              onError: 'waiting',
            },
            {id: 'audit', src: fromPromise(async () => 2)},
          ],
          after: {5000: 'waiting', grace: {target: '#order.failed', guard: () => true}},
        },
        waiting: {
          after: {1000: 'charging'},
          on: {'order.retried': '#order.paying', 'order.left': '#order'},
        },
      },
      on: {'*': {actions: 'log'}, 'order.retried': {target: 'paying', reenter: true}},
    },
    paid: {id: 'paid', type: 'final'},
    failed: {type: 'final'},
  },
});

export const single = createMachine({id: 'single', on: {'lamp.switched': {actions: 'switch'}}});

export const still = createMachine({id: 'still', initial: 'a', states: {a: {}, b: {}}});

/** A machine with Japanese names. */
export const japanese = createMachine({
  id: '注文の処理',
  initial: '買い物中',
  states: {
    買い物中: {
      on: {商品を追加する: '買い物中', 支払いに進む: {target: '支払い中', guard: '在庫がある'}},
    },
    支払い中: {
      tags: ['waitsForPerson'],
      invoke: {src: '決済サービス', onDone: '完了', onError: '失敗しました'},
    },
    完了: {type: 'final'},
    失敗しました: {type: 'final'},
  },
});

const attack = `</style><script>alert(1)</script>\u0000\u202e"'&.#\\`;
const long = 'x'.repeat(400);

/** Each name is markup, or far too long. */
export const hostile = createMachine({
  id: attack,
  initial: attack,
  description: attack,
  states: {
    [attack]: {
      tags: [attack],
      entry: [attack],
      invoke: {src: attack, id: attack},
      on: {[attack]: {target: '#far', guard: attack}},
    },
    [long]: {id: 'far', on: {['word '.repeat(100)]: 'end'}},
    end: {type: 'final'},
  },
});

/** A machine of many states: each leads to two others. */
export function large(count: number) {
  const names = Array.from({length: count}, (_, index) => `state${index}`);
  const next = (index: number) => names[index % count] ?? '';
  const states = names.map((name, index) => [
    name,
    {on: {next: next(index * 7 + 1), jump: next(index * 13 + 5)}},
  ]);
  return createMachine({id: 'large', initial: 'state0', states: Object.fromEntries(states)});
}

export const userMachines = [order, single, still, japanese, hostile];
