/** Questions to models, and how their answers are read. */

import * as fc from 'fast-check';
import {expect, test, describe} from 'vitest';

import type {JsonObject} from '../../../machines/domain/json.ts';
import {openObjections} from '../../../machines/domain/ledger.ts';
import type {ModelFailureCode, ModelOutcome} from '../../../machines/domain/model.ts';
import {openTranscript, type ToolCall} from '../../../machines/prompts/transcript.ts';
import type {Ballot} from '../../../machines/questions/ballot.ts';
import {
  readAttack,
  readConclusion,
  readRanking,
  readRulings,
} from '../../../machines/questions/discussion.ts';
import {questionMachine, readAnswer} from '../../../machines/questions/question.ts';
import type {Reading} from '../../../machines/questions/reading.ts';
import {byHand} from '../../support/by-hand.ts';
import {crash} from '../../support/hand-performer.ts';
import {callingAll, failing, saying, voting} from '../events/outcomes.ts';

const input = {
  question: 'cast_ballot',
  purpose: 'review-plan',
  about: {round: 1},
  model: 'test/model',
  system: 'Judge.',
  transcript: openTranscript('the plan'),
  maxOutputTokens: 100,
};

const start = (more: object = {}) => byHand(questionMachine, {...input, ...more});

test('the model is offered the one tool that answers, and must call it', () => {
  expect(start().requests('callModel')).toMatchObject([
    {purpose: 'review-plan', model: 'test/model', tools: ['cast_ballot'], toolChoice: 'required'},
  ]);
});

test('a valid call is the answer', () => {
  const question = start();
  question.settle('call/model', voting('approve'));
  expect(question.output()).toMatchObject({
    kind: 'answered',
    question: 'cast_ballot',
    value: {verdict: 'approve', reasons: ['I approve'], confidence: 0.5},
    asked: 1,
    ms: 1,
  });
});

test.each([
  ['prose', saying('I approve.'), 'called no tool'],
  ['a call of another tool', callingAll(['read_file', {path: 'x'}]), 'called read_file'],
  ['two calls', callingAll(['cast_ballot', {}], ['cast_ballot', {}]), 'held 2 calls'],
  ['an unknown verdict', voting('perhaps'), 'verdict'],
  ['a ballot of another round', voting('approve', {round: 7}), 'round 7'],
  ['a reply that was cut off', failing('truncated'), '- it failed\n'],
])(
  '%s is not an answer: the model receives the problem, and is asked once more',
  (_, reply, problem) => {
    const question = start();
    question.settle('call/model', reply);
    const {transcript} = question.requests('callModel')[1] ?? {};
    expect(transcript?.messages.at(-1)?.text).toContain(problem);
    expect(transcript?.messages.at(-1)?.text).toContain('Call cast_ballot exactly once');
    question.settle('repair/model', voting('reject'));
    expect(question.output()).toMatchObject({
      kind: 'answered',
      value: {verdict: 'reject'},
      asked: 2,
    });
  },
);

test('a second invalid answer is the last', () => {
  const question = start();
  question.settle('call/model', voting('perhaps'));
  question.settle('repair/model', saying('I said perhaps.'));
  expect(question.output()).toMatchObject({
    kind: 'unanswered',
    because: 'invalid ballot',
    failure: {code: 'invalid_answer'},
    said: 'I said perhaps.',
    asked: 2,
  });
});

test('a rate limit during a repair is waited out', () => {
  const question = start();
  question.settle('call/model', saying('I approve.'));
  question.settle('repair/model', failing('rateLimited'));
  question.pass('retryDelay');
  question.settle('repair/model', voting('approve'));
  expect(question.output()).toMatchObject({
    kind: 'answered',
    value: {verdict: 'approve'},
    asked: 2,
  });
});

test('the caller may allow more repairs, or none', () => {
  const patient = start({repairs: 2});
  patient.settle('call/model', saying('well'));
  patient.settle('repair/model', saying('well'));
  patient.settle('repair/model', voting('approve'));
  expect(patient.output()).toMatchObject({kind: 'answered', asked: 3});
  const strict = start({repairs: 0});
  strict.settle('call/model', saying('well'));
  expect(strict.output()).toMatchObject({kind: 'unanswered', asked: 1});
});

