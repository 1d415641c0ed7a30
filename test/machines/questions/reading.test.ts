import {expect, test} from 'vitest';
import {z} from 'zod';

import {readBallot} from '../../../machines/questions/ballot.ts';
import {readBy} from '../../../machines/questions/reading.ts';

const schema = z.strictObject({tasks: z.array(z.strictObject({id: z.string(), size: z.number()}))});

function problemsWith(value: unknown): readonly string[] {
  const reading = readBy(schema, value);
  return reading.ok ? [] : reading.problems;
}

test('each problem is listed separately, and names its place', () => {
  expect(problemsWith({tasks: [{id: 'a', size: 1}, {id: 2}], more: 1})).toEqual([
    'tasks[1].id: expected string, received number',
    'tasks[1].size: expected number, but it is missing',
    'unknown key: "more"',
  ]);
});

test('a refused ballot lists its problems in plain words', () => {
  const said = readBallot({verdict: 'APPROVED!!', reasons: ['', 'no'], confidence: -1}, {round: 1});
  expect(said.ok ? [] : said.problems.join('\n')).toContain(
    'verdict: expected one of "approve", "reject", "abstain"\nreasons[0]: must not be empty',
  );
  const none = readBallot({verdict: 'reject', reasons: [], confidence: 1}, {round: 1});
  expect(none).toMatchObject({problems: ['reasons: must not be empty']});
});

test('the text of the problems stays short, even for many problems', () => {
  const tasks = Array.from({length: 10_000}, () => ({}));
  const text = problemsWith({tasks, ['x'.repeat(100_000)]: 1}).join('\n');
  expect(text).toContain('tasks[0].id: ');
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4 * 1024);
});
