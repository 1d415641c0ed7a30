/** Properties of users' machines: violations are found, shrunk and reported. */

import {expect, test} from 'vitest';
import {assign, createMachine, setup} from 'xstate';

import {
  check,
  type CheckOptions,
  moveText,
  PropertyViolation,
} from '../../../machines/testing/index.ts';
import {checkoutMachine} from '../../fixtures/charts/checkout.ts';

const limit = 'the card is charged at most three times';

const options: CheckOptions<typeof checkoutMachine> = {
  input: {items: [{sku: 'a', price: 1}]},
  events: {'item.added': [], 'help.opened': [], 'card.entered': [{number: '1234123412341234'}]},
  outcomes: {chargeCard: [{receipt: 'r'}]},
  distinguish: ({attempts, ...rest}) => ({...rest, attempts: Math.min(attempts, 5)}),
  properties: {[limit]: ({snapshot}) => snapshot.context.attempts <= 3},
};

async function violationOf(checking: Promise<unknown>): Promise<PropertyViolation> {
  const outcome = await checking.then(
    () => 'no violation',
    (error: unknown) => error,
  );
  if (outcome instanceof PropertyViolation) return outcome;
  throw new Error('there is no violation', {cause: outcome});
}

const shortest = [
  'order.placed',
  'card.entered {"number":"1234123412341234"}',
  'chargeCard fails',
  'after backOff in checkout.order.payment.waiting',
  'chargeCard fails',
  'card.entered {"number":"1234123412341234"}',
  'chargeCard fails',
  'card.entered {"number":"1234123412341234"}',
];

test('a violation is reported with a shortest run to it', async () => {
  const violation = await violationOf(check(checkoutMachine, options));
  expect(violation.property).toBe(limit);
  expect(violation.moves).toHaveLength(shortest.length);
  expect(violation.message).toContain(`checkout violates "${limit}"\n  1. order.placed\n`);
});

test('the exploration is returned when every property holds', async () => {
  const properties = {
    'it has items': ({snapshot}: {snapshot: {context: {items: unknown[]}}}) =>
      snapshot.context.items.length === 1,
  };
  const exploration = await check(checkoutMachine, {...options, properties});
  expect(exploration.limits).toEqual([]);
});

test('random runs go beyond the limits, and a violation there is shrunk', async () => {
  const types: {context?: {readonly count: number}} = {};
  const counter = setup({
    types,
    actions: {add: assign({count: ({context}) => context.count + 1})},
  }).createMachine({
    context: {count: 0},
    initial: 'on',
    on: {add: {actions: 'add'}, turn: '.off'},
    states: {on: {}, off: {on: {turn: 'on'}}},
  });
  const properties = {
    'it stays below 12': ({snapshot}: {snapshot: {context: {count: number}}}) =>
      snapshot.context.count < 12 || `it is ${snapshot.context.count}`,
  };
  const violation = await violationOf(check(counter, {properties, limits: {depth: 5}}));
  expect(violation.reason).toBe('it is 12');
  expect(violation.moves.map(moveText)).toEqual(Array.from({length: 12}, () => 'add'));
});

test('a machine that fails violates a built-in property, unless it may fail', async () => {
  const machine = createMachine({
    initial: 'a',
    states: {a: {on: {go: {guard: ({event}) => event['list'].length > 0, target: 'b'}}}, b: {}},
  });
  const violation = await violationOf(check(machine));
  expect(violation.property).toBe('the machine does not fail');
  expect(violation.reason).toContain('Unable to evaluate guard');
  await expect(check(machine, {mayFail: true})).resolves.toBeDefined();
});

test('a property that throws is violated, and the error is the reason', async () => {
  const properties = {
    'it is fine': () => {
      throw new Error('it is not');
    },
  };
  const violation = await violationOf(check(createMachine({}), {properties}));
  expect([violation.reason, violation.moves]).toEqual(['Error: it is not', []]);
  expect(violation.message).toContain('at its start');
});
