/** The policies on results, as an agent proposes them. */

import {afterAll, beforeAll, expect, test} from 'vitest';

import type {JsonObject} from '../../../machines/domain/json.ts';
import type {TaskResult} from '../../../machines/domain/result.ts';
import type {Proposal} from '../../../machines/domain/review.ts';
import {openState} from '../../../machines/forms/agent/agent-state.ts';
import {resultProposal} from '../../../machines/forms/agent/proposals.ts';
import {smallSettings} from '../../machines/events/settings.ts';
import {builtIn, did} from './proposal.ts';
import {openWorld, type TestWorld} from './world.ts';

let world: TestWorld;

beforeAll(() => {
  world = openWorld({'report.md': 'x'});
});

afterAll(() => world.close());

/** A plan of one task with this result, as a proposal to vote on. */
function proposed(result: Partial<TaskResult>, args?: JsonObject): Proposal {
  const task = {id: 'a', description: 'Work', depends_on: [], context_mode: 'full'} as const;
  const settings = {...smallSettings('auto_reject', []), tools: builtIn};
  const state = openState({request: 'Fix it', workspace: '/w', settings});
  const plan = {
    objective: 'Fix it',
    reasoning: 'asked for',
    tasks: [{...task, ...(args ? {args} : {})}],
  };
  const done = {id: 'a', description: 'Work', status: 'succeeded', output: ''} as const;
  const results = [{...done, evidence: [], written: [], ...result}];
  return resultProposal({...state, plan, runs: [{plan, results}]});
}

/** The rules of policy/evidence that refuse it, or the verdict. */
async function against(...work: Parameters<typeof proposed>): Promise<string> {
  const {verdict, rules} = await world.consult('evidence', proposed(...work));
  return rules?.join(' ') ?? verdict;
}

test('a worker who claims a file that was not written is refused', async () => {
  const output = 'I wrote report.md.';
  expect(await against({output})).toBe('write-claim');
  const wrote = did('write_file', {path: 'report.md', content: 'x'});
  expect(await against({output, evidence: wrote})).toBe('approve');
});

test.each([
  ['echo x > report.md', 'approve'],
  ['cp README.md report.md', 'approve'],
  ['node scripts/make-report.js', 'approve'],
  ['true # report.md', 'write-claim'],
  ['ls report.md', 'write-claim'],
])('a worker who claims report.md after running %j: %s', async (command, word) => {
  const evidence = did('run_command', {command});
  expect(await against({output: 'I wrote report.md.', evidence})).toBe(word);
});

test('an unknown program cannot have written a missing file, or one that is as git has it', async () => {
  const evidence = did('run_command', {command: 'node scripts/make-report.js'});
  expect(await against({output: 'I wrote other.md.', evidence})).toBe('write-claim');
  expect(await against({output: 'I updated src/a.ts.', evidence})).toBe('write-claim');
});

const output = 'Fixed; all tests pass.';

test.each([
  ['npm test', 0, 'approve'],
  ['npm test', 1, 'tests-claim'],
  ['CI=1 node --test 2>&1', 0, 'approve'],
  ['cd src && npm test', 0, 'approve'],
  ['echo test', 0, 'tests-claim'],
  ['ls test', 0, 'tests-claim'],
  ['true # npm test', 0, 'tests-claim'],
  ['node --test --help', 0, 'tests-claim'],
  ['npm test | tail -5', 0, 'abstain'],
  ['npm test || true', 0, 'abstain'],
  ['npm test; date', 0, 'abstain'],
  ['true || npm test', 0, 'tests-claim'],
])(
  'a worker who claims that tests pass after running %j with exit code %i: %s',
  async (...[command, exitCode, word]) => {
    const ran = did('run_command', {command}, exitCode === 0 ? 'succeeded' : 'failed', exitCode);
    expect(await against({output})).toBe('tests-claim');
    expect(await against({output, evidence: ran})).toBe(word);
  },
);

test('the last run of the tests counts', async () => {
  const passed = did('run_command', {command: 'npm test'}, 'succeeded', 0);
  const failed = did('run_command', {command: 'npm test'}, 'failed', 1);
  expect(await against({output, evidence: [...failed, ...passed]})).toBe('approve');
  expect(await against({output, evidence: [...passed, ...failed]})).toBe('tests-claim');
});

test('the output of a tool is not a claim', async () => {
  const read = {output: 'All tests pass.', evidence: did('read_file', {path: 'README.md'})};
  expect(await against(read, {path: 'README.md'})).toBe('approve');
});

test('a failed task must be reported, even beside a successful one', async () => {
  expect(await against({status: 'failed', output: 'exit 1'})).toBe('failure-hidden');
});

type CallOf = NonNullable<TaskResult['calls']>[number];

const made = (tool: string, args: JsonObject, more: Partial<CallOf> = {}): CallOf => ({
  tool,
  args,
  status: 'succeeded',
  text: '',
  ...more,
});
const run = (command: string) => made('run_command', {command});
const wrote = (path: string, content = 'x') => made('write_file', {path, content});

test.each([
  ['safety', 'read-credentials', made('read_file', {path: '.env'})],
  ['safety', 'git-discard', run('git reset --hard')],
  ['safety', 'git-discard', made('run_command', {command: 'git reset --hard'}, {status: 'failed'})],
  ['scope', 'push-unasked', run('git push origin main')],
  ['scope', 'protected-config', wrote('.husky/pre-commit')],
  ['scope', 'working-dir', made('run_command', {command: 'ls', working_dir: '/etc'})],
])('policy/%s judges the calls of the run by its rule %s', async (policy, rule, call) => {
  const ballot = await world.consult(policy, proposed({output: 'Done.', calls: [call]}));
  expect(ballot).toMatchObject({verdict: 'reject', rules: [rule]});
});

const discard = {command: 'git reset --hard'};

test.each([
  ['a call that a person allowed', made('run_command', discard, {allowedBy: 'person'})],
  ['a call that was not allowed', made('run_command', discard, {status: 'rejected'})],
  ['a call that never ran', made('run_command', discard, {status: 'refused'})],
])('policy/safety accepts %s', async (_, call) => {
  const ballot = await world.consult('safety', proposed({output: 'Done.', calls: [call]}));
  expect(ballot).toMatchObject({verdict: 'approve'});
});

test.each(['safety', 'scope', 'evidence'])(
  'policy/%s accepts the calls that the request needs',
  async (policy) => {
    const calls = [
      made('read_file', {path: 'src/a.ts'}),
      made('glob_search', {pattern: '**'}),
      wrote('src/a.ts'),
      wrote('src/empty.txt', ''),
      wrote('package.json', '{"scripts": {"prepare": "tsc"}}'),
      made('edit_file', {path: 'src/b.ts', old_text: 'x', new_text: 'y'}),
      run('npm test > out.txt'),
      made('read_file', {path: 'src/empty.txt'}),
    ];
    const read = did('read_file', {path: 'src/empty.txt'});
    const ballot = await world.consult(policy, proposed({output: 'Done.', calls, evidence: read}));
    expect(ballot).toMatchObject({verdict: 'approve'});
  },
);
