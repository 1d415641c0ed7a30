/** Evidence of the work of a run, derived from the facts that tools declare. */

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

test('the facts of a tool, not its name, distinguish reads, writes and commands', () => {
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

test('a command is recorded with its exit code, and its line shows the exit code of a failure', () => {
  const args = {command: 'npm test'};
  expect(done('run_command', args, {exitCode: 0})).toMatchObject([
    {did: 'ran', ok: true, exitCode: 0},
  ]);
  const [failed] = done('run_command', args, {status: 'failed', exitCode: 1});
  expect(failed).toMatchObject({ok: false, exitCode: 1});
  expect(failed && evidenceLine(failed)).toBe('run_command npm test (exit code 1)');
});

test('the files that a command wrote are attributed to the command', () => {
  const deeds = done('run_command', {command: 'make'}, {written: ['src/a.ts'], exitCode: 0});
  expect(deeds.map(evidenceLine)).toEqual(['run_command wrote src/a.ts', 'run_command make']);
});

test('a call that names neither a file nor a command is identified by its arguments', () => {
  expect(done('grep_search', {pattern: 'TODO'})).toMatchObject([
    {did: 'read', target: '{"pattern":"TODO"}'},
  ]);
  expect(done('deploy', {path: 'a.ts'})).toMatchObject([{did: 'ran', target: '{"path":"a.ts"}'}]);
  expect(done('gone', {})).toMatchObject([{did: 'ran', target: '{}'}]);
});

test('a failed call is recorded without success; a call that was not allowed is not recorded', () => {
  const [failed] = done('run_command', {command: 'npm test'}, {status: 'failed'});
  expect(failed).toMatchObject({did: 'ran', ok: false});
  expect(failed && evidenceLine(failed)).toBe('run_command npm test (failed)');
  for (const status of ['refused', 'rejected', 'inDoubt'] as const) {
    expect(done('run_command', {command: 'npm test'}, {status})).toEqual([]);
  }
});

test('each written file is listed once, and only if the write succeeded', () => {
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

test('a tool may define the summary line of its calls', () => {
  const summary = '{query} in {folder}';
  expect(callSummary('find', {query: 'x', folder: 'src'}, {summary})).toBe('find x in src');
  expect(callSummary('find', {path: 'a.ts'}, {summary: '{query}'})).toBe('find a.ts');
  expect(callSummary('find', {n: 1})).toBe('find {"n":1}');
});

test('a spawned interaction is recorded with its request and the files that it wrote, without its reads and commands', () => {
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
