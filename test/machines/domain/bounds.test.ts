/** Each text field of a model's answer is bounded, because every other model reads it, round after round. */

import {expect, test} from 'vitest';

import {bytesOf} from '../../../machines/domain/bytes.ts';
import {readPlan} from '../../../machines/domain/plan.ts';
import {readBallot} from '../../../machines/questions/ballot.ts';
import {readEvaluation} from '../../../machines/questions/evaluation.ts';
import {maxFieldBytes} from '../../../machines/questions/reading.ts';

const endless = '長い話'.repeat(50_000);

function isCut(text = ''): boolean {
  const bytes = bytesOf(text);
  const isFull = bytes > maxFieldBytes / 2 && bytes <= maxFieldBytes;
  return isFull && /\[… \d+ characters cut …\]/.test(text);
}

test('the reasons of a ballot share one bound, and its suggested change has its own', () => {
  const reasons = Array.from({length: 19}, () => endless);
  const args = {verdict: 'reject', reasons, confidence: 1, suggested_change: endless};
  const ballot = readBallot(args, {round: 1});
  if (!ballot.ok) throw new Error(ballot.problems.join());
  expect(isCut(ballot.value.reasons.join('\n'))).toBe(true);
  expect(isCut(ballot.value.suggestedChange)).toBe(true);
  expect(ballot.value.reasons).toHaveLength(19);
});

test('each text of a plan is bounded separately; the arguments of its calls are not', () => {
  const task = {id: '1', description: endless, expected_outcome: endless, context_brief: endless};
  const call = {id: '2', description: 'write it', tool: 'write_file', args: {content: endless}};
  const value = {objective: endless, reasoning: endless, tasks: [task, call]};
  const tool = {
    name: 'write_file',
    risk: 'high',
    repeatability: 'checkable',
    timeoutMs: 1,
  } as const;
  const reading = readPlan(value, [tool]);
  if (!reading.ok) throw new Error(reading.problems.join());
  const [first, second] = reading.plan.tasks;
  expect(isCut(reading.plan.objective)).toBe(true);
  expect(isCut(reading.plan.reasoning)).toBe(true);
  expect(isCut(first?.description)).toBe(true);
  expect(isCut(first?.expected_outcome)).toBe(true);
  expect(isCut(first?.context_brief)).toBe(true);
  expect(second?.args).toEqual({content: endless});
  expect(readPlan(reading.plan, [tool])).toEqual(reading);
});

test('the problems of a refused plan or evaluation stay short for any input', () => {
  const named = {
    objective: 'o',
    reasoning: 'r',
    tasks: [{id: '1', description: 'd', tool: endless}],
  };
  const depending = {...named, tasks: [{id: '1', description: 'd', depends_on: [endless]}]};
  for (const value of [named, depending, {[endless]: 1}]) {
    const reading = readPlan(value, []);
    expect(reading.ok ? '' : reading.problems.join()).toMatch(/^.{10,5000}$/s);
  }
  const evaluation = readEvaluation({[endless]: 1});
  expect(evaluation.ok ? '' : evaluation.problems.join()).toMatch(/^.{10,5000}$/s);
});

test('the problems and the feedback of a judge are bounded', () => {
  const evaluation = readEvaluation({
    successful: false,
    problems: [{problem: endless}],
    feedback: endless,
  });
  if (!evaluation.ok) throw new Error(evaluation.problems.join());
  expect(isCut(evaluation.value.problems[0])).toBe(true);
  expect(isCut(evaluation.value.feedback)).toBe(true);
});
