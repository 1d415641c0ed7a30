/** The evaluation of results, and the text in which a judge reads them. */

import {describe, expect, test} from 'vitest';

import type {Evidence} from '../../../../machines/domain/evidence.ts';
import {bytesOf} from '../../../../machines/domain/text-limits.ts';
import type {ToolResult} from '../../../../machines/domain/tool.ts';
import {evaluationMachine} from '../../../../machines/forms/agent/evaluation/evaluation.ts';
import {
  feedbackText,
  resultsText,
} from '../../../../machines/forms/agent/evaluation/results-text.ts';
import {checkedProblems} from '../../../../machines/forms/agent/evaluation/verdict.ts';
import type {PlanRun} from '../../../../machines/forms/agent/execution/open-work.ts';
import {
  resultOfCall,
  resultOfLoop,
} from '../../../../machines/forms/agent/execution/task-result.ts';
import {byHand, goneThrough} from '../../../support/by-hand.ts';
import {crash} from '../../../support/hand-performer.ts';
import {crashTransitions} from '../../events/crashes.ts';
import {planOf} from '../../events/execution.ts';
import {calling, failing, ruling, saying} from '../../events/outcomes.ts';
import {evaluationInput} from '../../events/phases.ts';
import {runCommand, writeFile} from '../../events/settings.ts';
import {uncoveredBy} from '../../explored.ts';

const plan = planOf('plan', [{id: 'a', description: 'write x'}]);

const wrote = {tool: 'write_file', did: 'wrote', target: 'x', ok: true} as const;
const done = {id: 'a', description: 'write x', output: 'Done.', evidence: [wrote], written: ['x']};