test('a caller that waits has its question continued after an outage', () => {
  const question = start({waits: true});
  question.settle('call/model', saying('well'));
  question.settle('repair/model', failing('auth'));
  expect(question.open()).toEqual(['repair/resume']);
  question.settle('repair/resume', {resumed: true});
  question.settle('repair/model', voting('approve'));
  expect(question.output()).toMatchObject({kind: 'answered', asked: 2});
});

test('a failed call is not repaired', () => {
  const question = start();
  question.settle('call/model', failing('auth'));
  expect(question.output()).toMatchObject({
    kind: 'unanswered',
    because: 'auth: it failed',
    failure: {code: 'auth', message: 'it failed'},
    said: '',
  });
});

test('a bug in the performer leaves the question unanswered', () => {
  const question = start();
  question.settle('call/model', crash);
  expect(question.output()).toMatchObject({kind: 'unanswered', failure: {code: 'internal'}});
});

const valid = {verdict: 'approve', reasons: ['it is fine'], confidence: 0.9};

function call(args: JsonObject, more: Partial<ToolCall> = {}): ToolCall {
  return {id: 'call-1', name: 'cast_ballot', args, ...more};
}

function ballotReply(calls: readonly ToolCall[], text = ''): ModelOutcome {
  return {kind: 'ok', text, calls};
}

/** A reply whose only call is a valid ballot with other members. */
function cast(more: JsonObject = {}): ModelOutcome {
  return ballotReply([call({...valid, ...more})]);
}

function parsed(text: string): JsonObject {
  return JSON.parse(text);
}

function ballotIn(outcome: ModelOutcome, round: number): Reading<Ballot> {
  const asked = {question: 'cast_ballot', purpose: 'review-plan', about: {round}} as const;
  const reading = readAnswer(asked, outcome);
  if (!reading.ok) return reading;
  const {question, value} = reading.value;
  if (question !== 'cast_ballot') throw new Error(`an answer to ${question}`);
  return {ok: true, value};
}

describe('a ballot', () => {
  test('is read from one complete call', () => {
    expect(ballotIn(cast({suggested_change: 'add a test'}), 2)).toEqual({
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
    expect(ballotIn(cast({round: 2}), 2).ok).toBe(true);
    expect(ballotIn(cast({round: 1}), 2)).toEqual({
      ok: false,
      problems: ['the ballot is for round 1, not for round 2'],
    });
  });

  test.each([0, -3, 1.5, '7', null])(
    'keeps a comment whose line is %j, without the line',
    (line) => {
      const comment = {file: 'a.ts', severity: 'minor', message: 'slow'};
      const comments = Array.from({length: 201}, () => ({...comment, line}));
      expect(ballotIn(cast({comments}), 1)).toMatchObject({
        ok: true,
        value: {comments: Array.from({length: 201}, () => comment)},
      });
    },
  );

  test('that approves despite a major comment is refused, and counts as a rejection', () => {
    const comment = {file: 'a.ts', line: 1, severity: 'major', message: 'slow'};
    const reading = ballotIn(cast({comments: [comment]}), 1);
    expect(reading).toMatchObject({ok: false, problems: [expect.stringContaining('major')]});
  });

  test('is refused with the problem', () => {
    expect(ballotProblem(ballotReply([]))).toContain('cast_ballot');
    expect(ballotProblem(ballotReply([call(valid, {name: 'write_file'})]))).toContain('write_file');
    expect(ballotProblem(cast({verdict: 'yes'}))).toContain('verdict');
    expect(ballotProblem({kind: 'truncated', message: 'cut off at 10 tokens'})).toContain(
      'cut off',
    );
  });
});

function ballotProblem(outcome: ModelOutcome): string {
  const reading = ballotIn(outcome, 1);
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
      const reading = ballotIn(outcome, 1);
      const approves = reading.ok && reading.value.verdict === 'approve';
      if (approves) approvals += 1;
      expect(approves).toBe(mayApprove(outcome));
    }),
    {numRuns: 1_000},
  );
  expect(approvals).toBeGreaterThan(0);
});

