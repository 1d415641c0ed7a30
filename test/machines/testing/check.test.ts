/** Properties of users' machines: violations are found, shrunk, reported and replayed. */

import {readFileSync} from 'node:fs';
import {join} from 'node:path';

import {describe, expect, test} from 'vitest';
import {assign, createMachine, setup} from 'xstate';

import {
  check,
  type CheckOptions,
  moveText,
  PropertyViolation,
  readReplay,
  replay,
  writeReplay,
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

test('a violation is reported with a shortest run to it, by steps and as a sequence diagram', async () => {
  const violation = await violationOf(check(checkoutMachine, options));
  expect(violation.property).toBe(limit);
  expect(violation.replay.moves).toHaveLength(shortest.length);
  expect(violation.message).toContain(`checkout violates "${limit}"\n  1. order.placed\n`);
  expect(violation.diagram).toMatch(/^sequenceDiagram\n {2}participant p0 as checkout\n/);
  expect(violation.diagram).toMatch(/p0->>p\d: start/);
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
  expect(violation.replay.moves.map(moveText)).toEqual(Array.from({length: 12}, () => 'add'));
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
  expect([violation.reason, violation.replay.moves]).toEqual(['Error: it is not', []]);
  expect(violation.message).toContain('at its start');
});

describe('a replay file', () => {
  const kept = readReplay(
    readFileSync(
      join(import.meta.dirname, '../../fixtures/charts/fourth-charge.replay.json'),
      'utf8',
    ),
  );

  test('that was kept still shows the violation', () => {
    expect(kept.moves.map(moveText)).toEqual(shortest);
    const run = () => replay(checkoutMachine, kept, {properties: options.properties ?? {}});
    expect(run).toThrow(PropertyViolation);
    const {snapshot} = replay(checkoutMachine, kept);
    expect(snapshot.context.attempts).toBe(4);
  });

  test('whose moves the machine no longer allows says which', () => {
    const changed = checkoutMachine.provide({guards: {hasItems: () => false}});
    expect(() => replay(changed, kept)).toThrow(
      '"chargeCard fails" is not possible now; nothing of the kind is open',
    );
  });

  test('keeps errors by name and message, and refuses values that JSON does not hold', () => {
    const file = {machine: 'm', puppets: []};
    const error = new TypeError('no');
    const move = {type: 'settle', actor: 'a', does: 'fails', value: error} as const;
    const [read] = readReplay(writeReplay({...file, moves: [move]})).moves;
    expect(read).toMatchObject({...move, value: {name: 'TypeError', message: 'no'}});
    expect(() => writeReplay({...file, moves: [{...move, value: () => 1}]})).toThrow('plain data');
    expect(() => readReplay('{"machine": 1}')).toThrow('machine');
  });
});
