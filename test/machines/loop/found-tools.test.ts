/** Tools that a loop brings in: from the outcomes of its calls, in order, and not too many. */

import {expect, test} from 'vitest';

import {panelRules} from '../../../machines/loop/action.ts';
import type {TurnLoopInput} from '../../../machines/loop/loop-input.ts';
import {turnLoopMachine} from '../../../machines/loop/turn-loop.ts';
import {foundAfter} from '../../../machines/loop/turn-state.ts';
import {type ByHand, byHand} from '../../support/by-hand.ts';
import {calling} from '../events/outcomes.ts';
import {policySeat, smallSettings} from '../events/settings.ts';

const settings = smallSettings('interactive', [policySeat]);
const low = {risk: 'low', repeatability: 'repeatable', timeoutMs: 1_000} as const;
const tools = [
  {name: 'find_tools', finds: true, ...low},
  {name: 'a', ...low},
  {name: 'b', ...low},
  {name: 'c', ...low},
] as const;

const plain: TurnLoopInput = {
  purpose: 'act',
  model: 'test/decider',
  system: '',
  message: 'do it',
  offered: ['a', 'b', 'find_tools'],
  tools,
  panel: panelRules(settings),
  maxOutputTokens: 1_000,
  maxTurns: 9,
  maxRefusedTurns: 2,
  maxMessageBytes: 1_000,
  retries: {maxRetries: 0, isForAnyFailure: false},
  isWithheld: false,
  isDegradable: false,
  brief: {request: 'do it', workspace: '/w', evidence: [], purpose: 'to get it done'},
  background: [],
};

const start = (more: Partial<TurnLoopInput> = {}) => byHand(turnLoopMachine, {...plain, ...more});
const foundIn = (loop: ByHand) => loop.requests('callModel').map(({found}) => found);

function finds(loop: ByHand, found: readonly string[]): void {
  loop.settle('model', calling('find_tools', {query: found.join(' ')}));
  loop.settle('run', {kind: 'succeeded', text: 'found', found});
}

test('tools that a call has found are in the next request and in all later ones, the earliest first', () => {
  const loop = start();
  finds(loop, ['b']);
  finds(loop, ['a', 'b']);
  expect(foundIn(loop)).toEqual([undefined, ['b'], ['b', 'a']]);
});

test('a call that finds receives the names of the tools that are offered, other calls do not', () => {
  const loop = start();
  finds(loop, []);
  loop.settle('model', calling('a', {}));
  expect(loop.requests('runTool').map(({among}) => among)).toEqual([plain.offered, undefined]);
});

test('a tool that is not offered here is not brought in', () => {
  const loop = start();
  finds(loop, ['c', 'other']);
  expect(foundIn(loop)).toEqual([undefined, undefined]);
});

test('a tool whose arguments were refused is brought in, one that failed is not', () => {
  const loop = start();
  loop.settle('model', calling('a', {x: 1}));
  loop.settle('run', {kind: 'refused', code: 'schema', message: 'a: x is unknown'});
  loop.settle('model', calling('b', {}));
  loop.settle('run', {kind: 'failed', code: 'not_found', message: 'gone'});
  expect(foundIn(loop)).toEqual([undefined, ['a'], ['a']]);
});

test('a loop may begin with tools', () => {
  expect(foundIn(start({found: ['b']}))).toEqual([['b']]);
});

test('a loop without a tool that finds others, as of an earlier version, brings none in', () => {
  const loop = start({found: ['b'], offered: ['a', 'b']});
  loop.settle('model', calling('a', {x: 1}));
  loop.settle('run', {kind: 'refused', code: 'schema', message: 'a: x is unknown'});
  expect(foundIn(loop)).toEqual([undefined, undefined]);
});

test('of many tools the latest sixteen stay', () => {
  const names = Array.from({length: 20}, (_, index) => `t${index}`);
  const result = {tool: 'find_tools', args: {}, status: 'succeeded', text: ''} as const;
  const calls = [{id: 'c', name: 'find_tools', args: {}}];
  const after = (before: readonly string[], found: readonly string[]) =>
    foundAfter(before, {calls, settled: {c: {...result, found}}}, names);
  expect(after(names.slice(0, 12), names.slice(12))).toEqual(names.slice(4));
  const all = names.slice(4);
  expect(after(all, ['t10'])).toBe(all);
});
