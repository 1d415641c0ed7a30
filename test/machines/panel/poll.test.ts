/** A poll, and the calls that it makes. */

import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';

import {type Authored, labelFor} from '../../../machines/panel/names.ts';
import {pollMachine, type PollSeat} from '../../../machines/panel/poll.ts';
import {verdictOnCall} from '../../../machines/panel/quorum.ts';
import type {RecordedRound} from '../../../machines/panel/recorded-votes.ts';
import {
  type CountedSeat,
  decide,
  decideEarly,
  ruleOrStrictest,
} from '../../../machines/panel/rule.ts';
import {openTranscript} from '../../../machines/prompts/transcript.ts';
import {type Ballot, readCallsBallot} from '../../../machines/questions/ballot.ts';
import {byHand} from '../../support/by-hand.ts';
import {crash} from '../../support/hand-performer.ts';
import {calling, failing, saying, voting} from '../events/outcomes.ts';
import {valueIn} from '../laws-record.ts';

function ballotSeat(id: string): PollSeat {
  return {
    id,
    filledBy: 'model',
    ask: {
      question: 'cast_ballot',
      purpose: 'review-plan',
      about: {round: 1},
      model: id,
      system: '',
      transcript: openTranscript('the plan'),
      maxOutputTokens: 100,
    },
  };
}

function speaker(id: string): PollSeat {
  return {
    id,
    filledBy: 'speaker',
    ask: {
      purpose: 'discuss',
      model: id,
      system: '',
      transcript: openTranscript('the question'),
      tools: [],
      toolChoice: 'none',
      maxOutputTokens: 100,
    },
  };
}

const start = (...seats: readonly PollSeat[]) =>
  byHand(pollMachine, {subject: 'the plan', seats, deadlineMs: 1_000});

/** A poll that continues with one answer. */
const startContent = (...seats: readonly PollSeat[]) =>
  byHand(pollMachine, {subject: 'the question', seats, deadlineMs: 1_000, enough: 1});

test('all seats are asked at once', () => {
  const poll = start(ballotSeat('test/a'), speaker('test/b'));
  expect(poll.open()).toEqual([
    'seat:test%2Fa/call/model',
    'seat:test%2Fb/model',
    'subject xstate.after.deadline.poll.polling',
  ]);
});

test('each answer is reported as it arrives, and all of them at the end', () => {
  const poll = start(ballotSeat('test/a'), ballotSeat('test/b'));
  poll.settle('test%2Fb', voting('reject'));
  expect(poll.messages()).toMatchObject([
    {type: 'seat.settled', subject: 'the plan', seat: 'test/b', answer: {kind: 'answered'}},
  ]);
  expect(poll.output()).toBeUndefined();
  poll.settle('test%2Fa', voting('approve'));
  expect(poll.output()).toMatchObject({
    'test/a': {kind: 'answered', question: 'cast_ballot', value: {verdict: 'approve'}},
    'test/b': {kind: 'answered', question: 'cast_ballot', value: {verdict: 'reject'}},
  });
});

test('a seat that fails or crashes has a reason instead of an answer', () => {
  const poll = start(ballotSeat('test/a'), speaker('test/b'));
  poll.settle('test%2Fa', failing('refused'));
  poll.settle('test%2Fb', crash);
  expect(poll.output()).toMatchObject({
    'test/a': {kind: 'unanswered', because: 'refused: it failed'},
    'test/b': {kind: 'unanswered', because: `internal: ${crash.crash}`},
  });
});

test('the deadline ends the poll, and withdraws the requests of seats still out', () => {
  const poll = start(ballotSeat('test/a'), ballotSeat('test/b'));
  poll.settle('test%2Fa', voting('approve'));
  poll.pass('deadline');
  expect(poll.output()).toMatchObject({
    'test/a': {kind: 'answered'},
    'test/b': {kind: 'unanswered', because: 'deadline passed'},
  });
  expect(poll.open()).toEqual([]);
});

test('a seat whose model is down is out until it is asked again, with a deadline of its own', () => {
  const poll = start(ballotSeat('test/a'), ballotSeat('test/b'));
  poll.settle('test%2Fa', failing('auth'));
  expect(poll.messages()).toMatchObject([
    {type: 'seat.missed', subject: 'the plan', seat: 'test/a', because: 'auth: it failed'},
  ]);
  poll.settle('test%2Fb', voting('approve'));
  expect(poll.open()).toEqual(['resume']);
  expect(poll.requests('awaitResume')).toMatchObject([{model: 'test/a', code: 'auth'}]);
  poll.settle('resume', {resumed: true});
  expect(poll.messages().at(-1)).toMatchObject({type: 'seat.asked', seat: 'test/a'});
  expect(poll.open()).toEqual([
    'seat:test%2Fa/call/model',
    'subject xstate.after.deadline.poll.polling',
  ]);
  poll.settle('test%2Fa', voting('reject'));
  expect(poll.output()).toMatchObject({'test/a': {value: {verdict: 'reject'}}});
});

