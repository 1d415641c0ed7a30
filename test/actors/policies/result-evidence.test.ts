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

const run = (command: string) => did('run_command', {command});
const wrote = (path: string) => did('write_file', {path, content: 'x'});

test.each([
  ['safety', 'read-credentials', did('read_file', {path: '.env'})],
  ['safety', 'mass-delete', run('rm -rf build')],
  ['scope', 'push-unasked', run('git push origin main')],
  ['scope', 'protected-config', wrote('.husky/pre-commit')],
])('policy/%s judges what was done by its rule %s', (policy, rule, deeds) => {
  const ballot = consultPolicy(policy, proposed({output: 'Done.', evidence: deeds}));
  expect(ballot).toMatchObject({verdict: 'reject', rules: [rule]});
});

test.each(['safety', 'scope', 'evidence'])('policy/%s leaves alone what was due', (policy) => {
  const deeds = [
    ...did('read_file', {path: 'src/a.ts'}),
    ...did('glob_search', {pattern: '**'}),
    ...wrote('src/a.ts'),
    ...did('edit_file', {path: 'src/b.ts', old_text: 'x', new_text: 'y'}),
    ...run('npm test > out.txt'),
  ];
  const ballot = consultPolicy(policy, proposed({output: 'Done.', evidence: deeds}));
  expect(ballot).toMatchObject({verdict: 'approve'});
});
