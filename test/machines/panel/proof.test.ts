/** The theorem of diagrams/quorum.md over the arithmetic: an early decision is the decision of all ballots. */

import {readFileSync} from 'node:fs';

import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';

import {
  decide,
  decideEarly,
  type QuorumRule,
  type CountedSeat,
  tryParseRule,
  type Verdict,
} from '../../../machines/panel/rule.ts';
import {isDeep} from '../../support/depth.ts';

const votes = ['approve', 'reject', 'abstain', 'unjudged', 'out'] as const;

/**
 * The ballots that a seat still out may have. A failed, late or confused reviewer abstains. Reviewers by rule vote first;
 * only they may be unable to judge.
 */
const ballots = ['approve', 'reject', 'abstain'] as const;

type Power = Pick<CountedSeat, 'weight' | 'veto'>;

/** All counted seats, by power and then by vote. The last vote of each power is `out`. */
function countedSeatsOf(powers: readonly Power[]): CountedSeat[] {
  return powers.flatMap((power) => votes.map((vote) => ({seat: '', ...power, vote})));
}

/** Yields each multiset of at most `most` numbers below `kinds` once, as a sorted list. */
function* multisets(kinds: number, most: number, from = 0): Generator<readonly number[]> {
  yield [];
  if (most === 0) return;
  for (let first = from; first < kinds; first += 1) {
    for (const rest of multisets(kinds, most - 1, first)) yield [first, ...rest];
  }
}

interface Position {
  readonly panel: readonly number[];
  readonly seats: readonly CountedSeat[];
  /** The indices of the positions after one more ballot; empty when all seats have voted. */
  readonly next: readonly number[];
}

/**
 * Every panel of up to five seats, in every stage of its vote. Seats are interchangeable (shown below), so a panel is a
 * multiset of counted seats. The positions after one more ballot come before the position itself.
 */
function positionsOf(powers: readonly Power[]): readonly Position[] {
  const kinds = countedSeatsOf(powers);
  const panels = [...multisets(kinds.length, 5)].toSorted(
    (one, other) => one.filter(isOut).length - other.filter(isOut).length,
  );
  const places = new Map(panels.map((panel, place) => [panel.join(), place]));
  return panels.map((panel) => {
    const out = panel.findIndex(isOut);
    const after = out < 0 ? [] : ballots.map((_, ballot) => ballotFrom(panel, out, ballot).join());
    return {
      panel,
      seats: panel.flatMap((kind) => kinds[kind] ?? []),
      next: after.map((key) => places.get(key) ?? Number.NaN),
    };
  });
}

function isOut(kind: number): boolean {
  return kind % votes.length === votes.length - 1;
}

function ballotFrom(panel: readonly number[], out: number, ballot: number): number[] {
  const kind = (panel[out] ?? 0) - (votes.length - 1) + ballot;
  return panel.with(out, kind).toSorted((a, b) => a - b);
}

/** Positions at which the early decision differs from the certain one, which is computed ballot by ballot. */
function faults(
  rule: QuorumRule,
  positions: readonly Position[],
  minParticipation: number,
): string[] {
  const certain: (Verdict | undefined)[] = [];
  return positions.flatMap(({panel, seats, next}, place) => {
    const [verdict, ...others] = next.map((after) => certain[after]);
    certain[place] =
      next.length === 0
        ? decide(rule, seats, minParticipation)
        : others.every((other) => other === verdict)
          ? verdict
          : undefined;
    const early = decideEarly(rule, seats, minParticipation);
    return early === certain[place] ? [] : [`${panel.join()}: ${early}, not ${certain[place]}`];
  });
}

/** One percentage of each group that requires the same number of seats on every panel of up to five. */
const percentages = [
  ...new Map(
    Array.from({length: 100}, (_, index) => index + 1).map((percent) => [
      [1, 2, 3, 4, 5].map((seats) => Math.ceil((seats * percent) / 100)).join(),
      percent,
    ]),
  ).values(),
].map((percent) => ({kind: 'percent', percent}) as const);

const everyRule: readonly QuorumRule[] = [
  {kind: 'majority'},
  {kind: 'unanimous'},
  ...[1, 2, 3, 4, 5, 6].map((count) => ({kind: 'at_least', count}) as const),
  ...percentages,
];

const equal = positionsOf([false, true].map((veto) => ({weight: 1, veto})));
const unequal = positionsOf([
  {weight: 1, veto: false},
  {weight: 2, veto: false},
  {weight: 1, veto: true},
]);

/** The number of orders in which the seats of a panel can sit. */
function ordersOf(panel: readonly number[]): number {
  const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));
  const alike = [...Map.groupBy(panel, (kind) => kind).values()];
  return alike.reduce((orders, {length}) => orders / factorial(length), factorial(panel.length));
}

