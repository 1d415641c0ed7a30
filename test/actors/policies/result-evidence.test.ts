/** policy/evidence on results as an agent proposes them. */

import {expect, test} from 'vitest';

import {evidence} from '../../../actors/policies/evidence.ts';
import type {JsonObject} from '../../../machines/domain/json.ts';
import type {TaskResult} from '../../../machines/domain/result.ts';
import {openState} from '../../../machines/forms/agent/agent-state.ts';
import {resultProposal} from '../../../machines/forms/agent/proposals.ts';
import {smallSettings} from '../../machines/events/settings.ts';
import {did} from './proposal.ts';

/** The reasons against a plan of one task that ended so. */
function against(result: Partial<TaskResult>, args?: JsonObject): string {
  const task = {id: 'a', description: 'Work', context_mode: 'full'} as const;
  const state = openState({
    request: 'Fix it',
    workspace: '/w',
    settings: smallSettings('auto_reject', []),
  });
  const plan = {
    objective: 'Fix it',
    reasoning: 'asked for',
    tasks: [{...task, ...(args ? {args} : {})}],
  };
  const done = {id: 'a', description: 'Work', status: 'succeeded', output: ''} as const;
  const results = [{...done, evidence: [], written: [], ...result}];
  const {verdict, reasons} = evidence(resultProposal({...state, plan, runs: [{plan, results}]}));
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
