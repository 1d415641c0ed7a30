/** The answer at the end of a run. */

import {expect, test} from 'vitest';

import type {CallFact, TaskResult} from '../../../../machines/domain/result.ts';
import {closingByRule, closingMachine} from '../../../../machines/forms/agent/closing.ts';
import {byHand, goneThrough} from '../../../support/by-hand.ts';
import {crash} from '../../../support/hand-performer.ts';
import {crashTransitions} from '../../events/crashes.ts';
import {failing, ruling, saying} from '../../events/outcomes.ts';
import {evaluationInput} from '../../events/phases.ts';
import {uncoveredBy} from '../../explored.ts';

test('the report of the only worker is the answer, and no model is called', () => {
  const closing = byHand(closingMachine, {...evaluationInput, report: 'The port is 8080.'});
  closing.settle('claims', ruling('abstain'));
  expect(closing.requests('callModel')).toEqual([]);
  expect(closing.output()).toEqual({answer: 'The port is 8080.'});
});

test('a report with a claim is checked; if the record contradicts it, the model answers', () => {
  const closing = byHand(closingMachine, {...evaluationInput, report: 'All tests pass.'});
  expect(closing.requests('screenProposal')).toMatchObject([
    {proposal: {facts: {claims: ['All tests pass.']}}},
  ]);
  closing.settle('claims', ruling('approve'));
  expect(closing.output()).toEqual({answer: 'All tests pass.'});
  const contradicted = byHand(closingMachine, {...evaluationInput, report: 'All tests pass.'});
  contradicted.settle('claims', ruling('reject'));
  contradicted.settle('call', saying('It is done.'));
  expect(contradicted.output()).toEqual({answer: 'It is done.'});
});

test('a report that is too long is not the answer', () => {
  const closing = byHand(closingMachine, {...evaluationInput, report: 'a'.repeat(1_501)});
  closing.settle('call', saying('It is done.'));
  expect(closing.output()).toEqual({answer: 'It is done.'});
});

test('a short answer without a claim is taken as it is', () => {
  const closing = byHand(closingMachine, evaluationInput);
  closing.settle('call', saying(' The port is 8080. '));
  expect(closing.output()).toEqual({answer: 'The port is 8080.'});
});

test('an answer with a claim is checked by the rules of evidence', () => {
  const closing = byHand(closingMachine, evaluationInput);
  closing.settle('call', saying('All tests pass.'));
  expect(closing.requests('screenProposal')).toMatchObject([
    {policies: ['evidence'], proposal: {kind: 'result', facts: {claims: ['All tests pass.']}}},
  ]);
  closing.settle('claims', ruling('approve'));
  expect(closing.output()).toEqual({answer: 'All tests pass.'});
});

test('an answer that the record contradicts is dropped', () => {
  const closing = byHand(closingMachine, evaluationInput);
  closing.settle('call', saying('All tests pass.'));
  closing.settle('claims', ruling('reject'));
  expect(closing.output()).toEqual({answer: ''});
});

test.each([
  ['is blank', saying('\n ')],
  ['is too long', saying('a'.repeat(1_501))],
  ['is refused', failing('refused')],
  ['is over the budget', failing('overBudget')],
  ['has no key', failing('auth')],
])('an answer that %s is dropped, and no other one is waited for', (_, outcome) => {
  const closing = byHand(closingMachine, evaluationInput);
  closing.settle('call', outcome);
  expect(closing.output()).toEqual({answer: ''});
  expect(closing.requests('awaitResume')).toEqual([]);
});

test('the model reads the request, the results and the work that was not done, and no tool is offered', () => {
  const closing = byHand(closingMachine, evaluationInput);
  const [request] = closing.requests('callModel');
  const text = request?.transcript.messages[0]?.text ?? '';
  for (const title of ['# Request\ndo it', '# Not done\n- a']) expect(text).toContain(title);
  expect(request).toMatchObject({purpose: 'close', tools: [], isWithheld: true});
});

function taskOf(calls: readonly CallFact[], rest: Partial<TaskResult> = {}): TaskResult {
  const status = 'succeeded';
  return {
    id: 'a',
    description: 'do it',
    status,
    output: '',
    evidence: [],
    written: [],
    calls,
    ...rest,
  };
}

const wrote: CallFact = {tool: 'write_file', args: {path: 'a.txt'}, status: 'succeeded', text: ''};
const read: CallFact = {tool: 'read_file', args: {path: 'b.txt'}, status: 'succeeded', text: 'x'};
const ran: CallFact = {
  tool: 'run_command',
  args: {command: 'npm test'},
  status: 'succeeded',
  text: 'line\n'.repeat(50),
  exitCode: 0,
};
const changes = [{path: 'a.txt', added: 2, removed: 1}];

test('names reports, commands, changes and reads', () => {
  const tasks = [taskOf([wrote, read, ran])];
  const reports = ['I fixed\n  the port.'];
  expect(closingByRule({workspace: '/w', request: 'Fix it', tasks, changes, reports})).toBe(
    'I fixed the port.\nRan `npm test` (exit code 0).\nChanged: a.txt (+2 −1).\nRead: b.txt.',
  );
});

test('is in the language of the request', () => {
  const tasks = [taskOf([wrote, ran])];
  expect(
    closingByRule({workspace: '/w', request: '直してください', tasks, changes, reports: []}),
  ).toBe('`npm test` を実行しました（終了コード 0）。\n変更したファイル: a.txt (+2 −1)');
});

