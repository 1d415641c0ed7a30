/** Custom tools are judged by their declarations, as built-in ones are; custom reviewers by their ballots. */

import {afterAll, beforeAll, describe, expect, test} from 'vitest';

import {verdictOf} from '../../../actors/policies/verdict.ts';
import {evidenceOf} from '../../../machines/domain/evidence.ts';
import type {JsonObject} from '../../../machines/domain/json.ts';
import type {ProposalFacts} from '../../../machines/domain/review.ts';
import type {ToolInfo} from '../../../machines/domain/tool.ts';
import type {Ballot} from '../../../machines/questions/ballot.ts';
import {proposalOf} from './proposal.ts';
import {openWorld, type TestWorld} from './world.ts';

let world: TestWorld;

const high = {risk: 'high', repeatability: 'once', timeoutMs: 1_000} as const;

const inside = {...high, reaches: 'workspace'} as const;

const tools: readonly ToolInfo[] = [
  {...inside, name: 'save', writes: ['file'], puts: 'text'},
  {...inside, name: 'swap', writes: ['file'], puts: 'next', replaces: 'before'},
  {...inside, name: 'stamp', writes: ['file']},
  {...inside, name: 'look', risk: 'low', reads: ['files']},
  {...inside, name: 'exec_in', runs: {argument: 'line', language: 'shell', folder: 'at'}},
  {...inside, name: 'ask_db', runs: {argument: 'query', language: 'sql'}},
  {...inside, name: 'delete_draft', reaches: 'nothing'},
  {...high, name: 'delete_page', reaches: 'network'},
  {...high, name: 'delete_unsaid'},
];

function after(tool: string, args: JsonObject): Pick<ProposalFacts, 'evidence'> {
  return {evidence: evidenceOf([{tool, args, status: 'succeeded', text: ''}], tools)};
}

async function judgeTool(
  policy: string,
  call: readonly [tool: string, args: JsonObject],
  facts: Partial<ProposalFacts> = {},
  text = '',
): Promise<string> {
  const [tool, args] = call;
  const proposal = proposalOf({calls: [{tool, args}], ...facts}, {text}, tools);
  const {verdict, reasons} = await world.consult(policy, proposal);
  return verdict === 'reject' ? (reasons[0] ?? '').replace(/:.*/s, '') : verdict;
}

function program(argv: readonly string[], folder?: string): ToolInfo {
  const place = folder === undefined ? {} : {folder};
  return {...inside, name: 'start', program: {argv, ...place, paths: ['path']}};
}

async function verdictOn(
  policy: string,
  tool: ToolInfo,
  args: JsonObject,
  facts: Partial<ProposalFacts> = {},
): Promise<string> {
  const proposal = proposalOf({calls: [{tool: 'start', args}], ...facts}, {}, [tool]);
  const {verdict, reasons} = await world.consult(policy, proposal);
  return verdict === 'reject' ? (reasons[0] ?? '').replace(/:.*/s, '') : verdict;
}

