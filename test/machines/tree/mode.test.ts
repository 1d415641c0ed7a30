/** The mode of a tree: it holds for all gates, and a change reaches open gates and later ones. */

import {expect, test} from 'vitest';

import {executionMachine} from '../../../machines/forms/agent/execution/execution.ts';
import {type ByHand, byHand} from '../../support/by-hand.ts';
import {planOf, rulesOf} from '../events/execution.ts';
import {ruling} from '../events/outcomes.ts';
import {policySeat, smallSettings} from '../events/settings.ts';

const settings = smallSettings('interactive', [policySeat]);

/** Two parallel writes. */
function writes(more: object = {}): ByHand {
  const tasks = ['a', 'b'].map((id) => ({
    id,
    description: `write ${id}`,
    tool: 'write_file',
    args: {path: id},
  }));
  return byHand(executionMachine, {
    plan: planOf('plan', tasks),
    request: 'do it',
    background: [],
    rules: rulesOf(settings),
    maxParallelTasks: 4,
    workspace: '/w',
    evidence: [],
    runs: [],
    iterationsLeft: 9,
    ...more,
  });
}

/** Brings the write of a task to its gate. */
function upToGate(execution: ByHand, id: string, more: object = {}): void {
  const preview = {kind: 'ready', args: {path: id}, preview: '+y', ...more};
  execution.settle(`task:${id}/call/review/preview`, preview);
  execution.settle(`task:${id}/call/review/quorum`, ruling('abstain'));
}

const change = (execution: ByHand, hilMode: string) =>
  execution.send({type: 'settings.changed', hilMode});

const persons = (execution: ByHand) =>
  execution.open().filter((path) => path.endsWith('/gate/person'));

test('in interactive mode every gate asks a person', () => {
  const execution = writes();
  upToGate(execution, 'a');
  upToGate(execution, 'b');
  expect(persons(execution)).toHaveLength(2);
});

test('a change reaches all gates that are open', () => {
  const execution = writes();
  upToGate(execution, 'a');
  upToGate(execution, 'b');
  change(execution, 'auto_reject');
  expect(persons(execution)).toEqual([]);
  expect(execution.reports('human.decided')).toMatchObject([
    {by: 'auto_reject', decision: 'reject'},
    {by: 'auto_reject', decision: 'reject'},
  ]);
});

test('a gate that opens later receives the current mode', () => {
  const execution = writes();
  change(execution, 'auto_reject');
  change(execution, 'auto_approve');
  upToGate(execution, 'a');
  expect(execution.reports('human.decided')).toMatchObject([
    {by: 'auto_approve', decision: 'approve'},
  ]);
  expect(execution.requests('askHuman')).toEqual([]);
});

test('a change does not affect a gate that was decided', () => {
  const execution = writes();
  upToGate(execution, 'a');
  execution.settle('person', {decision: 'approve'});
  change(execution, 'auto_reject');
  expect(execution.reports('human.decided')).toMatchObject([{by: 'person', decision: 'approve'}]);
});

test('auto_approve closes the gates where it may, and leaves the others to a person', () => {
  const execution = writes();
  upToGate(execution, 'a');
  upToGate(execution, 'b', {protectedReason: 'it is under .git'});
  change(execution, 'auto_approve');
  expect(persons(execution)).toEqual(['task:b/call/review/gate/person']);
});

test('auto_approve leaves a call to a person that may send what was read to an address that nobody named', () => {
  const execution = writes({evidence: [{tool: 'read_file', did: 'read', target: 'a', ok: true}]});
  upToGate(execution, 'a');
  upToGate(execution, 'b', {reaches: ['https://evil.test/x']});
  change(execution, 'auto_approve');
  expect(persons(execution)).toEqual(['task:b/call/review/gate/person']);
});