/** Replies as a model adapter returns them. The ids refer to the corpus of hostile inputs. */
const hostile: Readonly<Record<string, ModelOutcome>> = {
  'V02 a cut-off reply': {kind: 'truncated', message: 'the reply was cut off'},
  'V02 cut-off arguments': ballotReply([call({}, {problem: 'no valid JSON: {"verdict":"appro'})]),
  'V03 a key given twice': ballotReply([
    call(valid, {problem: 'the key "verdict" is given twice'}),
  ]),
  'V05 prose with two objects': ballotReply(
    [],
    '```json\n{"verdict":"reject"}\n```{"verdict":"approve"}',
  ),
  'V06 prose that approves': ballotReply([], 'I approve. Actually {"verdict":"reject"}'),
  'V08 a Cyrillic letter': cast({verdict: '\u0430pprove'}),
  'V09 a zero-width space': cast({verdict: 'approve\u200B'}),
  'V09 capitals and a space': cast({verdict: 'APPROVE '}),
  'V09 a null character': cast({verdict: 'approve\u0000'}),
  'V11 the same ballot twice': ballotReply([call(valid), call(valid, {id: 'call-2'})]),
  'V12 a ballot for an earlier round': cast({round: 1}),
  'V15 a quoted ballot': ballotReply([], `The plan says ${JSON.stringify(valid)}`),
  'V17 brackets without end': ballotReply([], '['.repeat(100_000)),
  'V18 a prototype': ballotReply([
    call(parsed('{"__proto__":{"verdict":"approve","reasons":["x"],"confidence":1}}')),
  ]),
  'V18 a prototype beside a ballot': ballotReply([
    call(parsed(`{"__proto__":{},"verdict":"approve","reasons":["x"],"confidence":1}`)),
  ]),
  'V18 a constructor': ballotReply([call({...valid, constructor: {prototype: {x: 1}}})]),
  'V21 nothing': ballotReply([], ''),
  'V21 white space': ballotReply([], ' \n\t '),
  'V21 thoughts only': ballotReply([], '<think>I approve</think>'),
  'a boolean verdict': cast({verdict: true}),
  'a list of verdicts': cast({verdict: ['approve']}),
  'no reasons': cast({reasons: []}),
  'blank reasons': cast({reasons: ['fine', ' \u00A0']}),
  'reasons that are not a list': cast({reasons: 'fine'}),
  'too much confidence': cast({confidence: 1.01}),
  'confidence in words': cast({confidence: '0.9'}),
  'an unknown key': cast({vote: 'reject'}),
  'a ballot beside another call': ballotReply([call(valid), call({}, {name: 'read_file'})]),
  'a ballot inside another': ballotReply([call({ballot: valid})]),
};

describe('a hostile reply', () => {
  test.each(Object.entries(hostile))('is not a ballot: %s', (_id, outcome) => {
    const reading = ballotIn(outcome, 2);
    expect(reading.ok ? reading.value : undefined).toBeUndefined();
    expect(reading.ok ? '' : reading.problems.join()).not.toBe('');
    expect('verdict' in {}).toBe(false);
  });

  test('nested a hundred thousand deep is refused without a stack overflow', () => {
    let deep: JsonObject = {};
    for (let i = 0; i < 100_000; i += 1) deep = {deep};
    expect(ballotIn(cast({...deep}), 1).ok).toBe(false);
    expect(ballotIn(cast({reasons: [deep]}), 1).ok).toBe(false);
  });

  test('with a lone surrogate leaves text that every store accepts', () => {
    const reading = ballotIn(cast({reasons: ['bad \uD800 text'], suggested_change: '\uDC00'}), 1);
    expect(reading).toMatchObject({
      value: {reasons: ['bad \uFFFD text'], suggestedChange: '\uFFFD'},
    });
  });
});

const labels = ['Response A', 'Response B'];

function review(label: string, more: object = {}) {
  return {
    label,
    assessment: 'it is clear',
    strengths: ['short'],
    weaknesses: [],
    score: 7,
    ...more,
  };
}