describe('custom tools', () => {
  beforeAll(() => {
    world = openWorld();
  });

  afterAll(() => world.close());

  test('scope: a write must be requested, and inside the workspace', async () => {
    const text = {text: 'x'};
    expect(await judgeTool('scope', ['save', {file: 'a.md', ...text}])).toBe('approve');
    expect(await judgeTool('scope', ['save', {file: '../a.md', ...text}])).toBe(
      'scope/outside-workspace',
    );
    expect(await judgeTool('scope', ['save', {file: '.husky/pre-push', ...text}])).toBe(
      'scope/protected-config',
    );
    const request = 'Explain what the code does';
    expect(await judgeTool('scope', ['save', {file: 'a.md', ...text}], {request})).toBe(
      'scope/read-only-request',
    );
    expect(await judgeTool('scope', ['look', {files: ['a.md']}], {request})).toBe('approve');
    const bounded = {request: 'Only change src/a.ts'};
    expect(await judgeTool('scope', ['save', {file: 'b.md', ...text}], bounded)).toBe(
      'scope/bounds',
    );
    const hook = {file: 'package.json', text: '{"scripts": {"postinstall": "x"}}'};
    expect(await judgeTool('scope', ['stamp', hook])).toBe('scope/install-scripts');
  });

  test('scope: a read must be inside the workspace, for each path of a list', async () => {
    expect(await judgeTool('scope', ['look', {files: ['a.md', '/etc/hosts']}])).toBe(
      'scope/outside-workspace',
    );
    expect(await judgeTool('scope', ['exec_in', {line: 'ls', at: '..'}])).toBe('scope/working-dir');
    expect(await judgeTool('scope', ['exec_in', {line: 'ls ../x', at: 'src'}])).toBe('approve');
  });

  test('a tool that does not declare its reach cannot be judged', async () => {
    expect(await judgeTool('scope', ['delete_unsaid', {}])).toBe('abstain');
  });

  test('evidence: a read by any tool counts, a call that merely has the path does not', async () => {
    const swap = ['swap', {file: 'src/a.ts', before: 'x', next: 'y'}] as const;
    expect(await judgeTool('evidence', swap)).toBe('evidence/edit-unread');
    expect(await judgeTool('evidence', swap, after('look', {files: ['./src/a.ts']}))).toBe(
      'approve',
    );
    expect(await judgeTool('evidence', swap, after('look', {files: ['src']}))).toBe('approve');
    expect(await judgeTool('evidence', swap, after('exec_in', {line: 'cat src/a.ts'}))).toBe(
      'approve',
    );
    expect(await judgeTool('evidence', swap, after('delete_unsaid', {path: 'src/a.ts'}))).toBe(
      'evidence/edit-unread',
    );
    const diff = 'Effect:\n--- a/a.ts\n+++ b/a.ts\n@@ -1,1 +1,1 @@\n-old\n+new';
    expect(await judgeTool('evidence', ['save', {file: 'a.ts', text: 'new'}], {}, diff)).toBe(
      'evidence/overwrite-unread',
    );
  });

  test('safety: commands, queries, scripts and secrets are read as those of built-in tools', async () => {
    expect(await judgeTool('safety', ['exec_in', {line: 'rm -rf src'}])).toBe('safety/mass-delete');
    expect(await judgeTool('safety', ['ask_db', {query: 'DROP TABLE users'}])).toBe(
      'safety/drop-data',
    );
    expect(await judgeTool('safety', ['save', {file: 'a.sh', text: 'rm -rf src'}])).toBe(
      'safety/mass-delete',
    );
    const key = `AKIA${'A'.repeat(16)}`;
    expect(await judgeTool('safety', ['save', {file: 'a.md', text: key}])).toBe(
      'safety/secret-content',
    );
    expect(await judgeTool('safety', ['look', {files: ['.env']}])).toBe('safety/read-credentials');
    expect(await judgeTool('safety', ['save', {file: '.env.example', text: 'KEY='}])).toBe(
      'approve',
    );
    const read = after('look', {files: ['a.md']});
    expect(await judgeTool('safety', ['save', {file: 'a.md', text: ' '}], read)).toBe(
      'safety/empty-overwrite',
    );
  });

  test('safety: a drastic name counts only without a declaration that the tool stays local', async () => {
    expect(await judgeTool('safety', ['delete_draft', {}])).toBe('approve');
    expect(await judgeTool('safety', ['delete_page', {}])).toBe('safety/unknown-effect');
    expect(await judgeTool('safety', ['delete_unsaid', {}])).toBe('safety/unknown-effect');
  });

  test('a program that a tool starts is judged as a shell command of the same words', async () => {
    const remove = program(['rm', '-rf', '{path}']);
    expect(await verdictOn('safety', remove, {path: 'src'})).toBe('safety/mass-delete');
    expect(await verdictOn('scope', program(['cat', '{path}']), {path: '../x'})).toBe(
      'scope/outside-workspace',
    );
    expect(await verdictOn('scope', program(['cat', '{path}'], 'src'), {path: 'a.ts'})).toBe(
      'approve',
    );
    const request = {request: 'Explain what the code does'};
    expect(await verdictOn('scope', program(['touch', '{path}']), {path: 'a'}, request)).toBe(
      'scope/read-only-request',
    );
    const echo = program(['echo', '{text}']);
    expect(await verdictOn('safety', echo, {text: '; rm -rf / $(rm -rf src)'})).toBe('approve');
    const unheard = program(['unheard-of-program', '{text}']);
    expect(await verdictOn('safety', unheard, {text: 'a'})).toBe('abstain');
    expect(await verdictOn('safety', unheard, {text: 'a'}, {confinement: 'confined'})).toBe(
      'abstain',
    );
    const {reaches: _, ...silent} = echo;
    expect(await verdictOn('safety', silent, {text: 'a'})).toBe('abstain');
  });
});

