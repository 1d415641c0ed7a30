import {expect, test} from 'vitest';
import {and, assign, createMachine, fromPromise, log, not, or, raise} from 'xstate';

import {configOf, toCode} from '../../diagrams/config.ts';
import {machines} from '../../machines/index.ts';
import {nodesOf, transitionsOf} from '../../machines/testing/chart.ts';

test.each(machines.map((machine) => [machine.id, machine] as const))(
  'XState makes the states and transitions of %s from its data',
  (_, machine) => {
    const made = createMachine(JSON.parse(JSON.stringify(configOf(machine))));
    const structure = ({root}: Pick<typeof made, 'root'>) =>
      nodesOf(root).map((node) => [
        node.id,
        transitionsOf(node).map(({eventType, target}) => [eventType, target?.map(({id}) => id)]),
      ]);
    expect(structure(made)).toEqual(structure(machine));
  },
);

function remember(): void {}

function isOpen(): boolean {
  return true;
}

test('a function is named by itself or by its kind, and what it computes is left out', () => {
  const machine = createMachine({
    id: 'inline',
    initial: 'first',
    context: () => ({size: 3}),
    states: {
      first: {
        entry: [
          assign({size: 1}),
          raise({type: 'x'}),
          log('said'),
          remember,
          () => {},
          {type: 'named', params: {size: 3}},
          {type: 'counted', params: () => ({size: 3})},
        ],
        invoke: {id: 'job', src: fromPromise(async () => 1), input: () => 1},
        on: {
          go: [
            {guard: and(['isReady', not('isLate')]), target: 'first'},
            {guard: or([isOpen, 'a']), target: 'first'},
            {guard: ({context}) => context !== undefined},
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
          'assign',
          'raise',
          'log',
          'remember',
          'inline',
          {type: 'named', params: {size: 3}},
          {type: 'counted'},
        ],
        invoke: {id: 'job', src: 'inline'},
        on: {
          go: [
            {guard: 'isReady and not isLate', target: 'first'},
            {guard: '… or a', target: 'first'},
            {guard: '…'},
          ],
        },
      },
    },
  });
});

test('data is kept, and what holds itself is left out', () => {
  const loop: Record<string, unknown> = {};
  loop['self'] = loop;
  const machine = createMachine({
    id: 'data',
    context: {size: 3, names: ['a']},
    meta: {loop},
    initial: 'a',
    states: {a: {meta: {page: 'a', ratio: 0.5}, description: 'hidden \u202e'}},
  });
  expect(configOf(machine)).toMatchObject({context: {size: 3, names: ['a']}, meta: {loop: {}}});
  expect(toCode(machine)).toMatch(
    /^import \{createMachine\} from 'xstate';\n\nexport const machine/,
  );
  expect(toCode(machine)).toContain(String.raw`"description": "hidden \u{202e}"`);
});