test.each([
  ['Fix it', 'Changed a.txt.'],
  ['Fix it', 'Replaced 3000 with 8080 in a.txt: 1 file changed.'],
  ['Fix it', 'Deleted a.txt.'],
  ['Fix it', 'Read b.txt. Then I put the port into `a.txt`.'],
  ['直してください', 'a.txt を変更しました。'],
])('to %j does not repeat the files of the report %j', (request, report) => {
  expect(
    closingByRule({workspace: '/w', request, tasks: [taskOf([wrote])], changes, reports: [report]}),
  ).toBe(report);
});

test.each([
  'Fixed the port.',
  'Changed data.txt.',
  'Changed a.txt.bak.',
  'a.txt was not changed.',
  'a.txt is unchanged, and b.txt was edited.',
])('names the changed files beside the report %j, which does not state the change', (report) => {
  expect(
    closingByRule({
      workspace: '/w',
      request: 'Fix it',
      tasks: [taskOf([wrote])],
      changes,
      reports: [report],
    }),
  ).toBe(`${report}\nChanged: a.txt (+2 −1).`);
});

test.each([
  ['Fix it', 'Nothing was done: no tool was called.'],
  ['直してください', '何も実行していません（ツールの呼び出しはありません）。'],
])('to %j says that nothing was done in a run without a call', (request, answer) => {
  expect(
    closingByRule({workspace: '/w', request, tasks: [taskOf([])], changes: [], reports: []}),
  ).toBe(answer);
});

function answerOn(tasks: readonly TaskResult[]): string {
  return closingByRule({workspace: '/w', request: 'Do it', tasks, changes: [], reports: []});
}

test('contains an output of one short line, but not a longer one', () => {
  const one = taskOf([{...ran, text: 'v24.1.0\n'}]);
  expect(answerOn([one])).toContain('Ran `npm test` (exit code 0): v24.1.0');
  expect(answerOn([taskOf([ran])])).not.toContain('line');
});

test('names work that was not done, except work that a later plan redid', () => {
  const tasks = [
    taskOf([wrote]),
    taskOf([], {id: 'b', description: 'test it', status: 'skipped'}),
    taskOf([], {id: 'c', status: 'failed', redoneBy: 'a'}),
  ];
  expect(closingByRule({workspace: '/w', request: 'Fix it', tasks, changes, reports: []})).toBe(
    'Changed: a.txt (+2 −1).\nNot done: b: test it',
  );
});

test.each([
  ['Run the tests', 'Failed: a: do it'],
  ['テストを実行して', '失敗: a: do it'],
])('to %j lists failed work as failed, not as undone', (request, line) => {
  const tasks = [taskOf([{...ran, status: 'failed', exitCode: 1}], {status: 'failed'})];
  const answer = closingByRule({workspace: '/w', request, tasks, changes: [], reports: []});
  expect(answer.split('\n')).toContain(line);
});

test('states that rejected calls were not carried out', () => {
  const rejected = {...wrote, status: 'rejected'} as const;
  const tasks = [taskOf([rejected], {status: 'skipped'})];
  const answerTo = (request: string) =>
    closingByRule({workspace: '/w', request, tasks, changes: [], reports: []});
  expect(answerTo('Fix it').split('\n')[0]).toBe('Nothing was done: no call was carried out.');
  expect(answerTo('直してください').split('\n')[0]).toBe(
    '何も実行していません（実行された呼び出しはありません）。',
  );
});

test('names files that were read, not folders that were searched', () => {
  const searched = {...read, tool: 'grep_search', args: {pattern: 'x', path: 'src'}};
  const tasks = [taskOf([searched, read])];
  expect(closingByRule({workspace: '/w', request: 'Fix it', tasks, changes: [], reports: []})).toBe(
    'No file was changed.\nRead: b.txt.',
  );
});

test('names a file that a tool wrote without a record of the change', () => {
  const tasks = [{...taskOf([wrote]), written: ['notes.txt']}];
  const answerTo = (request: string) =>
    closingByRule({workspace: '/w', request, tasks, changes: [], reports: []});
  expect(answerTo('Fix it')).toBe('Written: notes.txt.');
  expect(answerTo('直してください')).toBe('書き込んだファイル: notes.txt');
});

test('names a written file beside the changes unless one of them is of the same place', () => {
  const written = ['./a.txt', '/w/a.txt', 'sub/../a.txt', '/w/./b.txt', '../c.txt', '/wide/d.txt'];
  const tasks = [{...taskOf([wrote]), written}];
  const closed = {workspace: '/w', request: 'Fix it', tasks, changes};
  expect(closingByRule({...closed, reports: []})).toBe(
    'Changed: a.txt (+2 −1).\nWritten: b.txt, /c.txt, /wide/d.txt.',
  );
  expect(closingByRule({...closed, reports: ['Changed a.txt.']})).toBe(
    'Changed a.txt.\nWritten: b.txt, /c.txt, /wide/d.txt.',
  );
});

test('no claim whose check crashes is in the answer', () => {
  const closing = byHand(closingMachine, {...evaluationInput, report: 'All tests pass.'});
  closing.settle('claims', crash);
  closing.settle('call', saying('All tests pass.'));
  closing.settle('claims', crash);
  expect(closing.output()).toEqual({answer: ''});
});

test('an answer that is late is not waited for', () => {
  const closing = byHand(closingMachine, evaluationInput);
  closing.pass('deadline');
  expect(closing.output()).toEqual({answer: ''});
  expect(closing.open()).toEqual([]);
});

test('the tests enter every state of closing and take every transition', () => {
  expect(uncoveredBy(closingMachine, [goneThrough()], crashTransitions)).toEqual([]);
});