const approval: Ballot = {verdict: 'approve', reasons: ['fine'], confidence: 1};

interface Judged {
  readonly ballot: Ballot;
  readonly warnings: readonly string[];
}

/** A custom reviewer may break its types. */
async function judgedBy(judge: () => unknown, signal = AbortSignal.any([])): Promise<Judged> {
  const warnings: string[] = [];
  const context = {signal, onWarning: (message: string) => void warnings.push(message)};
  const untyped: {judge?: () => Ballot} = {};
  Object.assign(untyped, {judge});
  const {judge: own = () => approval} = untyped;
  return {ballot: await verdictOf('policy/own', own, context), warnings};
}

function throwing(value: unknown): () => never {
  return () => {
    throw value;
  };
}

const unreadable = Object.defineProperty(new Error('x'), 'message', {get: throwing('no')});

test.each<[name: string, judge: () => unknown]>([
  ['throws a string', throwing('boom')],
  ['throws null', throwing(null)],
  ['throws an object without a text', throwing(Object.create(null))],
  ['throws an error whose message cannot be read', throwing(unreadable)],
  ['rejects with null', async () => await Promise.reject(null)],
  ['returns null', () => null],
  ['returns rules without a text', () => ({...approval, rules: [{}]})],
  ['returns rules that are no list', () => ({...approval, rules: 'mine'})],
  ['returns comments without a file', () => ({...approval, comments: [{message: 'x'}]})],
  ['returns a ballot of megabytes', () => ({...approval, reasons: ['x'.repeat(1_000_000)]})],
])('a reviewer that %s rejects, with a warning', async (_, judge) => {
  const {ballot, warnings} = await judgedBy(judge);
  expect(ballot).toMatchObject({verdict: 'reject', rules: ['no-verdict']});
  expect(warnings).toHaveLength(1);
});

test.each([7, -0.1, Number.NaN, Number.POSITIVE_INFINITY, '0.9', undefined])(
  'a reviewer with a confidence of %s rejects, and the warning names the reviewer and the fault',
  async (confidence) => {
    const {ballot, warnings} = await judgedBy(() => ({...approval, confidence}));
    expect(ballot).toMatchObject({verdict: 'reject', rules: ['no-verdict']});
    expect(warnings).toEqual([
      expect.stringMatching(
        /^policy\/own gave no valid verdict: .*confidence is not a number from 0 to 1/,
      ),
    ]);
  },
);

test.each([0, 0.5, 1])('a reviewer may have a confidence of %d', async (confidence) => {
  const own = {...approval, confidence};
  expect(await judgedBy(() => own)).toEqual({ballot: own, warnings: []});
});

test('a reviewer cannot change its ballot later', async () => {
  const own = {...approval};
  const {ballot} = await judgedBy(() => own);
  Object.assign(own, {verdict: 'reject'});
  expect(ballot).toEqual(approval);
});

test('a reviewer that is no longer needed is not awaited', async () => {
  const {promise} = Promise.withResolvers<Ballot>();
  const {ballot, warnings} = await judgedBy(() => promise, AbortSignal.abort());
  expect(ballot.reasons).toEqual(['policy/own gave no valid verdict: it was no longer needed']);
  expect(warnings).toEqual([]);
});
