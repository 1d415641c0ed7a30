/** Which sources an answer is printed with. */

import {expect, test} from 'vitest';

import {sourcesOf} from '../../../machines/domain/sources.ts';
import type {LoopStep, Source} from '../../../machines/domain/tool.ts';

function step(...sources: readonly Source[]): LoopStep {
  return {thought: '', tool: 'grep_search', args: {}, status: 'succeeded', text: '', sources};
}

function places(answer: string, ...steps: readonly LoopStep[]): string[] {
  return sourcesOf(answer, steps).map(({place}) => place);
}

const lines = ['a.ts:1', 'a.ts:12', 'b.ts:3', 'b.ts:4', 'b.ts:5'].map((place) => ({place}));

test('are those that it names by their place', () => {
  expect(places('It is in a.ts:12.', step(...lines))).toEqual(['a.ts:12']);
  expect(places('See b.ts:3, b.ts:5', step(...lines))).toEqual(['b.ts:3', 'b.ts:5']);
});

test('are those of the files that it names when it names no line', () => {
  expect(places('It is in a.ts.', step(...lines))).toEqual(['a.ts:1', 'a.ts:12']);
});

test('are the first of each step when it names none', () => {
  expect(places('Four.', step(...lines), step({place: 'c.md:1-2', quote: 'four'}))).toEqual([
    'a.ts:1',
    'a.ts:12',
    'b.ts:3',
    'c.md:1-2',
  ]);
  expect(places('Four.')).toEqual([]);
});

test('come once each, ten at most', () => {
  const many = Array.from({length: 30}, (_, index) => step({place: `x.ts:${index % 15}`}));
  expect(places('?', ...many)).toHaveLength(10);
});
