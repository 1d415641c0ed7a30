/** Custom tools are judged by their declarations, as built-in ones are; custom reviewers by their ballots. */

import {afterAll, beforeAll, describe, expect, test} from 'vitest';

import {verdictOf} from '../../../actors/policies/index.ts';
import {evidenceOf} from '../../../machines/domain/evidence.ts';
import type {JsonObject} from '../../../machines/domain/json.ts';
import type {ProposalFacts} from '../../../machines/domain/review.ts';
import type {ToolInfo} from '../../../machines/domain/tool.ts';
import type {Ballot} from '../../../machines/questions/ballot.ts';
import {pairs} from '../../support/rows.ts';
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

/** The rows of `TOOL ARGS ⇒ VERDICT` that are judged otherwise, with their verdicts. */
async function misjudged(policy: string, rows: string, facts: Partial<ProposalFacts> = {}) {
  const found: string[] = [];
  for (const [call, expected] of pairs(rows)) {
    const [, tool = '', args = ''] = /^(\w+) (.*)$/.exec(call) ?? [];
    const verdict = await judgeTool(policy, [tool, JSON.parse(args)], facts);
    if (verdict !== expected) found.push(`${call}: ${verdict}`);
  }
  return found;
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
    expect(
      await misjudged(
        'scope',
        `
      save {"file": "a.md", "text": "x"} ⇒ approve
      save {"file": "../a.md", "text": "x"} ⇒ scope/outside-workspace
      save {"file": ".husky/pre-push", "text": "x"} ⇒ scope/protected-config
      stamp {"file": "package.json", "text": "{\\"scripts\\": {\\"postinstall\\": \\"x\\"}}"} ⇒ scope/install-scripts
    `,
      ),
    ).toEqual([]);
    expect(
      await misjudged(
        'scope',
        `
      save {"file": "a.md", "text": "x"} ⇒ scope/read-only-request ¦ look {"files": ["a.md"]} ⇒ approve
    `,
        {request: 'Explain what the code does'},
      ),
    ).toEqual([]);
    const bounded = {request: 'Only change src/a.ts'};
    expect(
      await misjudged('scope', 'save {"file": "b.md", "text": "x"} ⇒ scope/bounds', bounded),
    ).toEqual([]);
  });

  test('scope: a read must be inside the workspace, for each path of a list', async () => {
    expect(
      await misjudged(
        'scope',
        `
      look {"files": ["a.md", "/etc/hosts"]} ⇒ scope/outside-workspace
      exec_in {"line": "ls", "at": ".."} ⇒ scope/working-dir
      exec_in {"line": "ls ../x", "at": "src"} ⇒ approve
    `,
      ),
    ).toEqual([]);
  });

  test('a tool that does not declare its reach cannot be judged', async () => {
    expect(await misjudged('scope', 'delete_unsaid {} ⇒ abstain')).toEqual([]);
  });

  test('evidence: a read by any tool counts, a call that merely has the path does not', async () => {
    const swap = ['swap', {file: 'src/a.ts', before: 'x', next: 'y'}] as const;
    expect(await judgeTool('evidence', swap)).toBe('evidence/edit-unread');
    for (const [tool, args, verdict] of [
      ['look', {files: ['./src/a.ts']}, 'approve'],
      ['look', {files: ['src']}, 'approve'],
      ['exec_in', {line: 'cat src/a.ts'}, 'approve'],
      ['delete_unsaid', {path: 'src/a.ts'}, 'evidence/edit-unread'],
    ] as const)
      expect(await judgeTool('evidence', swap, after(tool, args))).toBe(verdict);
    const diff = 'Effect:\n--- a/a.ts\n+++ b/a.ts\n@@ -1,1 +1,1 @@\n-old\n+new';
    expect(await judgeTool('evidence', ['save', {file: 'a.ts', text: 'new'}], {}, diff)).toBe(
      'evidence/overwrite-unread',
    );
  });

  test('safety: commands, queries and secrets are read as those of built-in tools', async () => {
    expect(
      await misjudged(
        'safety',
        `
      exec_in {"line": "rm -rf /"} ⇒ safety/mass-delete ¦ exec_in {"line": "rm -rf src"} ⇒ abstain
      ask_db {"query": "DROP TABLE users"} ⇒ safety/drop-data
      save {"file": "a.md", "text": "AKIA${'A'.repeat(16)}"} ⇒ safety/secret-content
      look {"files": [".env"]} ⇒ safety/read-credentials
      save {"file": ".env.example", "text": "KEY="} ⇒ approve
    `,
      ),
    ).toEqual([]);
    const empty = 'save {"file": "a.md", "text": " "} ⇒ safety/empty-overwrite';
    expect(await misjudged('safety', empty, after('look', {files: ['a.md']}))).toEqual([]);
  });

  test('safety: a drastic name counts only without a declaration that the tool stays local', async () => {
    expect(
      await misjudged(
        'safety',
        `
      delete_draft {} ⇒ approve ¦ delete_page {} ⇒ safety/unknown-effect
      delete_unsaid {} ⇒ safety/unknown-effect
    `,
      ),
    ).toEqual([]);
  });

  test('a program that a tool starts is judged as a shell command of the same words', async () => {
    const request = {request: 'Explain what the code does'};
    const echo = program(['echo', '{text}']);
    const unheard = program(['unheard-of-program', '{text}']);
    for (const [policy, tool, args, verdict, facts = {}] of [
      ['safety', program(['rm', '-rf', '{path}']), {path: '../x'}, 'safety/mass-delete'],
      ['scope', program(['touch', '{path}']), {path: '../x'}, 'scope/outside-workspace'],
      ['scope', program(['cat', '{path}']), {path: '../x'}, 'abstain'],
      ['scope', program(['cat', '{path}'], 'src'), {path: 'a.ts'}, 'approve'],
      ['scope', program(['touch', '{path}']), {path: 'a'}, 'scope/read-only-request', request],
      ['safety', echo, {text: '; rm -rf / $(rm -rf src)'}, 'approve'],
      ['safety', unheard, {text: 'a'}, 'abstain'],
      ['safety', unheard, {text: 'a'}, 'abstain', {confinement: 'bubblewrap'}],
    ] as const)
      expect(await verdictOn(policy, tool, args, facts)).toBe(verdict);
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
