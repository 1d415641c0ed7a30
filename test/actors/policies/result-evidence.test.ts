/** The policies on results as an agent proposes them. */

import {expect, test} from 'vitest';

import {evidence} from '../../../actors/policies/evidence.ts';
import {consultPolicy} from '../../../actors/policies/index.ts';
import type {JsonObject} from '../../../machines/domain/json.ts';
import type {TaskResult} from '../../../machines/domain/result.ts';
import type {Proposal} from '../../../machines/domain/review.ts';
import {openState} from '../../../machines/forms/agent/agent-state.ts';
import {resultProposal} from '../../../machines/forms/agent/proposals.ts';
import {smallSettings} from '../../machines/events/settings.ts';
import {builtIn, did} from './proposal.ts';

/** A plan of one task that ended so, as a result to vote on. */
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

/** The reasons of policy/evidence against it. */
function against(...work: Parameters<typeof proposed>): string {
  const {verdict, reasons} = evidence(proposed(...work));
  return verdict === 'reject' ? reasons.join('\n') : verdict;
}

test('a worker who claims a file that nobody wrote is refused', () => {
  const output = 'I wrote report.md.';
  expect(against({output})).toContain('evidence/write-claim');
  const wrote = did('write_file', {path: 'report.md', content: 'x'});
  expect(against({output, evidence: wrote})).toBe('approve');
});

test('a worker who claims that tests pass must have run them, with success', () => {
  const output = 'Fixed; all tests pass.';
  const command = {command: 'npm test'};
  expect(against({output})).toContain('evidence/tests-claim');
  expect(against({output, evidence: did('run_command', command, 'failed')})).toContain(
    'evidence/tests-claim',
  );
  expect(against({output, evidence: did('run_command', command)})).toBe('approve');
});

test('what a tool gave back claims nothing', () => {
  const read = {output: 'All tests pass.', evidence: did('read_file', {path: 'README.md'})};
  expect(against(read, {path: 'README.md'})).toBe('approve');
});

test('a failed task must be told, whatever a successful one says', () => {
  expect(against({status: 'failed', output: 'exit 1'})).toContain('evidence/failure-hidden');
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
  ['safety', 'mass-delete', run('rm -rf build')],
  ['safety', 'mass-delete', made('run_command', {command: 'rm -rf build'}, {status: 'failed'})],
  ['scope', 'push-unasked', run('git push origin main')],
  ['scope', 'protected-config', wrote('.husky/pre-commit')],
  ['scope', 'working-dir', made('run_command', {command: 'ls', working_dir: '/etc'})],
])('policy/%s judges what was done by its rule %s', (policy, rule, call) => {
  const ballot = consultPolicy(policy, proposed({output: 'Done.', calls: [call]}));
  expect(ballot).toMatchObject({verdict: 'reject', rules: [rule]});
});

const removal = {command: 'rm -rf build'};

test.each([
  ['what a person allowed', made('run_command', removal, {allowedBy: 'person'})],
  ['what was not allowed', made('run_command', removal, {status: 'rejected'})],
  ['what never ran', made('run_command', removal, {status: 'refused'})],
])('policy/safety has nothing against %s', (_, call) => {
  const ballot = consultPolicy('safety', proposed({output: 'Done.', calls: [call]}));
  expect(ballot).toMatchObject({verdict: 'approve'});
});

test.each(['safety', 'scope', 'evidence'])('policy/%s leaves alone what was due', (policy) => {
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
  const ballot = consultPolicy(policy, proposed({output: 'Done.', calls, evidence: read}));
  expect(ballot).toMatchObject({verdict: 'approve'});
});
