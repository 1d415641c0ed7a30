/** The sources that are printed with an answer. */

import {expect, test} from 'vitest';

import type {LoopStep, Source, ToolInfo} from '../../../../machines/domain/tool.ts';
import {sourcesOf} from '../../../../machines/forms/ask/sources.ts';
import {builtInTools, createToolbox} from '../../../../tools/index.ts';

function step(...sources: readonly Source[]): LoopStep {
  return {thought: '', tool: 'grep_search', args: {}, status: 'succeeded', text: '', sources};
}

const own = {risk: 'low', repeatability: 'repeatable', timeoutMs: 1_000} as const;
const tools: readonly ToolInfo[] = [
  ...createToolbox(builtInTools('off')).infos(),
  {...own, name: 'log.filter', cites: false},
  {...own, name: 'log.page'},
];

function places(answer: string, ...steps: readonly LoopStep[]): string[] {
  return sourcesOf(answer, steps, tools).map(({place}) => place);
}

const lines = ['a.ts:1', 'a.ts:12', 'b.ts:3', 'b.ts:4', 'b.ts:5'].map((place) => ({place}));

test('an answer lists the sources whose place it names', () => {
  expect(places('It is in a.ts:12.', step(...lines))).toEqual(['a.ts:12']);
  expect(places('See b.ts:3, b.ts:5', step(...lines))).toEqual(['b.ts:3', 'b.ts:5']);
});

test('an answer lists the passages that contain a line that it names', () => {
  const passages = ['docs/a.md:1-5', 'docs/b.md:1-3', 'b.md:1-3'].map((place) => ({place}));
  expect(places('Ten (docs/a.md:1-5), then five (docs/b.md:3).', step(...passages))).toEqual([
    'docs/a.md:1-5',
    'docs/b.md:1-3',
  ]);
  expect(places('See b.md:9', step(...passages))).not.toContain('docs/b.md:1-3');
});

test('the sources are in the order of the answer', () => {
  const page = {place: 'https://example.org/'};
  expect(places('b.ts:5, https://example.org/, a.ts:1, b.ts:3', step(...lines, page))).toEqual([
    'b.ts:5',
    'https://example.org/',
    'a.ts:1',
    'b.ts:3',
  ]);
});

test('a place that is a source itself names no overlapping source', () => {
  const read = [{place: 'a.ts:1-40'}, {place: 'a.ts:12'}];
  expect(places('It is in a.ts:12.', step(...read))).toEqual(['a.ts:12']);
  expect(places('It is in a.ts:13.', step(...read))).toEqual(['a.ts:1-40']);
});

test('an answer that names a file without a line lists all sources of the file', () => {
  expect(places('It is in a.ts.', step(...lines))).toEqual(['a.ts:1', 'a.ts:12']);
  expect(places('It is in a.tsx or ba.ts', step({place: 'a.ts:1'}))).toEqual([]);
});

test('an answer from a database lists its queries', () => {
  const query = {place: 'sales.sqlite', quote: 'SELECT count(*) FROM orders'};
  const probe = {place: 'sales.sqlite', quote: 'SELECT 1 FROM orders WHERE name = 1'};
  const asked = [step(...lines), {...step(probe, query), tool: 'database'}];
  expect(sourcesOf('Four.', asked, tools)).toEqual([probe, query]);
  const shown = `Four.\n\nThe question was read as: ${query.quote}`;
  expect(sourcesOf(shown, asked, tools)).toEqual([query]);
});

test('an answer that names no source lists the first source of each step that read something, but no mere matches', () => {
  const found = {...step({place: 'c.md:1-2', quote: 'four'}, {place: 'd.md:1-2'}), tool: 'search'};
  expect(places('Four.', step(...lines), found)).toEqual(['c.md:1-2']);
  expect(places('Four.', step(...lines))).toEqual([]);
  expect(places('Four.', {...step(...lines), tool: 'log.filter'})).toEqual([]);
  expect(places('Four.', {...step(...lines), tool: 'log.page'})).toEqual(['a.ts:1']);
});

test('an answer lists each source once, and at most ten', () => {
  const many = Array.from({length: 30}, (_, index) => step({place: `x.ts:${index % 15}`}));
  expect(places('x.ts', ...many)).toHaveLength(10);
});