test('the deadline settles a silent seat, but not a seat whose model is down', () => {
  const poll = start(ballotSeat('test/a'), ballotSeat('test/b'));
  poll.settle('test%2Fa', failing('auth'));
  poll.pass('deadline');
  expect(poll.open()).toEqual(['resume']);
  expect(poll.messages().at(-1)).toMatchObject({
    type: 'seat.settled',
    seat: 'test/b',
    answer: {kind: 'unanswered', because: 'deadline passed'},
  });
});

test('a poll without seats ends at once', () => {
  expect(start().output()).toEqual({});
});

test('a speaker answers in words, and an empty reply is not an answer', () => {
  const poll = start(speaker('test/a'), speaker('test/b'), speaker('test/c'));
  expect(poll.requests('callModel')).toMatchObject([{purpose: 'discuss', tools: []}, {}, {}]);
  poll.settle('test%2Fa', saying(' It depends.\n'));
  poll.settle('test%2Fb', saying('  '));
  poll.settle('test%2Fc', failing('refused'));
  expect(poll.output()).toMatchObject({
    'test/a': {kind: 'said', text: 'It depends.'},
    'test/b': {kind: 'unanswered', because: 'it said nothing'},
    'test/c': {kind: 'unanswered', because: 'refused: it failed'},
  });
});

test('with enough answers, the poll does not wait for a model that is down', () => {
  const poll = startContent(speaker('test/a'), speaker('test/b'));
  poll.settle('test%2Fa', failing('auth'));
  expect(poll.open()).toContain('seat:test%2Fb/model');
  poll.settle('test%2Fb', saying('It depends.'));
  expect(poll.output()).toMatchObject({
    'test/a': {kind: 'unanswered', because: 'auth: it failed', outage: {code: 'auth'}},
    'test/b': {kind: 'said'},
  });
});

test('a seat whose provider asks for a wait beyond the deadline is down, not late', () => {
  const poll = start(ballotSeat('test/a'));
  const overloaded = {kind: 'overloaded', message: 'busy', retryMs: 300_000, retryAfterMs: 2_000};
  poll.settle('test%2Fa', overloaded);
  expect(poll.messages()).toMatchObject([
    {type: 'seat.missed', seat: 'test/a', because: 'overloaded: busy'},
  ]);
});

test('with enough answers, the deadline ends the poll, though a model is down', () => {
  const poll = startContent(speaker('test/a'), speaker('test/b'), speaker('test/c'));
  poll.settle('test%2Fa', failing('auth'));
  poll.settle('test%2Fb', saying('It depends.'));
  poll.pass('deadline');
  expect(poll.output()).toMatchObject({
    'test/a': {kind: 'unanswered', outage: {model: 'test/a'}},
    'test/b': {kind: 'said'},
    'test/c': {kind: 'unanswered', because: 'deadline passed'},
  });
});

test('without an answer, the poll waits for models that are down', () => {
  const poll = startContent(speaker('test/a'), speaker('test/b'));
  poll.settle('test%2Fa', failing('auth'));
  poll.settle('test%2Fb', failing('refused'));
  expect(poll.open()).toEqual(['resume']);
  poll.settle('resume', {resumed: true});
  poll.settle('test%2Fa', saying('It depends.'));
  expect(poll.output()).toMatchObject({'test/a': {kind: 'said'}, 'test/b': {kind: 'unanswered'}});
});

describe('labels', () => {
  const answers = ['a', 'b', 'c', 'd', 'e'].map((by) => ({by, text: `${by} says so`}));

  test('hide names, omit the answer of the reader, and keep the order of a reader', () => {
    const shown = labelFor('c', answers, 'the question');
    expect(shown.map(({label}) => label)).toEqual([
      'Response A',
      'Response B',
      'Response C',
      'Response D',
    ]);
    expect(shown.map(({by}) => by).toSorted()).toEqual(['a', 'b', 'd', 'e']);
    expect(labelFor('c', answers.toReversed(), 'the question')).toEqual(shown);
  });

  test('have a separate order for each reader and each question', () => {
    const readers = Array.from({length: 20}, (_, i) => `reader-${i}`);
    const orders = (seed: string) =>
      readers.map((reader) =>
        labelFor(reader, answers, seed)
          .map(({by}) => by)
          .join(''),
      );
    expect(new Set(orders('one')).size).toBeGreaterThan(10);
    expect(orders('one')).not.toEqual(orders('two'));
  });

  test('continue after Z', () => {
    const many = Array.from({length: 28}, (_, i) => ({by: `${i}`, text: ''}));
    expect(
      labelFor('', many, '')
        .slice(25)
        .map(({label}) => label),
    ).toEqual(['Response Z', 'Response AA', 'Response AB']);
  });
});

