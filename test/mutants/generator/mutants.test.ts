/** Each kind of mutant behaves differently from its original chart; an excluded change does not. */

import {expect, test} from 'vitest';
import {
  type AnyEventObject,
  type AnyStateMachine,
  assign,
  cancel,
  createActor,
  createMachine,
  fromCallback,
  raise,
  setup,
  SimulatedClock,
  spawnChild,
  stopChild,
} from 'xstate';

import {mutantKinds} from './mutant.ts';
import {mutantsOf, mutated} from './mutants.ts';

interface Basket {
  readonly items: number;
  readonly log: readonly string[];
}

const types: {context?: Basket; events?: AnyEventObject} = {};

const checkout = setup({
  types,
  actors: {bank: fromCallback(() => {}), ticker: fromCallback(() => {})},
  actions: {
    note: assign(({context}, line: string) => ({log: [...context.log, line]})),
    add: assign(({context: {items}}) => ({items: items + 1})),
    empty: assign(() => ({items: 0})),
    stopTicker: stopChild('ticker'),
  },
  guards: {hasItems: ({context}) => context.items > 0},
}).createMachine({
  id: 'checkout',
  context: {items: 0, log: []},
  initial: 'shopping',
  states: {
    shopping: {
      exit: {type: 'note', params: 'left'},
      on: {
        'item.add': {actions: 'add'},
        'basket.empty': {actions: 'empty'},
        nothing: {},
        pay: [{guard: 'hasItems', target: 'paying'}, {target: 'browsing'}],
        leave: [{guard: 'hasItems', target: 'browsing'}, 'browsing'],
      },
    },
    browsing: {
      entry: [
        {type: 'note', params: 'browsing'},
        spawnChild('ticker', {id: 'ticker'}),
        raise({type: 'late'}, {id: 'late', delay: 500}),
      ],
      exit: cancel('late'),
      initial: 'reading',
      states: {
        reading: {on: {next: 'read'}},
        looking: {},
        read: {type: 'final'},
      },
      onDone: 'shopping',
      on: {back: {target: 'shopping', actions: 'stopTicker'}},
    },
    paying: {
      invoke: {
        src: 'bank',
        id: 'bank',
        onDone: 'paid',
        onError: {target: 'shopping', actions: {type: 'note', params: 'refused'}},
      },
      initial: 'slow',
      states: {slow: {}, fast: {}},
      after: {1000: 'shopping'},
      on: {back: 'shopping'},
    },
    paid: {type: 'final'},
    closed: {type: 'final', entry: {type: 'note', params: 'closed'}},
    gone: {type: 'final'},
  },
  on: {late: '.closed'},
});

/** A string is an event; a number lets as many milliseconds pass. */
type Step = string | number;

const bankDone = 'xstate.done.actor.bank';
const bankFailed = 'xstate.error.actor.bank';

/** The observable state of a machine after some steps. */
function seen(machine: AnyStateMachine, steps: readonly Step[]): object {
  const clock = new SimulatedClock();
  const actor = createActor(machine, {clock}).start();
  for (const step of steps) {
    if (typeof step === 'number') clock.increment(step);
    else actor.send({type: step});
  }
  const {value, context, status, children} = actor.getSnapshot();
  return {value, ...context, status, children: Object.keys(children)};
}

function withMutant(name: string): AnyStateMachine {
  const {mutants} = mutantsOf(checkout);
  const mutant = mutants.find((each) => each.name === `checkout${name}`);
  if (!mutant)
    throw new Error(`${name} is not one of ${mutants.map((each) => each.name).join('\n')}`);
  return mutated(checkout, mutant);
}

const noticed: readonly (readonly [name: string, steps: readonly Step[], changed: object])[] = [
  ['.shopping: drop the guard of pay [hasItems] → paying', ['pay'], {value: {paying: 'slow'}}],
  [
    '.shopping: negate the guard of pay [hasItems] → paying',
    ['item.add', 'pay'],
    {value: {browsing: 'reading'}},
  ],
  ['.shopping: drop pay [hasItems] → paying', ['item.add', 'pay'], {value: {browsing: 'reading'}}],
  [
    '.shopping: retarget pay [hasItems] → paying to browsing',
    ['item.add', 'pay'],
    {value: {browsing: 'reading'}},
  ],
  [
    `.paying: retarget ${bankDone} → paid to closed`,
    ['item.add', 'pay', bankDone],
    {value: 'closed', log: ['left', 'closed']},
  ],
  ['.shopping: run the actions of item.add twice', ['item.add'], {items: 2}],
  ['.browsing: drop note at entry', ['pay'], {log: ['left']}],
  ['.shopping: drop note at exit', ['pay'], {log: ['browsing']}],
  ['.browsing: drop cancel at exit', ['pay', 'back', 500], {value: 'closed'}],
  ['.browsing: drop stopTicker of back → shopping', ['pay', 'back'], {children: ['ticker']}],
  ['.paying: do not stop bank at exit', ['item.add', 'pay', 'back'], {children: ['bank']}],
  [
    '.paying: swap done and error of bank',
    ['item.add', 'pay', bankDone],
    {value: 'shopping', log: ['left', 'refused']},
  ],
  ['.paying: swap done and error of bank', ['item.add', 'pay', bankFailed], {value: 'paid'}],
  [
    '.paying: drop xstate.after.1000.checkout.paying → shopping',
    ['item.add', 'pay', 1000],
    {value: {paying: 'slow'}},
  ],
  [': start in browsing', [], {value: {browsing: 'reading'}}],
  ['.browsing: start in looking', ['pay'], {value: {browsing: 'looking'}}],
  [
    '.browsing.read: be an ordinary state, not a final one',
    ['pay', 'next'],
    {value: {browsing: 'read'}},
  ],
  [
    '.paid: be an ordinary state, not a final one',
    ['item.add', 'pay', bankDone],
    {status: 'active'},
  ],
];

