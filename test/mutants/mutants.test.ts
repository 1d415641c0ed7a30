/** Each mutant of a sample behaves differently from its original; a mutant of the registry is noticed, and taken out again. */

import {describe, expect, test} from 'vitest';
import {
  type AnyEventObject,
  type AnyStateMachine,
  assign,
  createActor,
  fromCallback,
  setup,
  SimulatedClock,
} from 'xstate';

import {debateMachine, pollMachine} from '../../machines/index.ts';
import {mutantsOf, mutated, swapIn} from './mutants.ts';
import {noticedByScenarios} from './trial.ts';

const types: {context?: {readonly log: readonly string[]}; events?: AnyEventObject} = {};

const checkout = setup({
  types,
  actors: {bank: fromCallback(() => {})},
  actions: {note: assign(({context}, line: string) => ({log: [...context.log, line]}))},
  guards: {hasItems: ({context}) => context.log.includes('item')},
}).createMachine({
  id: 'checkout',
  context: {log: []},
  initial: 'shopping',
  states: {
    shopping: {
      exit: {type: 'note', params: 'left'},
      on: {
        add: {actions: {type: 'note', params: 'item'}},
        pay: [{guard: 'hasItems', target: 'paying'}, {target: 'browsing'}],
      },
    },
    browsing: {
      entry: {type: 'note', params: 'browsing'},
      initial: 'reading',
      states: {reading: {on: {next: 'read'}}, looking: {}, read: {type: 'final'}},
      onDone: 'shopping',
    },
    paying: {
      invoke: {src: 'bank', id: 'bank', onDone: 'paid', onError: 'shopping'},
      after: {1000: '#checkout.browsing'},
    },
    paid: {type: 'final'},
  },
});

const sequences: readonly (readonly string[])[] = [
  ['pay', 'next', 'pay'],
  ['add', 'pay', 'xstate.done.actor.bank'],
  ['add', 'pay', 'xstate.error.actor.bank'],
  ['add', 'pay', 'later'],
];

/** The states and the log after each step of each sequence. */
function behaviourOf(machine: AnyStateMachine): string {
  const seen = sequences.map((steps) => {
    const clock = new SimulatedClock();
    const actor = createActor(machine, {clock});
    actor.subscribe({error: () => undefined});
    actor.start();
    return steps.map((type) => {
      if (type === 'later') clock.increment(1_000);
      else actor.send({type});
      const {value, context, status} = actor.getSnapshot();
      return [value, context, status];
    });
  });
  return JSON.stringify(seen);
}

const mutants = mutantsOf(checkout);

test('the mutants of a chart are named by what they change', () => {
  expect(mutants.map(({name}) => name)).toMatchInlineSnapshot(`
    [
      "checkout: start in paying",
      "checkout.shopping: drop note at exit",
      "checkout.shopping: drop add",
      "checkout.shopping: drop the actions of add",
      "checkout.shopping: drop pay [hasItems] → paying",
      "checkout.shopping: drop the guard of pay [hasItems] → paying",
      "checkout.shopping: negate the guard of pay [hasItems] → paying",
      "checkout.shopping: retarget pay [hasItems] → paying to paid",
      "checkout.shopping: drop pay → browsing",
      "checkout.shopping: retarget pay → browsing to paying",
      "checkout.browsing: drop note at entry",
      "checkout.browsing: start in looking",
      "checkout.browsing: drop onDone → shopping",
      "checkout.browsing: retarget onDone → shopping to paying",
      "checkout.browsing.reading: drop next → read",
      "checkout.browsing.reading: retarget next → read to looking",
      "checkout.browsing.read: be an ordinary state, not a final one",
      "checkout.paying: swap done and error of bank",
      "checkout.paying: drop after 1000 → browsing",
      "checkout.paying: retarget after 1000 → browsing to paid",
      "checkout.paying: drop bank onDone → paid",
      "checkout.paying: retarget bank onDone → paid to shopping",
      "checkout.paying: drop bank onError → shopping",
      "checkout.paying: retarget bank onError → shopping to browsing",
      "checkout.paid: be an ordinary state, not a final one",
    ]
  `);
});

test.each(mutants)('$name changes the behaviour', (mutant) => {
  expect(behaviourOf(mutated(checkout, mutant))).not.toBe(behaviourOf(checkout));
});

describe.each([debateMachine, pollMachine])('of the chart $id', (machine) => {
  const all = mutantsOf(machine);

  test('some mutant is noticed by the scenarios, and afterwards the chart is as before', () => {
    const {config, root, states} = machine;
    expect(all.find((mutant) => noticedByScenarios(machine, mutant))).toBeDefined();
    expect(machine.config).toBe(config);
    expect(machine.root).toBe(root);
    expect(machine.states).toBe(states);
  });

  test('a mutant is in effect until it is taken out', () => {
    const [mutant] = all;
    if (!mutant) throw new Error('no mutant');
    const before = machine.config;
    const swapOut = swapIn(machine, mutant);
    expect(machine.config).not.toBe(before);
    expect(machine.root.config).toBe(machine.config);
    swapOut();
    expect(machine.config).toBe(before);
  });
});