const discussionValid = {
  ranking: ['Response B', 'Response A'],
  reviews: labels.map((label) => review(label)),
};

function problemsOf(reading: Reading<unknown>): string {
  return reading.ok ? '' : reading.problems.join('; ');
}

describe('a ranking', () => {
  test('holds each label once, the best first, with a review of each', () => {
    expect(readRanking(discussionValid, {labels})).toEqual({ok: true, value: discussionValid});
  });

  test('may leave out strengths and weaknesses', () => {
    const bare = {
      ...discussionValid,
      reviews: labels.map((label) => review(label, {strengths: null, weaknesses: null})),
    };
    expect(readRanking(bare, {labels})).toMatchObject({
      ok: true,
      value: {reviews: [{strengths: [], weaknesses: []}, {}]},
    });
  });

  test.each([
    ['of too few labels', {ranking: ['Response A']}, 'ranking: Response B is missing'],
    [
      'of an unknown label',
      {ranking: [...labels, 'Response C']},
      'ranking: there is no "Response C"',
    ],
    [
      'of the same label twice',
      {ranking: [...labels, 'Response A']},
      'ranking: "Response A" occurs twice',
    ],
    ['without a review', {reviews: [review('Response A')]}, 'reviews: Response B is missing'],
    [
      'with a score out of range',
      {reviews: labels.map((label) => review(label, {score: 11}))},
      '10',
    ],
    [
      'with a blank assessment',
      {reviews: labels.map((label) => review(label, {assessment: ' '}))},
      'assessment',
    ],
    ['with an unknown key', {winner: 'me'}, 'winner'],
  ])('%s is invalid', (_, change, problem) => {
    expect(problemsOf(readRanking({...discussionValid, ...change}, {labels}))).toContain(problem);
  });
});

describe('a conclusion', () => {
  const conclusion = {conclusion: 'Yes.', key_points: ['a'], agreements: [], disagreements: ['b']};

  test('is read with its points', () => {
    expect(readConclusion(conclusion)).toEqual({ok: true, value: conclusion});
  });

  test('does not keep a lone surrogate', () => {
    expect(readConclusion({...conclusion, conclusion: 'Yes \ud800'})).toMatchObject({
      value: {conclusion: 'Yes \ufffd'},
    });
  });

  test.each([
    ['blank', {conclusion: ' '}],
    ['without a list', {agreements: undefined}],
    ['with a blank point', {key_points: ['']}],
  ])('that is %s is invalid', (_, change) => {
    expect(readConclusion({...conclusion, ...change}).ok).toBe(false);
  });
});

const raised = {id: 'O1', round: 1, severity: 'major', objection: 'It fails.'} as const;

test('the open objections are listed with their evidence and the last answer', () => {
  expect(
    openObjections([
      {...raised, evidence: 'the log of May', answer: 'It does not.', ruling: 'stands'},
      {...raised, id: 'O2', ruling: 'resolved'},
      {...raised, id: 'O3', ruling: 'withdrawn'},
      {...raised, id: 'O4', severity: 'minor'},
    ]),
  ).toEqual(['major: It fails. (the log of May); answered: It does not.', 'minor: It fails.']);
});

test.each([
  ['an unknown severity', {objections: [{severity: 'fatal', objection: 'x'}]}, 'severity'],
  [
    'more objections than the limit',
    {objections: Array.from({length: 11}, () => ({severity: 'minor', objection: 'x'}))},
    '10',
  ],
  [
    'a withdrawal of an objection that is not open',
    {objections: [], withdrawn: ['O9']},
    'no open objection is called O9',
  ],
])('an attack with %s is invalid', (_, args, problem) => {
  const reading = readAttack(args, {open: ['O1']});
  expect(reading.ok ? '' : reading.problems.join()).toContain(problem);
});

test('rulings on a closed objection, or twice on the same one, are invalid', () => {
  const rulings = ['O1', 'O1', 'O2'].map((id) => ({id, ruling: 'stands', reason: 'so'}));
  expect(readRulings({rulings}, {open: ['O1']})).toEqual({
    ok: false,
    problems: ['O1, O2 is not open, or occurs twice'],
  });
});