function start(status: 'succeeded' | 'failed' = 'succeeded', output = done.output) {
  return byHand(evaluationMachine, {
    ...evaluationInput,
    runs: [{plan, results: [{...done, status, output}]}],
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
  expect(evaluation.output()).toMatchObject({evaluation: {successful: false, problems: [problem]}});
});

test('a missing file is a problem beside a contradicted claim', () => {
  const evaluation = start('succeeded', 'I wrote x.md and all tests pass.');
  evaluation.settle('files', {missing: ['x']});
  evaluation.settle('claims', ruling('reject'));
  evaluation.settle('model', praise);
  const problems = ['the file x is missing', expect.stringContaining('contradicts a claim')];
  expect(evaluation.output()).toMatchObject({evaluation: {successful: false, problems}});
});

test('a report without a claim needs no check', () => {
  const evaluation = start('succeeded', 'The port is 8080.');
  evaluation.settle('files', {missing: []});
  expect(evaluation.requests('screenProposal')).toEqual([]);
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
    ...evaluationInput,
    runs: [{plan, results: [{...done, status: 'succeeded', evidence}]}],
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

const shell = {...runCommand, runs: {argument: 'command', language: 'shell'}} as const;
const tools = [shell, writeFile];

function command(text: string, status: ToolResult['status'], exitCode: number, printed = '') {
  const args = {command: text};
  const failure = {code: 'exit', message: `the command exited with code ${exitCode}`};
  return {
    tool: 'run_command',
    args,
    status,
    text: printed,
    exitCode,
    thought: '',
    ...(status === 'failed' ? {failure} : {}),
  };
}

const judgedPlan = planOf('plan', [
  {id: 'a', description: 'fix it', expected_outcome: 'tests pass'},
  {id: 'b', description: 'look', tool: 'read_file', args: {path: 'x'}},
]);
const [worked, exact] = judgedPlan.tasks;

function resultOf(...steps: readonly (ToolResult & {readonly thought: string})[]) {
  if (!worked) throw new Error('there is no task');
  const output = {kind: 'answered', answer: 'All tests pass.', steps, evidence: []} as const;
  return resultOfLoop({task: worked, tools, isRedo: false}, output);
}

const change = {path: 'src/a.ts', added: 3, removed: 1, diff: '@@ -1 +1,3 @@\n-old\n+new'};
const writeStep: ToolResult & {readonly thought: string} = {
  tool: 'write_file',
  args: {path: 'src/a.ts'},
  status: 'succeeded',
  text: 'written',
  changes: [change],
  thought: '',
};

test('each call is listed with its arguments, exit code, output and diffs, beside the report of the worker', () => {
  const rejected = {...command('npm publish', 'rejected', 1, 'Not allowed. no'), exitCode: 1};
  const result = resultOf(writeStep, command('npm test', 'succeeded', 0, '12 passed'), rejected);
  const run: PlanRun = {plan: judgedPlan, results: [result]};
  expect(resultsText([run], 9_000)).toBe(`Task a (skipped): "fix it"
Expected: "tests pass"
Report of the worker, a model:
> All tests pass.
Done:
- write_file {"path":"src/a.ts"}: succeeded
Output:
> written
Changed src/a.ts +3 −1:
> @@ -1 +1,3 @@
> -old
> +new
- run_command {"command":"npm test"}: succeeded, exit code 0
Output:
> 12 passed
- run_command {"command":"npm publish"}: rejected, exit code 1
Output:
> Not allowed. no`);
});

test('a worker without a call is marked as such, and the output of an exact call is shown once', () => {
  if (!exact) throw new Error('there is no task');
  const read = {
    tool: 'read_file',
    args: {path: 'x'},
    status: 'succeeded',
    text: 'content',
  } as const;
  const results = [resultOf(), resultOfCall(exact, read, tools)];
  const text = resultsText([{plan: judgedPlan, results}], 9_000);
  expect(text).toContain('a model:\n> All tests pass.\nDone: no call was made.');
  expect(text).toMatch(/Result:\n> content\nDone:\n- read_file {"path":"x"}: succeeded$/);
});

const testing = (status: 'passed' | 'failed' | 'unknown') =>
  ({checks: [{kind: 'tests', status}]}) as const;

test('a failed command is a fact with what came later; only the last run of a check fails the task', () => {
  const failed = {...command('npm test', 'failed', 1), ...testing('failed')};
  const passed = {...command('npm test -- a', 'succeeded', 0), ...testing('passed')};
  const piped = {...command('npm test | tail', 'succeeded', 0), ...testing('unknown')};
  const search = command('grep -rn x src', 'failed', 1);
  const ended = resultOf(failed, writeStep, passed, search);
  expect(ended).toMatchObject({status: 'succeeded'});
  const text = resultsText([{plan: judgedPlan, results: [ended]}], 9_000);
  expect(text).toContain(
    '- run_command {"command":"npm test"}: failed, exit code 1, the tests: failed, a similar one succeeded later',
  );
  expect(text).toContain(
    '- run_command {"command":"grep -rn x src"}: failed, exit code 1, not repeated with success',
  );
  expect(resultOf(failed, piped)).toMatchObject({status: 'succeeded'});
  expect(resultOf(passed, failed, command('true', 'succeeded', 0))).toMatchObject({
    status: 'failed',
    failure: {message: 'the last run of the tests failed (npm test, exit code 1)'},
  });
});

test('many long results are cut to their shares, each with a note', () => {
  const long = {...resultOf(), output: 'x'.repeat(9_000)};
  const results = Array.from({length: 8}, () => long);
  const text = resultsText([{plan: judgedPlan, results}], 8_000);
  expect(text.length).toBeLessThan(8_200);
  expect(text.match(/characters cut/g)).toHaveLength(8);
});

test('results that are too long share bytes, in any language', () => {
  const long = {...resultOf(writeStep), output: '結果です。'.repeat(400)};
  const text = resultsText([{plan: judgedPlan, results: [long, long]}], 3_000);
  expect(bytesOf(text)).toBeLessThanOrEqual(3_002);
  expect(bytesOf(text)).toBeGreaterThan(2_900);
});

test('the latest results are shown within the limits for one and for all, older ones in their first lines', () => {
  const results = ['a', 'b', 'c'].map((id) => ({
    id,
    description: '調べる',
    status: 'succeeded' as const,
    output: '結果です。'.repeat(400),
    evidence: [],
    written: [],
  }));
  const shown = {maxEntryBytes: 1_500, recentFullCount: 2};
  const text = resultsText([{plan: judgedPlan, results}], 2_400, shown);
  expect(bytesOf(text)).toBeLessThanOrEqual(2_400);
  expect(bytesOf(text)).toBeGreaterThan(2_300);
  expect(text).toMatch(/^Task a \(succeeded\): "調べる"\nExpected: "tests pass"\n\nTask b/);
  expect(text).toContain(
    'Task c (succeeded): "調べる"\nReport of the worker, a model:\n> 結果です。',
  );
  const single = resultsText([{plan: judgedPlan, results}], 9_000, {...shown, recentFullCount: 1});
  expect(bytesOf(single)).toBeLessThan(1_700);
});

test('calls and changes beyond the size limit are counted, the calls by status', () => {
  const changes = Array.from({length: 500}, (_, at) => ({...change, path: `src/${at}.ts`}));
  const steps = Array.from({length: 300}, (_, at) =>
    command(`npm test ${'x'.repeat(500)} ${at}`, at % 2 === 0 ? 'failed' : 'succeeded', at % 2),
  );
  const result = resultOf({...writeStep, changes}, ...steps);
  const whole = resultsText([{plan: judgedPlan, results: [result]}], 1_000_000);
  expect(whole).toContain('\nChanged src/29.ts +3 −1:\n');
  expect(whole).toContain('\nChanged 470 more files that are not shown\n');
  const text = resultsText([{plan: judgedPlan, results: [result]}], 8_000);
  expect(bytesOf(text)).toBeLessThanOrEqual(8_000);
  expect(text).toMatch(/\n… calls that are not shown: \d{3} (?:failed|succeeded), \d{3} \w+\n/);
  expect(text).toMatch(/\n- run_command .* 299"}: succeeded, exit code 1(?:\n|$)/);
});

test('of a long task every call is a line, and the last outputs are shown', () => {
  const steps = Array.from({length: 100}, (_, at) =>
    command(
      `grep ${at} src`,
      at % 2 === 0 ? 'failed' : 'succeeded',
      at % 2 === 0 ? 1 : 0,
      `out ${at}`,
    ),
  );
  const text = resultsText([{plan: judgedPlan, results: [resultOf(...steps)]}], 60_000, {
    maxEntryBytes: 20_000,
  });
  expect(text.match(/^- run_command .*, exit code [01](?:,|$)/gm)).toHaveLength(100);
  expect(text.match(/^> out \d+$/gm)).toEqual([
    '> out 95',
    '> out 96',
    '> out 97',
    '> out 98',
    '> out 99',
  ]);
});

describe('a failure that several plans share', () => {
  const refused = 'Not allowed. Read the file first.';
  const runs = ['a', 'a2', 'a3'].map((id): PlanRun => ({
    plan: planOf('fix', [{id, description: 'fix it', expected_outcome: 'tests pass'}]),
    results: [{...resultOf(command('npm publish', 'rejected', 1, refused)), id}],
    evaluation: {successful: false, problems: [`task ${id} skipped: ${refused}`], feedback: 'Read'},
  }));

  test('is described once, at the last task, with a count', () => {
    expect(resultsText(runs, 9_000)).toBe(`Task a (skipped): "fix it"
Expected: "tests pass"
Redone by task a2
Outcome: the same as that of task a3 below

Task a2 (skipped): "fix it"
Expected: "tests pass"
Redone by task a3
Outcome: the same as that of task a3 below

Task a3 (skipped): "fix it"
Expected: "tests pass"
This outcome occurred 3 times.
Report of the worker, a model:
> All tests pass.
Done:
- run_command {"command":"npm publish"}: rejected, exit code 1
Output:
> ${refused}`);
  });

  test('is one line of the feedback, with a count', () => {
    expect(feedbackText(runs)).toBe(`Plan: "fix"
Problems and feedback:
> - task a3 skipped: ${refused} (3 times)
> Read (3 times)`);
  });

  test('is not merged with a different failure', () => {
    const [first, ...rest] = runs;
    if (!first) throw new Error('there is no run');
    const other = resultOf(command('npm publish', 'rejected', 1, 'Not allowed. No.'));
    const text = resultsText([{...first, results: [other]}, ...rest], 9_000);
    expect(text).toContain('> Not allowed. No.');
    expect(text).toContain('This outcome occurred 2 times.');
  });
});

test.each([
  ['the check of files', {files: crash}],
  ['the check of claims', {files: {missing: []}, claims: crash}],
  [
    'the wait for a provider',
    {files: {missing: []}, claims: ruling('approve'), model: failing('auth'), resume: crash},
  ],
])('a crash of %s fails the evaluation', (_, outcomes) => {
  const evaluation = start('succeeded', 'I wrote x.md and all tests pass.');
  for (const [where, outcome] of Object.entries(outcomes)) evaluation.settle(where, outcome);
  const failure = {code: 'internal', message: crash.crash};
  expect(evaluation.output()).toMatchObject({kind: 'failed', failure});
});

test('the tests enter every state of evaluation and take every transition', () => {
  expect(uncoveredBy(evaluationMachine, [goneThrough()], crashTransitions)).toEqual([]);
});