const models = ['test/a', 'test/b', 'test/c'];

function drafter(model: string): PollSeat {
  return {
    id: model,
    filledBy: 'model',
    ask: {
      question: 'create_plan',
      purpose: 'plan',
      about: {tools: [], ground: {settled: [], open: []}},
      model,
      system: '',
      transcript: openTranscript('Plan it.'),
      maxOutputTokens: 100,
    },
  };
}

function judge(model: string, drafts: readonly Authored[]): PollSeat {
  const shown = labelFor(model, drafts, 'Plan it.').map(({label, text}) => `${label}: ${text}`);
  return {
    id: model,
    filledBy: 'model',
    ask: {
      question: 'evaluate_result',
      purpose: 'evaluate',
      about: {},
      model,
      system: '',
      transcript: openTranscript(shown.join('\n')),
      maxOutputTokens: 100,
    },
  };
}

test('polls compose: authors draft in parallel, then each judges the drafts of the others without names', () => {
  const drafting = start(...models.map(drafter));
  for (const [i, model] of models.entries()) {
    const plan = {objective: `idea ${i}`, reasoning: '', tasks: [{id: '1', description: 'do it'}]};
    drafting.settle(encodeURIComponent(model), calling('create_plan', plan));
  }
  const drafts = models.map((by) => ({
    by,
    text: String(valueIn(drafting.output(), by, 'value', 'objective')),
  }));
  const judging = start(...models.map((model) => judge(model, drafts)));
  const asked = judging.requests('callModel').map(({transcript}) => transcript.messages[0]?.text);
  for (const [i, text = ''] of asked.entries()) {
    const others = ['idea 0', 'idea 1', 'idea 2'].filter((_, each) => each !== i);
    expect(text.match(/idea \d/g)?.toSorted()).toEqual(others);
    expect(text.match(/Response ./g)).toEqual(['Response A', 'Response B']);
    expect(text).not.toContain('test/');
  }
  for (const model of models) {
    const praise = {successful: true, problems: []};
    judging.settle(encodeURIComponent(model), calling('evaluate_result', praise));
  }
  expect(Object.values(judging.output() ?? {})).toMatchObject(
    models.map(() => ({question: 'evaluate_result', value: {successful: true}})),
  );
});

function read(calls: number, verdict: string, own: readonly (readonly [number, string])[]) {
  const args = {
    verdict,
    reasons: ['on the whole'],
    confidence: 1,
    calls: own.map(([number, each]) => ({number, verdict: each, reasons: [`on ${number}`]})),
  };
  return readCallsBallot(args, {round: 1, calls});
}

function ballotOf(...args: Parameters<typeof read>): Ballot {
  const reading = read(...args);
  if (!reading.ok) throw new Error(reading.problems.join());
  return reading.value;
}

const verdictsIn = ({calls = []}: Ballot) => calls.map(({verdict}) => verdict);

describe('a ballot on several calls', () => {
  test('without a call of its own is a ballot on all of them', () => {
    expect(ballotOf(2, 'approve', [])).toEqual({
      verdict: 'approve',
      reasons: ['on the whole'],
      confidence: 1,
    });
  });

  test('that approves, but rejects a call, rejects the whole with the reasons on that call', () => {
    const ballot = ballotOf(3, 'approve', [[2, 'reject']]);
    expect(ballot).toMatchObject({verdict: 'reject', reasons: ['call 2: on 2']});
    expect(verdictsIn(ballot)).toEqual(['approve', 'reject', 'approve']);
  });

  test('that rejects approves only the calls that it names', () => {
    const ballot = ballotOf(3, 'reject', [[1, 'approve']]);
    expect(ballot).toMatchObject({verdict: 'reject', reasons: ['on the whole']});
    expect(verdictsIn(ballot)).toEqual(['approve', 'reject', 'reject']);
  });

  test('that abstains approves no call', () => {
    expect(verdictsIn(ballotOf(2, 'abstain', [[1, 'approve']]))).toEqual(['abstain', 'abstain']);
  });

  test.each([
    ['names a call that does not exist', 'approve', [[3, 'reject']], 'there is no call 3'],
    [
      'has two verdicts on a call',
      'approve',
      [
        [1, 'reject'],
        [1, 'approve'],
      ],
      'two verdicts',
    ],
    [
      'rejects none of its calls',
      'reject',
      [
        [1, 'approve'],
        [2, 'approve'],
      ],
      'none of its calls',
    ],
  ] as const)('that %s is refused', (_, verdict, own, problem) => {
    expect(read(2, verdict, own)).toMatchObject({
      ok: false,
      problems: [expect.stringContaining(problem)],
    });
  });
});

