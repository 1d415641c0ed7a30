/** Votes on several calls: what a ballot means for each call, and that no order of arrival changes a decision. */

import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';

import {verdictOnCall} from '../../../machines/panel/calls.ts';
import type {RecordedRound} from '../../../machines/panel/recount.ts';
import {
  type CountedSeat,
  decide,
  decideEarly,
  ruleOrStrictest,
} from '../../../machines/panel/rule.ts';
import type {Ballot} from '../../../machines/questions/ballot.ts';
import {readCallsBallot} from '../../../machines/questions/calls-ballot.ts';

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
