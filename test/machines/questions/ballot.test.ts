import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';

import type {JsonObject} from '../../../machines/domain/json.ts';
import type {ModelFailureCode, ModelOutcome} from '../../../machines/domain/model.ts';
import type {ToolCall} from '../../../machines/prompts/transcript.ts';
import {readAnswer} from '../../../machines/questions/answer.ts';
import type {Ballot} from '../../../machines/questions/ballot.ts';
import type {Reading} from '../../../machines/questions/reading.ts';

const valid = {verdict: 'approve', reasons: ['it is fine'], confidence: 0.9};

function call(args: JsonObject, more: Partial<ToolCall> = {}): ToolCall {
  return {id: 'call-1', name: 'cast_ballot', args, ...more};
}

function reply(calls: readonly ToolCall[], text = ''): ModelOutcome {
  return {kind: 'ok', text, calls};
}

function parsed(text: string): JsonObject {
  return JSON.parse(text);
}

function readBallot(outcome: ModelOutcome, round: number): Reading<Ballot> {
  const asked = {question: 'cast_ballot', purpose: 'review-plan', about: {round}} as const;
  const reading = readAnswer(asked, outcome);
  if (!reading.ok) return reading;
  const {question, value} = reading.value;
  if (question !== 'cast_ballot') throw new Error(`an answer to ${question}`);
  return {ok: true, value};
}

describe('a ballot', () => {
  test('is read from one complete call', () => {
    expect(readBallot(reply([call({...valid, suggested_change: 'add a test'})]), 2)).toEqual({
      ok: true,
      value: {
        verdict: 'approve',
        reasons: ['it is fine'],
        confidence: 0.9,
        suggestedChange: 'add a test',
      },
    });
  });

  test('may repeat its own round, but not name another one', () => {
    expect(readBallot(reply([call({...valid, round: 2})]), 2).ok).toBe(true);
    expect(readBallot(reply([call({...valid, round: 1})]), 2)).toEqual({
      ok: false,
      problems: ['the ballot is for round 1, not for round 2'],
    });
  });

  test.each([0, -3, 1.5, '7', null])(
    'keeps a comment whose line is %j, without the line',
    (line) => {
      const comment = {file: 'a.ts', severity: 'minor', message: 'slow'};
      const comments = Array.from({length: 201}, () => ({...comment, line}));
      expect(readBallot(reply([call({...valid, comments})]), 1)).toMatchObject({
        ok: true,
        value: {comments: Array.from({length: 201}, () => comment)},
      });
    },
  );

  test('that approves despite a major comment is refused, and counts as a rejection', () => {
    const comment = {file: 'a.ts', line: 1, severity: 'major', message: 'slow'};
    const reading = readBallot(reply([call({...valid, comments: [comment]})]), 1);
    expect(reading).toMatchObject({ok: false, problems: [expect.stringContaining('major')]});
  });

  test('is refused with the problem', () => {
    expect(problem(reply([]))).toContain('cast_ballot');
    expect(problem(reply([call(valid, {name: 'write_file'})]))).toContain('write_file');
    expect(problem(reply([call({...valid, verdict: 'yes'})]))).toContain('verdict');
    expect(problem({kind: 'truncated', message: 'cut off at 10 tokens'})).toContain('cut off');
  });
});

function problem(outcome: ModelOutcome): string {
  const reading = readBallot(outcome, 1);
  return reading.ok ? '' : reading.problems.join();
}

const failures = fc.constantFrom<ModelFailureCode>(
  'refused',
  'truncated',
  'rateLimited',
  'protocol',
  'cancelled',
);
/** Generates the good value most of the time, and otherwise a bad one. */
function mostly(good: unknown, ...bad: readonly fc.Arbitrary<unknown>[]): fc.Arbitrary<unknown> {
  return fc.oneof(
    {weight: 6, arbitrary: fc.constant(good)},
    ...[...bad, fc.jsonValue()].map((arbitrary) => ({weight: 1, arbitrary})),
  );
}

const looseArgs = fc.record({
  verdict: mostly('approve', fc.constantFrom('Approve', 'reject', 'abstain', '')),
  reasons: mostly(['fine'], fc.array(fc.string({maxLength: 3}), {maxLength: 22})),
  confidence: mostly(1, fc.double({noNaN: true, min: -1, max: 2})),
  round: mostly(undefined, fc.constantFrom(1, 2, null)),
  extra: mostly(undefined),
});
const looseCalls = fc.record({
  id: fc.constant('call-1'),
  name: fc.constantFrom('cast_ballot', 'cast_ballot', 'cast_ballot', 'cast_ballot ', 'read_file'),
  args: looseArgs.map((args) => parsed(JSON.stringify(args))),
});
const outcomes: fc.Arbitrary<ModelOutcome> = fc.oneof(
  fc.record({kind: failures, message: fc.string()}),
  fc.record({
    kind: fc.constant('ok'),
    text: fc.string(),
    calls: fc.array(looseCalls, {maxLength: 2}),
  }),
);