const verdicts = fc.constantFrom('approve', 'reject', 'abstain');
const count = 3;

const panel = fc.record({
  rule: fc.constantFrom('majority', 'unanimous', 'at_least:2', '67%'),
  required: fc.integer({min: 0, max: 3}),
  seats: fc.array(
    fc.record({
      weight: fc.constantFrom(1, 1, 2, 0.5),
      veto: fc.boolean(),
      whole: verdicts,
      own: fc.uniqueArray(fc.tuple(fc.integer({min: 1, max: count}), verdicts), {
        selector: ([number]) => number,
        maxLength: count,
      }),
      order: fc.nat(),
      isLate: fc.boolean(),
    }),
    {minLength: 1, maxLength: 5},
  ),
});

type Panel = typeof panel extends fc.Arbitrary<infer Value> ? Value : never;

/** The record of a round in which these seats have cast their ballots. */
function roundOf({rule, required, seats}: Panel, heard: ReadonlySet<number>): RecordedRound {
  const ids = seats.map((_, at) => `s${at}`);
  return {
    round: 1,
    kind: 'action',
    title: '',
    rule,
    verdict: 'rejected',
    summary: '',
    seats: ids,
    weights: Object.fromEntries(seats.map(({weight}, at) => [`s${at}`, weight])),
    vetoes: ids.filter((_, at) => seats[at]?.veto),
    participation: {cast: 0, required},
    votes: seats.flatMap(({whole, own}, at) => {
      const ballot = read(count, whole, own);
      return heard.has(at) && ballot.ok ? [{model: `s${at}`, ...ballot.value}] : [];
    }),
  };
}

/** The seats with their votes on the call; a ballot that does not name it says the same of it as of the whole. */
function countedOn(round: RecordedRound, number: number): CountedSeat[] {
  const {weights = {}, vetoes = []} = round;
  return round.seats.map((seat) => ({
    seat,
    weight: weights[seat] ?? 1,
    veto: vetoes.includes(seat),
    vote: voteOn(round, seat, number),
  }));
}

function voteOn({votes}: RecordedRound, seat: string, number: number): CountedSeat['vote'] {
  const vote = votes.find(({model}) => model === seat);
  const own = vote?.calls?.find((call) => call.number === number) ?? vote;
  return own?.verdict ?? 'out';
}

const numbers = Array.from({length: count}, (_, at) => at + 1);

function holds<Value>(
  values: fc.Arbitrary<Value>,
  faults: (value: Value) => readonly string[],
): void {
  fc.assert(fc.property(values, (value) => faults(value).length === 0));
}

function lateChanges(one: Panel): string[] {
  const order = [...one.seats.entries()]
    .toSorted(([, a], [, b]) => a.order - b.order)
    .map(([at]) => at);
  const all = roundOf(one, new Set(order));
  return order.flatMap((_, heard) => {
    const early = roundOf(one, new Set(order.slice(0, heard)));
    return numbers
      .map((number) => [verdictOnCall(early, number), verdictOnCall(all, number)])
      .filter(([now, full]) => now !== 'open' && now !== full)
      .map((pair) => pair.join(' and '));
  });
}

test('a decision on a call, in every order of arrival, is the one with all ballots in', () => {
  expect(() => holds(panel, lateChanges)).not.toThrow();
});

function falseApprovals(one: Panel): string[] {
  const heard = new Set(one.seats.flatMap(({isLate}, at) => (isLate ? [] : [at])));
  const round = roundOf(one, heard);
  const approved = numbers.filter((number) => verdictOnCall(round, number) === 'approved');
  return approved.flatMap((number) => {
    const approvals = countedOn(round, number).map(onlyApproval);
    const verdict = decide(ruleOrStrictest(round.rule), approvals, 0);
    return verdict === 'approved' ? [] : [`call ${number}: ${verdict}`];
  });
}

test('only ballots that approve a call contribute to its approval', () => {
  expect(() => holds(panel, falseApprovals)).not.toThrow();
});

function onlyApproval(seat: CountedSeat): CountedSeat {
  return seat.vote === 'approve' ? seat : Object.assign({}, seat, {veto: false, vote: 'abstain'});
}

function unapprovedCalls(one: Panel): string[] {
  const round = roundOf(one, new Set(one.seats.keys()));
  const whole = decideEarly(ruleOrStrictest(round.rule), countedOn(round, 0), one.required);
  const others = numbers.filter((number) => verdictOnCall(round, number) !== 'approved');
  return whole === 'approved' ? others.map((number) => `call ${number}`) : [];
}

test('an approval of the whole is an approval of each call', () => {
  expect(() => holds(panel, unapprovedCalls)).not.toThrow();
});
