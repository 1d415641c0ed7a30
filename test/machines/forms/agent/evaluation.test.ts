/** What an evaluation promises: no model talks away what code has found, and no hiccup fails what was done. */

import {expect, test} from 'vitest';

import {evaluationMachine} from '../../../../machines/forms/agent/evaluation.ts';
import {byHand} from '../../../support/by-hand.ts';
import {planOf} from '../../events/execution.ts';
import {calling, failing, saying} from '../../events/outcomes.ts';
import {policySeat, smallSettings} from '../../events/settings.ts';

const plan = planOf('plan', [{id: 'a', description: 'write x'}]);

function start(status: 'succeeded' | 'failed' = 'succeeded') {
  return byHand(evaluationMachine, {
    request: 'do it',
    plan,
    results: [
      {id: 'a', description: 'write x', status, output: 'Done.', evidence: [], written: ['x']},
    ],
    settings: smallSettings('interactive', [policySeat]),
    workspace: '/w',
  });
}

const praise = calling('evaluate_result', {successful: true, problems: []});

test('a judge who is content with what was done makes it a success', () => {
  const evaluation = start();
  evaluation.settle('files', {missing: []});
  evaluation.settle('model', praise);
  expect(evaluation.output()).toEqual({
    kind: 'judged',
    evaluation: {successful: true, problems: [], feedback: ''},
  });
});

test.each([
  ['a file that is missing', 'succeeded', ['x'], 'the file x is missing'],
  ['a task that failed', 'failed', [], 'task a failed: Done.'],
] as const)('%s is no success, whatever the judge says', (_, status, missing, problem) => {
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

test('a rate limit while the verdict is mended is waited out', () => {
  const evaluation = start();
  evaluation.settle('files', {missing: []});
  evaluation.settle('model', saying('It is fine.'));
  evaluation.settle('model', failing('rateLimited'));
  evaluation.pass('retryDelay');
  evaluation.settle('model', praise);
  expect(evaluation.output()).toMatchObject({kind: 'judged', evaluation: {successful: true}});
});

test('a judge who rambles twice has not judged', () => {
  const evaluation = start();
  evaluation.settle('files', {missing: []});
  evaluation.settle('model', saying('It is fine.'));
  evaluation.settle('model', saying('I said that it is fine.'));
  expect(evaluation.output()).toMatchObject({kind: 'failed', failure: {code: 'invalid_answer'}});
});

test('a provider that is down is waited for, and judges when it is back', () => {
  const evaluation = start();
  evaluation.settle('files', {missing: []});
  evaluation.settle('model', failing('auth'));
  expect(evaluation.requests('awaitResume')).toMatchObject([{code: 'auth'}]);
  evaluation.settle('resume', {resumed: true});
  expect(evaluation.open()).toEqual(['question/call/model']);
});