/** The conditions for an approval, written independently of the code under test. */
function mayApprove(outcome: ModelOutcome): boolean {
  if (outcome.kind !== 'ok' || outcome.calls.length !== 1) return false;
  const {name, args} = outcome.calls[0] ?? call({});
  const {verdict, reasons, confidence, round, suggested_change: _, ...rest} = args;
  return [
    name === 'cast_ballot',
    verdict === 'approve',
    Array.isArray(reasons) && reasons.length > 0 && reasons.length <= 20 && reasons.every(isReason),
    typeof confidence === 'number' && confidence >= 0 && confidence <= 1,
    [1, null, undefined].some((own) => own === round),
    Object.keys(rest).length === 0,
  ].every(Boolean);
}

function isReason(reason: unknown): boolean {
  return typeof reason === 'string' && reason.trim() !== '';
}

test('a reply approves exactly if its only call is a valid cast_ballot that approves', () => {
  let approvals = 0;
  fc.assert(
    fc.property(outcomes, (outcome) => {
      const reading = readBallot(outcome, 1);
      const approves = reading.ok && reading.value.verdict === 'approve';
      if (approves) approvals += 1;
      expect(approves).toBe(mayApprove(outcome));
    }),
    {numRuns: 1_000},
  );
  expect(approvals).toBeGreaterThan(0);
});

/** Replies as a model adapter returns them. The ids refer to the corpus of hostile inputs. */
const hostile: readonly (readonly [id: string, outcome: ModelOutcome])[] = [
  ['V02 a cut-off reply', {kind: 'truncated', message: 'the reply was cut off'}],
  ['V02 cut-off arguments', reply([call({}, {problem: 'no valid JSON: {"verdict":"appro'})])],
  ['V03 a key given twice', reply([call(valid, {problem: 'the key "verdict" is given twice'})])],
  [
    'V05 prose with two objects',
    reply([], '```json\n{"verdict":"reject"}\n```{"verdict":"approve"}'),
  ],
  ['V06 prose that approves', reply([], 'I approve. Actually {"verdict":"reject"}')],
  ['V08 a Cyrillic letter', reply([call({...valid, verdict: '\u0430pprove'})])],
  ['V09 a zero-width space', reply([call({...valid, verdict: 'approve\u200B'})])],
  ['V09 capitals and a space', reply([call({...valid, verdict: 'APPROVE '})])],
  ['V09 a null character', reply([call({...valid, verdict: 'approve\u0000'})])],
  ['V11 the same ballot twice', reply([call(valid), call(valid, {id: 'call-2'})])],
  ['V12 a ballot for an earlier round', reply([call({...valid, round: 1})])],
  ['V15 a quoted ballot', reply([], `The plan says ${JSON.stringify(valid)}`)],
  ['V17 brackets without end', reply([], '['.repeat(100_000))],
  [
    'V18 a prototype',
    reply([call(parsed('{"__proto__":{"verdict":"approve","reasons":["x"],"confidence":1}}'))]),
  ],
  [
    'V18 a prototype beside a ballot',
    reply([call(parsed(`{"__proto__":{},"verdict":"approve","reasons":["x"],"confidence":1}`))]),
  ],
  ['V18 a constructor', reply([call({...valid, constructor: {prototype: {x: 1}}})])],
  ['V21 nothing', reply([], '')],
  ['V21 white space', reply([], ' \n\t ')],
  ['V21 thoughts only', reply([], '<think>I approve</think>')],
  ['a boolean verdict', reply([call({...valid, verdict: true})])],
  ['a list of verdicts', reply([call({...valid, verdict: ['approve']})])],
  ['no reasons', reply([call({...valid, reasons: []})])],
  ['blank reasons', reply([call({...valid, reasons: ['fine', ' \u00A0']})])],
  ['reasons that are not a list', reply([call({...valid, reasons: 'fine'})])],
  ['too much confidence', reply([call({...valid, confidence: 1.01})])],
  ['confidence in words', reply([call({...valid, confidence: '0.9'})])],
  ['an unknown key', reply([call({...valid, vote: 'reject'})])],
  ['a ballot beside another call', reply([call(valid), call({}, {name: 'read_file'})])],
  ['a ballot inside another', reply([call({ballot: valid})])],
];

describe('a hostile reply', () => {
  test.each(hostile)('is not a ballot: %s', (_id, outcome) => {
    const reading = readBallot(outcome, 2);
    expect(reading.ok ? reading.value : undefined).toBeUndefined();
    expect(reading.ok ? '' : reading.problems.join()).not.toBe('');
    expect('verdict' in {}).toBe(false);
  });

  test('nested a hundred thousand deep is refused without a stack overflow', () => {
    let deep: JsonObject = {};
    for (let i = 0; i < 100_000; i += 1) deep = {deep};
    expect(readBallot(reply([call({...valid, ...deep})]), 1).ok).toBe(false);
    expect(readBallot(reply([call({...valid, reasons: [deep]})]), 1).ok).toBe(false);
  });

  test('with a lone surrogate leaves text that every store accepts', () => {
    const reading = readBallot(
      reply([call({...valid, reasons: ['bad \uD800 text'], suggested_change: '\uDC00'})]),
      1,
    );
    expect(reading).toMatchObject({
      value: {reasons: ['bad \uFFFD text'], suggestedChange: '\uFFFD'},
    });
  });
});