test.each(noticed)('"%s" is seen after %j', (name, steps, changed) => {
  const [before, after] = [seen(checkout, steps), seen(withMutant(name), steps)];
  expect(after).toMatchObject(changed);
  expect(before).not.toMatchObject(changed);
});

test('there is a mutant of every kind', () => {
  const kinds = new Set(mutantsOf(checkout).mutants.map(({kind}) => kind));
  expect([...kinds].toSorted()).toEqual([...mutantKinds].toSorted());
});

test('an actor that is not stopped keeps its input and its ends', () => {
  const machine = withMutant('.paying: do not stop bank at exit');
  for (const end of [bankDone, bankFailed]) {
    expect(seen(machine, ['item.add', 'pay', end])).toMatchObject({
      ...seen(checkout, ['item.add', 'pay', end]),
      children: ['bank'],
    });
  }
});

test('changes that no test can notice are left out, with the reason', () => {
  expect(mutantsOf(checkout).excluded.map(({name, reason}) => `${name}: ${reason}`)).toEqual([
    'checkout.shopping: run the actions of basket.empty twice: to run its actions again changes nothing',
    'checkout.shopping: drop nothing: it does nothing, and no other transition takes the event',
    'checkout.shopping: drop the guard of leave [hasItems] → browsing: leave → browsing is taken instead and has the same effect',
    'checkout.shopping: negate the guard of leave [hasItems] → browsing: leave → browsing is taken instead and has the same effect',
    'checkout.shopping: drop leave [hasItems] → browsing: leave → browsing is taken instead and has the same effect',
    'checkout.browsing: run the actions of back → shopping twice: to run its actions again changes nothing',
  ]);
});

test('all mutants can be created, have names of their own, and leave the machine as it is', () => {
  const before = seen(checkout, ['pay', 'back']);
  const {mutants, excluded} = mutantsOf(checkout);
  expect(new Set([...mutants, ...excluded].map(({name}) => name)).size).toBe(
    mutants.length + excluded.length,
  );
  for (const mutant of mutants) expect(mutated(checkout, mutant).root.id).toBe('checkout');
  expect(seen(checkout, ['pay', 'back'])).toEqual(before);
});

test('a final state within a state whose end nothing depends on, and a shadowed transition, change nothing', () => {
  const {excluded} = mutantsOf(
    createMachine({
      initial: 'a',
      states: {
        a: {
          initial: 'b',
          states: {b: {always: ['c', {target: 'd', guard: 'never'}]}, c: {type: 'final'}, d: {}},
        },
      },
    }),
  );
  expect(excluded.map(({name, reason}) => `${name}: ${reason}`)).toEqual([
    '(machine).a.b: drop the guard of always [never] → d: never taken: always → c comes first and has no guard',
    '(machine).a.b: negate the guard of always [never] → d: never taken: always → c comes first and has no guard',
    '(machine).a.b: retarget always [never] → d to c: never taken: always → c comes first and has no guard',
    '(machine).a.b: drop always [never] → d: never taken: always → c comes first and has no guard',
    '(machine).a.c: be an ordinary state, not a final one: nothing depends on the end of a',
  ]);
});

test('a chart that a mutant lets run in a circle fails', () => {
  const machine = createMachine({
    initial: 'a',
    states: {a: {always: {guard: 'isReady', target: 'b'}}, b: {always: 'a'}},
  }).provide({guards: {isReady: () => false}});
  const mutant = mutantsOf(machine).mutants.find(({kind}) => kind === 'drop-guard');
  expect(mutant?.name).toBe('(machine).a: drop the guard of always [isReady] → b');
  const actor = createActor(mutant ? mutated(machine, mutant) : machine);
  const errors: unknown[] = [];
  actor.subscribe({error: (error) => errors.push(error)});
  actor.start();
  expect(String(errors)).toContain('Infinite loop');
});
