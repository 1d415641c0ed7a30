/** Checks of a user's chart, and the driver of a chart by hand. */

import {expect, test} from 'vitest';
import {assign, createMachine, setup} from 'xstate';

import {
  check,
  type CheckOptions,
  moveText,
  PropertyViolation,
  drive,
  explore,
  fails,
  tours,
} from '../../../machines/testing/index.ts';
import {testFileText} from '../../../machines/testing/test-file.ts';
import {checkoutMachine} from '../../fixtures/charts/checkout.ts';
import {fetchMachine} from '../../fixtures/charts/fetch-with-retries.ts';

const limit = 'the card is charged at most three times';

const checkoutOptions: CheckOptions<typeof checkoutMachine> = {
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
  const violation = await violationOf(check(checkoutMachine, checkoutOptions));
  expect(violation.property).toBe(limit);
  expect(violation.moves).toHaveLength(shortest.length);
  expect(violation.message).toContain(`checkout violates "${limit}"\n  1. order.placed\n`);
});

test('the exploration is returned when every property holds', async () => {
  const properties = {
    'it has items': ({snapshot}: {snapshot: {context: {items: unknown[]}}}) =>
      snapshot.context.items.length === 1,
  };
  const exploration = await check(checkoutMachine, {...checkoutOptions, properties});
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

test('a machine is driven by events, outcomes and timers, synchronously', () => {
  const actor = drive(fetchMachine);
  actor.send({type: 'FETCH', url: 'http://a'});
  actor.fails('request', new Error('offline'));
  expect(actor.state).toBe('waiting');
  actor.fire('after 1000 in fetch.waiting');
  actor.done('request', {ok: true});
  expect(actor.snapshot.status).toBe('done');
  expect(actor.context).toEqual({url: 'http://a', tries: 2, data: {ok: true}});
});

test('an impossible step is refused with the possible ones', () => {
  const actor = drive(fetchMachine);
  actor.send({type: 'FETCH', url: 'http://a'});
  expect(() => actor.done('chargeCard')).toThrow(
    '"chargeCard is done" is not possible now; open: request',
  );
  expect(() => actor.fire('after 1 in fetch.loading')).toThrow(
    'is not possible now; open: after 10000 in fetch.loading',
  );
});

test('the custom actions since the last access are listed', () => {
  const machine = setup({actions: {greet: () => {}}}).createMachine({
    entry: 'greet',
    on: {again: {actions: 'greet'}},
  });
  const actor = drive(machine);
  expect(actor.performed).toEqual(['greet']);
  expect(actor.performed).toEqual([]);
  actor.send({type: 'again'});
  expect(actor.performed).toEqual(['greet']);
});

const file = {
  id: 'fetch',
  name: 'fetchMachine',
  module: './fetch.ts',
  input: undefined,
  puppets: [],
  command: 'quorate paths fetch.ts',
};

test('a test file names each step, asserts on the state after it, and escapes hostile text', () => {
  const options = {
    events: {FETCH: [{url: "it's\n*/ ${x} `"}]},
    outcomes: {request: [{['__proto__']: 1, 'a-b': [null, undefined]}, fails(new Error('a\nb'))]},
  };
  const text = testFileText({...file, tours: tours(explore(fetchMachine, options))});
  expect(text.split('\n').slice(0, 9)).toEqual([
    '// Make it again when the machine has changed; assertions of your own belong in another file, by testModel.',
    '//   quorate paths fetch.ts',
    '',
    "import {drive} from 'quorate/testing';",
    "import {expect, test} from 'vitest';",
    '',
    "import {fetchMachine} from './fetch.ts';",
    '',
    "test('fetch 1: idle → loading → success', () => {",
  ]);
  expect(text).toContain("actor.send({type: 'FETCH', url: 'it\\'s\\n*/ ${x} `'});");
  expect(text).toContain("actor.done('request', {['__proto__']: 1, 'a-b': [null, undefined]});");
  expect(text).toContain("actor.fails('request', new Error('a\\nb'));");
  expect(text).toContain("expect(actor.state).toEqual('waiting');");
});

test('a sample that cannot be written as code is refused', () => {
  const exploration = explore(fetchMachine, {outcomes: {request: [() => 1]}});
  expect(() => testFileText({...file, tours: tours(exploration)})).toThrow(
    'request is done () => 1 cannot be written as code: () => 1; give samples of plain data',
  );
});
