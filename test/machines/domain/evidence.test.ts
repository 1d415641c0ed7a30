/** What a run has done, as data: by what tools say of themselves. */

import {expect, test} from 'vitest';

import {evidenceLine, evidenceOf, filesWritten} from '../../../machines/domain/evidence.ts';
import type {JsonObject} from '../../../machines/domain/json.ts';
import {callSummary} from '../../../machines/domain/tool-facts.ts';
import type {ToolInfo, ToolResult} from '../../../machines/domain/tool.ts';
import {builtInTools, createToolbox, spawnTools} from '../../../tools/index.ts';

const high = {risk: 'high', repeatability: 'once', timeoutMs: 1_000} as const;
const tools: readonly ToolInfo[] = [
  ...createToolbox([...builtInTools('off'), ...spawnTools]).infos(),
  {...high, name: 'move', reaches: 'workspace', reads: ['from'], writes: ['to']},
  {...high, name: 'notes', risk: 'low', reaches: 'workspace', reads: ['names']},
  {...high, name: 'deploy'},
];

function done(tool: string, args: JsonObject, rest: Partial<ToolResult> = {}) {
  return evidenceOf([{tool, args, status: 'succeeded', text: '', ...rest}], tools);
}

test('reads, writes and commands are told apart by the facts of the tool, not by its name', () => {
  expect(done('read_file', {path: 'a.ts'})).toEqual([
    {tool: 'read_file', did: 'read', target: 'a.ts', ok: true},
  ]);
  expect(done('write_file', {path: './a.ts', content: ''}, {written: ['a.ts']})).toMatchObject([
    {did: 'wrote', target: 'a.ts'},
  ]);
  expect(done('run_command', {command: 'npm test'})).toMatchObject([
    {did: 'ran', target: 'npm test'},
  ]);
  expect(done('move', {from: 'a.ts', to: 'b.ts'})).toMatchObject([
    {did: 'read', target: 'a.ts'},
    {did: 'wrote', target: 'b.ts'},
  ]);
  expect(done('notes', {names: ['a.md', 'b.md']})).toMatchObject([
    {did: 'read', target: 'a.md'},
    {did: 'read', target: 'b.md'},
  ]);
});

test('a command is told with its exit code, and shown with one that says that it failed', () => {
  const args = {command: 'npm test'};
  expect(done('run_command', args, {exitCode: 0})).toMatchObject([
    {did: 'ran', ok: true, exitCode: 0},
  ]);
  const [failed] = done('run_command', args, {status: 'failed', exitCode: 1});
  expect(failed).toMatchObject({ok: false, exitCode: 1});
  expect(failed && evidenceLine(failed)).toBe('run_command npm test (exit code 1)');
});

test('what a command has written is told as its doing', () => {
  const deeds = done('run_command', {command: 'make'}, {written: ['src/a.ts'], exitCode: 0});
  expect(deeds.map(evidenceLine)).toEqual(['run_command wrote src/a.ts', 'run_command make']);
});

test('a call that names neither a file nor a command is told by its arguments', () => {
  expect(done('grep_search', {pattern: 'TODO'})).toMatchObject([
    {did: 'read', target: '{"pattern":"TODO"}'},
  ]);
  expect(done('deploy', {path: 'a.ts'})).toMatchObject([{did: 'ran', target: '{"path":"a.ts"}'}]);
  expect(done('gone', {})).toMatchObject([{did: 'ran', target: '{}'}]);
});

test('what failed was done without success; what was not allowed was not done', () => {
  const [failed] = done('run_command', {command: 'npm test'}, {status: 'failed'});
  expect(failed).toMatchObject({did: 'ran', ok: false});
  expect(failed && evidenceLine(failed)).toBe('run_command npm test (failed)');
  for (const status of ['refused', 'rejected', 'inDoubt'] as const) {
    expect(done('run_command', {command: 'npm test'}, {status})).toEqual([]);
  }
});

test('files that were written are told once, and only with success', () => {
  const args = {path: 'a.ts', content: 'x'};
  expect(
    filesWritten([
      ...done('write_file', args, {written: ['a.ts']}),
      ...done('write_file', args, {written: ['a.ts']}),
      ...done('move', {from: 'a.ts', to: 'b.ts'}),
      ...done('move', {from: 'a.ts', to: 'c.ts'}, {status: 'failed'}),
      ...done('move', {from: 'a.ts', to: 'd.ts'}, {written: []}),
    ]),
  ).toEqual(['a.ts', 'b.ts']);
});

test('a tool may say how its calls are told in a line', () => {
  const summary = '{query} in {folder}';
  expect(callSummary('find', {query: 'x', folder: 'src'}, {summary})).toBe('find x in src');
  expect(callSummary('find', {path: 'a.ts'}, {summary: '{query}'})).toBe('find a.ts');
  expect(callSummary('find', {n: 1})).toBe('find {"n":1}');
});

test('of an interaction that was begun it is told what that was asked, and which files it wrote; not what it read or ran', () => {
  const request = 'Fix\n  a.ts';
  expect(done('spawn_agent', {request}, {written: ['a.ts']}).map(evidenceLine)).toEqual([
    'spawn_agent Fix a.ts',
    'spawn_agent a.ts',
  ]);
  expect(done('spawn_agent', {request}, {written: ['a.ts']})).toMatchObject([
    {did: 'spawned', target: 'Fix a.ts'},
    {did: 'wrote', target: 'a.ts'},
  ]);
});
