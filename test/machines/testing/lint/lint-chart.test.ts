/** Choosing and accepting findings, and their order. */

import {expect, test} from 'vitest';
import {createMachine, fromPromise} from 'xstate';

import {lintChart, type LintOptions} from '../../../../machines/testing/lint.ts';

const load = fromPromise(() => Promise.resolve(1));

function chart(meta: object = {}) {
  return createMachine({
    id: 'm',
    initial: 'a',
    states: {
      a: {on: {NEXT: 'b'}, after: {pause: 'b'}},
      b: {
        initial: 'x',
        meta,
        on: {END: 'c'},
        states: {x: {on: {NEXT: 'y'}, invoke: {src: load}}, y: {invoke: {src: load}}},
      },
      c: {},
    },
  });
}

test('errors come first, then warnings, in the order of the rules', () => {
  expect(lintChart(chart()).map(({rule, severity}) => `${severity} ${rule}`)).toEqual([
    'error unhandled-error',
    'error unhandled-error',
    'warning dead-end',
    'warning unknown-delay',
  ]);
});

test('a finding names the state, the fault, the fix, and the transition if it is about one', () => {
  expect(lintChart(chart(), {rules: ['dead-end']})).toEqual([
    {
      rule: 'dead-end',
      severity: 'warning',
      state: 'm.c',
      message: 'nothing leaves c',
      fix: "make it type: 'final', or give it a transition",
    },
  ]);
});

function rulesOf(options: LintOptions): string[] {
  return lintChart(chart(), options).map(({rule}) => rule);
}

test('rules are chosen, or left out', () => {
  expect(rulesOf({rules: ['dead-end', 'unknown-delay'], ignore: ['dead-end']})).toEqual([
    'unknown-delay',
  ]);
  expect(rulesOf({rules: []})).toEqual([]);
});

test('a rule that does not exist is refused', () => {
  expect(() => lintChart(chart(), {rules: ['dead-ends']})).toThrow(
    /no lint rule "dead-ends".*dead-end,/,
  );
  expect(() => lintChart(chart(), {ignore: ['all']})).toThrow('no lint rule "all"');
});

test('a state accepts findings for itself and for the states within it', () => {
  const ignore = ['unhandled-error', 'dead-end'];
  expect(lintChart(chart({lint: {ignore}})).map(({rule, state}) => `${rule} ${state}`)).toEqual([
    'dead-end m.c',
    'unknown-delay m.a',
  ]);
});

test.each([[{lint: true}], [{lint: {ignore: 'dead-end'}}], [{lint: {ignore: [1]}}]])(
  'meta %j accepts nothing',
  (meta) => {
    expect(lintChart(chart(meta))).toHaveLength(4);
  },
);
