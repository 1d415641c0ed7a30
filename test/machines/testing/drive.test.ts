/** Machines driven by hand, and generated test files that drive them. */

import {expect, test} from 'vitest';
import {setup} from 'xstate';

import {drive, explore, fails, tours} from '../../../machines/testing/index.ts';
import {testFileText} from '../../../machines/testing/test-file.ts';
import {fetchMachine} from '../../fixtures/charts/fetch-with-retries.ts';

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
    '// Made by quorate paths. Make it again when the machine has changed:',
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