describe('on every panel of up to five seats an early decision equals the certain one', () => {
  test('where 3,003 multisets represent all 111,111 panels of seats with and without a veto', () => {
    expect(equal).toHaveLength(3_003);
    expect(equal.map(({panel}) => ordersOf(panel)).reduce((sum, orders) => sum + orders)).toBe(
      [0, 1, 2, 3, 4, 5].reduce((sum, seats) => sum + 10 ** seats, 0),
    );
  });

  const participations = [0, 1, 2, 3, 4, 5, 6];

  test.each(participations)('by every rule, with every veto, when %i must vote', (minimum) => {
    for (const rule of everyRule) {
      expect({rule, faults: faults(rule, equal, minimum)}).toEqual({rule, faults: []});
    }
  });

  test.each(participations)(
    'by the rules that weigh, with seats that weigh double, when %i must vote',
    (minimum) => {
      for (const rule of [{kind: 'majority'}, {kind: 'percent', percent: 67}] as const) {
        expect({rule, faults: faults(rule, unequal, minimum)}).toEqual({rule, faults: []});
      }
    },
  );
});

const anyRule: fc.Arbitrary<QuorumRule> = fc.oneof(
  fc.constant({kind: 'majority'} as const),
  fc.constant({kind: 'unanimous'} as const),
  fc.integer({min: 1, max: 50}).map((count) => ({kind: 'at_least', count}) as const),
  fc.integer({min: 1, max: 100}).map((percent) => ({kind: 'percent', percent}) as const),
);

const anyPanel: fc.Arbitrary<readonly CountedSeat[]> = fc
  .array(
    fc.record({
      weight: fc.oneof(
        fc.constant(1),
        fc.integer({min: 1, max: 100}).map((n) => n / 10),
      ),
      veto: fc.integer({min: 0, max: 19}).map((n) => n === 0),
      vote: fc.constantFrom('approve', 'approve', 'reject', 'abstain', 'unjudged'),
    }),
    {minLength: 1, maxLength: 50, size: 'max'},
  )
  .map((seats) => seats.map((seat, index) => ({seat: `seat ${index}`, ...seat})));

const anyArrival = anyPanel.chain((panel) =>
  fc.record({
    panel: fc.constant(panel),
    order: fc.shuffledSubarray([...panel.keys()], {minLength: panel.length}),
  }),
);

/** The panel after the seats in `arrived` and all reviewers by rule have voted; the other seats have the vote `others`. */
function panelAfter(
  panel: readonly CountedSeat[],
  arrived: ReadonlySet<number>,
  others: CountedSeat['vote'] = 'out',
): CountedSeat[] {
  const hasVoted = ({vote}: CountedSeat, index: number): boolean =>
    vote === 'unjudged' || arrived.has(index);
  return panel.map((seat, index) => (hasVoted(seat, index) ? seat : {...seat, vote: others}));
}

describe('on panels of up to fifty seats, in every order of arrival', () => {
  test('an early decision stays, and is the decision of all ballots', () => {
    fc.assert(
      fc.property(anyRule, anyArrival, fc.nat(50), (rule, {panel, order}, minimum) => {
        const verdict = decide(rule, panel, minimum);
        const early = order.map((_, count) =>
          decideEarly(rule, panelAfter(panel, new Set(order.slice(0, count))), minimum),
        );
        const first = early.findIndex((each) => each !== undefined);
        const expected = early.map((_, count) =>
          first >= 0 && count >= first ? verdict : undefined,
        );
        expect(early).toEqual(expected);
      }),
      {numRuns: isDeep ? 150 : 30},
    );
  });

  test('without an early decision, two ways of voting lead to different verdicts', () => {
    fc.assert(
      fc.property(anyRule, anyArrival, fc.nat(50), (rule, {panel, order}, minimum) => {
        const arrived = new Set(order.slice(0, panel.length / 2));
        const early = decideEarly(rule, panelAfter(panel, arrived), minimum);
        const ends = ballots.map((vote) => decide(rule, panelAfter(panel, arrived, vote), minimum));
        expect(early === undefined).toBe(new Set(ends).size > 1);
      }),
      {numRuns: isDeep ? 300 : 60},
    );
  });

  test('the seats are interchangeable: their order changes nothing', () => {
    fc.assert(
      fc.property(anyRule, anyArrival, fc.nat(50), (rule, {panel, order}, minimum) => {
        const moved = order.flatMap((place) => panel[place] ?? []);
        expect(decide(rule, moved, minimum)).toBe(decide(rule, panel, minimum));
      }),
      {numRuns: isDeep ? 300 : 60},
    );
  });
});

/** The names of the rules on the page. A rule without a name here does not compile. */
const names: Readonly<Record<QuorumRule['kind'], string>> = {
  majority: 'majority',
  unanimous: 'unanimous',
  at_least: 'at_least:N',
  percent: 'N%',
};

test('the page with the argument names exactly the existing rules', () => {
  const page = readFileSync(new URL('../../../diagrams/quorum.md', import.meta.url), 'utf8');
  const named = [...page.matchAll(/^\| `([^`]+)`/gm)].map(([, name = '']) => name);
  expect(named.toSorted()).toEqual(Object.values(names).toSorted());
  const kinds = named.map((name) => tryParseRule(name.replace('N', '1'))?.kind);
  expect(new Set(kinds)).toEqual(new Set(Object.keys(names)));
});
