/** An early decision equals the decision with all ballots, for all panels of up to five seats and all orders. */

import {readFileSync} from 'node:fs';

import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';

import {ActorTree} from '../../../actors/engine/actor-tree.ts';
import {bodyOf, type Incoming} from '../../../actors/engine/incoming.ts';
import {replay} from '../../../actors/engine/replay.ts';
import type {Entry} from '../../../actors/journal/journal.ts';
import {createMemoryJournal} from '../../../actors/journal/sqlite.ts';
import {asJson} from '../../../machines/domain/json.ts';
import {quorumMachine} from '../../../machines/panel/quorum.ts';
import {
  decide,
  decideEarly,
  type QuorumRule,
  type CountedSeat,
  tryParseRule,
  type Verdict,
} from '../../../machines/panel/rule.ts';
import {ports} from '../../../machines/port-natures.ts';
import {isDeep} from '../../support/depth.ts';
import {failing, voting} from '../events/outcomes.ts';
import {proposal} from '../events/quorum.ts';
import {modelSeat} from '../events/settings.ts';
import {valueIn} from '../laws-record.ts';

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

interface Member {
  readonly weight: number;
  readonly veto: boolean;
  readonly ballot: (typeof ballots)[number];
  /** One that is late says nothing before the deadline; one that is down is asked again when the run is resumed. */
  readonly comes: 'at once' | 'late' | 'down';
}

interface Panel {
  readonly members: readonly Member[];
  readonly rule: string;
  readonly minParticipation: number;
}

function quorumInput({members, rule, minParticipation}: Panel) {
  const settings = {rule, screen: [], minParticipation, deadlineMs: 1_000, feedbackGraceMs: 100};
  return asJson({
    round: 1,
    proposal,
    seats: members.map(({weight, veto}, index) => ({...modelSeat(nameOf(index)), weight, veto})),
    settings,
    maxOutputTokens: 100,
    background: [],
    history: [],
  });
}

function nameOf(index: number): string {
  return `seat-${index}`;
}

/** More timers than the charts of one round set. */
const maxTimers = 9;

interface Decided {
  readonly round: unknown;
  readonly entries: readonly Entry[];
}

/** Runs a quorum to its end as an engine does. The seats answer in `order`. */
async function decideInOrder(panel: Panel, order: readonly number[]): Promise<Decided> {
  const tree = new ActorTree({logic: quorumMachine, ports, onReport: () => {}});
  const {log} = createMemoryJournal();
  const members = order.flatMap((index) => {
    const member = panel.members[index];
    return member ? [{...member, path: `/seat:${nameOf(index)}/`}] : [];
  });
  let at = 0;
  const take = (incoming: Incoming): void => {
    at += 1;
    const digest = tree.trail.fold();
    void log.append([{interaction: 'run', bodies: [{...bodyOf(incoming), digest}], at}]);
    tree.deliver(incoming, at);
  };
  const settle = (path: string, outcome: object): void => {
    const effect = tree.effects.open.find(({key}) => key.includes(path));
    if (effect) take({kind: 'settled', effect, outcome: asJson(outcome), ms: 1});
  };
  take({kind: 'opened', input: quorumInput(panel), version: 'test'});
  for (const {path, comes, ballot} of members) {
    if (comes !== 'late') settle(path, comes === 'down' ? failing('auth') : voting(ballot));
  }
  for (let timer = 1; timer <= maxTimers && !tree.end; timer += 1) take({kind: 'fired', timer});
  settle('/resume', {resumed: true});
  for (const {path, ballot} of members) settle(path, voting(ballot));
  return {round: valueIn(tree.end, 'output'), entries: await log.read('run')};
}

async function replayed(entries: readonly Entry[]): Promise<unknown> {
  const tree = new ActorTree({logic: quorumMachine, ports, onReport: () => {}});
  await replay({tree}, entries);
  return valueIn(tree.end, 'output');
}

/** The verdict by arithmetic, with the ballots of all seats that are not late. */
function fullDecision({members, rule, minParticipation}: Panel): unknown {
  const seats = members.map(({weight, veto, ballot, comes}): CountedSeat => {
    return {seat: '', weight, veto, vote: comes === 'late' ? 'abstain' : ballot};
  });
  const parsed = tryParseRule(rule);
  return parsed && decide(parsed, seats, minParticipation);
}

/** Every order in which different ballots may arrive. Equal seats with the same ballot are interchangeable. */
function arrivalOrders(members: readonly Member[]): readonly number[][] {
  const orders = permutations([...members.keys()]);
  const arrivals = orders.map((order) =>
    order.map((index) => fates.indexOf(members[index] ?? late)),
  );
  return [...new Map(orders.map((order, n) => [arrivals[n]?.join(), order])).values()];
}

function permutations(items: readonly number[]): number[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item) =>
    permutations(items.filter((other) => other !== item)).map((rest) => [item].concat(rest)),
  );
}

const late: Member = {weight: 1, veto: false, ballot: 'abstain', comes: 'late'};
const fates: readonly Member[] = [
  ...ballots.map((ballot) => ({weight: 1, veto: false, ballot, comes: 'at once'}) as const),
  late,
];

/** Every panel of three equal seats. The order of the seats makes no difference, because they answer in every order. */
const trios = fates.flatMap((first, a) =>
  fates.slice(a).flatMap((second, b) => fates.slice(a + b).map((third) => [first, second, third])),
);

test.each(['majority', 'unanimous', 'at_least:2'])(
  'three ballots give the same verdict by %s in every order, and the same record on replay',
  async (rule) => {
    expect(trios).toHaveLength(20);
    for (const members of trios) {
      const panel = {members, rule, minParticipation: 1};
      const whole = new Set<string>();
      for (const order of arrivalOrders(members)) {
        const {round, entries} = await decideInOrder(panel, order);
        expect(valueIn(round, 'verdict')).toBe(fullDecision(panel));
        expect(await replayed(entries)).toEqual(round);
        if (valueIn(round, 'early') === false)
          whole.add(JSON.stringify({...Object(round), timestamp: 0}));
      }
      expect(whole.size).toBeLessThanOrEqual(1);
    }
  },
);

const anyMember: fc.Arbitrary<Member> = fc.record({
  weight: fc.integer({min: 1, max: 3}),
  veto: fc.integer({min: 0, max: 9}).map((n) => n === 0),
  ballot: fc.constantFrom('approve', ...ballots),
  comes: fc.constantFrom('at once', 'at once', 'at once', 'late', 'down'),
});

const anySeating: fc.Arbitrary<Panel> = fc.record({
  members: fc.array(anyMember, {minLength: 1, maxLength: 50}),
  rule: fc.constantFrom('majority', 'unanimous', 'at_least:3', '40%', '75%'),
  minParticipation: fc.nat(5),
});

const anySeatingOrder = anySeating.chain((panel) => {
  const indices = [...panel.members.keys()];
  return fc.record({
    panel: fc.constant(panel),
    order: fc.shuffledSubarray(indices, {minLength: indices.length}),
  });
});

test('up to fifty seats with any weights and vetoes, some late, some down at first, reach the verdict of all their ballots', async () => {
  await fc.assert(
    fc.asyncProperty(anySeatingOrder, async ({panel, order}) => {
      const {round, entries} = await decideInOrder(panel, order);
      expect(valueIn(round, 'verdict')).toBe(fullDecision(panel));
      expect(await replayed(entries)).toEqual(round);
    }),
    {numRuns: isDeep ? 60 : 12},
  );
});
