/** An evaluation: a judge cannot overrule problems found by code, and an outage does not fail the work. */

import {describe, expect, test} from 'vitest';

import type {Evidence} from '../../../../../machines/domain/evidence.ts';
import {evaluationMachine} from '../../../../../machines/forms/agent/evaluation/evaluation.ts';
import {checkedProblems} from '../../../../../machines/forms/agent/evaluation/verdict.ts';
import {byHand} from '../../../../support/by-hand.ts';
import {planOf} from '../../../events/execution.ts';
import {calling, failing, ruling, saying} from '../../../events/outcomes.ts';

const plan = planOf('plan', [{id: 'a', description: 'write x'}]);

const wrote = {tool: 'write_file', did: 'wrote', target: 'x', ok: true} as const;
const done = {
  id: 'a',
  description: 'write x',
  output: 'Done.',
  evidence: [wrote],
  written: ['x'],
};

function start(status: 'succeeded' | 'failed' = 'succeeded', output = done.output) {
  return byHand(evaluationMachine, {
    request: 'do it',
    runs: [{plan, results: [{...done, status, output}]}],
    model: 'test/decider',
    maxOutputTokens: 1000,
    maxResults: 9000,
    workspace: '/w',
  });
}

const praise = calling('evaluate_result', {successful: true, problems: []});

test('a result that its judge approves is a success', () => {
  const evaluation = start();
  evaluation.settle('files', {missing: []});
  evaluation.settle('model', praise);
  expect(evaluation.output()).toEqual({
    kind: 'judged',
    evaluation: {successful: true, problems: [], feedback: ''},
  });
});

test.each([
  ['a missing file', 'succeeded', ['x'], 'the file x is missing'],
  ['a failed task', 'failed', [], 'task a failed: Done.'],
] as const)('%s prevents a success, even if the judge approves', (_, status, missing, problem) => {
  const evaluation = start(status);
  evaluation.settle('files', {missing});
  const {transcript} = evaluation.requests('callModel')[0] ?? {};
  expect(transcript?.messages[0]?.text).toContain(problem);
  evaluation.settle('model', praise);
  expect(evaluation.output()).toMatchObject({
    kind: 'judged',
    evaluation: {successful: false, problems: [problem]},
  });
});

test('a claim that the record contradicts prevents a success, and the judge reads it as a problem found by code', () => {
  const evaluation = start('succeeded', 'I wrote x.md and all tests pass.');
  evaluation.settle('files', {missing: []});
  expect(evaluation.requests('screenProposal')).toMatchObject([
    {policies: ['evidence'], proposal: {facts: {results: [{task: 'a', isReport: true}]}}},
  ]);
  evaluation.settle('claims', ruling('reject'));
  const {transcript} = evaluation.requests('callModel')[0] ?? {};
  const problem = 'the record contradicts a claim: the rule says reject';
  expect(transcript?.messages[0]?.text).toContain(`# Problems found by code\n- "${problem}"`);
  evaluation.settle('model', praise);
  expect(evaluation.output()).toMatchObject({
    evaluation: {successful: false, problems: [problem]},
  });
});

test('a report without a claim needs no check', () => {
  const evaluation = start('succeeded', 'The port is 8080.');
  evaluation.settle('files', {missing: []});
  expect(evaluation.requests('screenProposal')).toEqual([]);
});

test('a rate limit during a repair of the verdict is waited out', () => {
  const evaluation = start();
  evaluation.settle('files', {missing: []});
  evaluation.settle('model', saying('It is fine.'));
  evaluation.settle('model', failing('rateLimited'));
  evaluation.pass('retryDelay');
  evaluation.settle('model', praise);
  expect(evaluation.output()).toMatchObject({kind: 'judged', evaluation: {successful: true}});
});

test('a judge who replies twice without a verdict fails the evaluation', () => {
  const evaluation = start();
  evaluation.settle('files', {missing: []});
  evaluation.settle('model', saying('It is fine.'));
  evaluation.settle('model', saying('I said that it is fine.'));
  expect(evaluation.output()).toMatchObject({kind: 'failed', failure: {code: 'invalid_answer'}});
});

test('an unavailable provider is waited for, and its model judges after the outage', () => {
  const evaluation = start();
  evaluation.settle('files', {missing: []});
  evaluation.settle('model', failing('auth'));
  expect(evaluation.requests('awaitResume')).toMatchObject([{code: 'auth'}]);
  evaluation.settle('resume', {resumed: true});
  expect(evaluation.open()).toEqual(['question/call/model']);
});

/** The text that the judge reads of this evidence when file `x` is missing, and the output after a favourable verdict. */
function praisedWithout(...evidence: readonly object[]) {
  const evaluation = byHand(evaluationMachine, {
    request: 'do it',
    runs: [{plan, results: [{...done, status: 'succeeded', evidence}]}],
    model: 'test/decider',
    maxOutputTokens: 1000,
    maxResults: 9000,
    workspace: '/w',
  });
  evaluation.settle('files', {missing: ['x']});
  const {text} = evaluation.requests('callModel')[0]?.transcript.messages[0] ?? {};
  evaluation.settle('model', praise);
  return {text, output: evaluation.output()};
}

test('a file that was removed after it was written is left to the judge, and is not a problem by itself', () => {
  const removed = {tool: 'run_command', did: 'ran', target: 'rm x', ok: true};
  expect(praisedWithout(wrote, removed)).toMatchObject({
    text: expect.stringContaining('# Written, and gone since\n- x'),
    output: {evaluation: {successful: true}},
  });
  expect(praisedWithout(removed, wrote)).toMatchObject({output: {evaluation: {successful: false}}});
});

function problemsAfter(
  request: string,
  evidence: readonly Evidence[],
  asksForChange?: boolean,
): readonly string[] {
  const own = asksForChange === undefined ? plan : {...plan, asks_for_change: asksForChange};
  const results = [{...done, status: 'succeeded' as const, evidence, written: []}];
  return checkedProblems({request, runs: [{plan: own, results}]}, []);
}

describe('work without a call that did what the request asks for', () => {
  const read = {tool: 'read_file', did: 'read', target: 'a.txt', ok: true} as const;
  const ran = {tool: 'run_command', did: 'ran', target: 'npm test', ok: true} as const;

  const change = expect.stringMatching(/^nothing was done: no call changed or checked anything;/);
  const nothing = expect.stringMatching(/^nothing was done: no call of a tool succeeded;/);

  test.each([
    ['Fix the failing test', [], undefined, [change]],
    ['Fix the failing test', [read], undefined, [change]],
    ['Fix the failing test', [{...ran, ok: false}], undefined, [change]],
    ['Fix the failing test', [ran], undefined, []],
    ['Fix the failing test', [read, wrote], undefined, []],
    ['テストを修正してください', [], undefined, [nothing]],
    ['What is recursion?', [], undefined, []],
    ['See to it that the port is right', [], undefined, [nothing]],
    ['See to it that the port is right', [read], undefined, []],
    ['See to it that the port is right', [read], true, [change]],
    ['Write a haiku', [], false, []],
    ['Write a haiku', [read], undefined, [change]],
  ])('%j with %j, asking for a change: %j', (request, evidence, asksForChange, problems) => {
    expect(problemsAfter(request, evidence, asksForChange)).toEqual(problems);
  });

  test('is named only when no other problem was found', () => {
    const runs = [{plan, results: [{...done, status: 'failed' as const, evidence: []}]}];
    expect(checkedProblems({request: 'Fix it', runs}, [])).toEqual(['task a failed: Done.']);
  });
});
