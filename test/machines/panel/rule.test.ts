import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';

import {
  decide,
  type QuorumRule,
  ruleText,
  type CountedSeat,
  tryParseRule,
  type Verdict,
} from '../../../machines/panel/rule.ts';
import {isDeep} from '../../support/depth.ts';

const rules: fc.Arbitrary<QuorumRule> = fc.oneof(
  fc.constant({kind: 'majority'} as const),
  fc.constant({kind: 'unanimous'} as const),
  fc.integer({min: 1, max: 7}).map((count) => ({kind: 'at_least', count}) as const),
  fc.integer({min: 1, max: 100}).map((percent) => ({kind: 'percent', percent}) as const),
);

/** A seat whose weight is a number of tenths, so that the oracle can count exactly. */
interface Member {
  readonly tenths: number;
  readonly veto: boolean;
  readonly vote: 'approve' | 'reject' | 'abstain';
}

const panels: fc.Arbitrary<readonly Member[]> = fc.array(
  fc.record({
    tenths: fc.oneof(fc.constant(10), fc.integer({min: 1, max: 30})),
    veto: fc.oneof(fc.constant(false), fc.boolean()),
    vote: fc.constantFrom('approve', 'reject', 'abstain'),
  }),
  {minLength: 1, maxLength: 7},
);

function seated(members: readonly Member[]): CountedSeat[] {
  return members.map(({tenths, veto, vote}, i) => ({
    seat: `seat-${i}`,
    weight: tenths / 10,
    veto,
    vote,
  }));
}

/** The table of the design, in whole numbers and not optimized. */
function oracle(rule: QuorumRule, members: readonly Member[], minParticipation: number): Verdict {
  if (members.some(({veto, vote}) => veto && vote === 'reject')) return 'rejected';
  const voted = members.filter(({vote}) => vote !== 'abstain');
  if (voted.length < minParticipation) return 'noQuorum';
  if (members.some(({veto, vote}) => veto && vote !== 'approve')) return 'rejected';
  const approving = members.filter(({vote}) => vote === 'approve');
  const weight = (list: readonly Member[]) => list.reduce((sum, {tenths}) => sum + tenths, 0);
  const reached = {
    majority: weight(approving) > weight(members) - weight(approving),
    unanimous: approving.length === members.length,
    at_least: rule.kind === 'at_least' && approving.length >= rule.count,
    percent: rule.kind === 'percent' && weight(approving) * 100 >= rule.percent * weight(members),
  };
  return reached[rule.kind] ? 'approved' : 'rejected';
}

describe('a decision', () => {
  test('equals exact arithmetic over the seats, for every rule, weight and veto', () => {
    fc.assert(
      fc.property(rules, panels, fc.integer({min: 0, max: 4}), (rule, members, minimum) => {
        expect(decide(rule, seated(members), minimum)).toBe(oracle(rule, members, minimum));
      }),
      {numRuns: isDeep ? 2_000 : 300},
    );
  });

  test('on a percentage needs that many seats, rounded up', () => {
    fc.assert(
      fc.property(
        fc.integer({min: 1, max: 100}),
        fc.array(fc.boolean(), {minLength: 1}),
        (n, ayes) => {
          const seats = seated(
            ayes.map((aye) => ({tenths: 10, veto: false, vote: aye ? 'approve' : 'reject'})),
          );
          const enough = ayes.filter(Boolean).length >= Math.ceil((ayes.length * n) / 100);
          expect(decide({kind: 'percent', percent: n}, seats, 0)).toBe(
            enough ? 'approved' : 'rejected',
          );
        },
      ),
    );
  });

  test.each([
    [{ayes: [1], noes: [1]}],
    [{ayes: [0.2, 0.1], noes: [0.3]}],
    [{ayes: [0.7, 0.1], noes: [0.8]}],
    [{ayes: [3], noes: [1, 2]}],
  ])('of weights $ayes against $noes is a tie, and a tie fails in every order', ({ayes, noes}) => {
    const votes = [
      ...ayes.map((weight) => ({weight, vote: 'approve' as const})),
      ...noes.map((weight) => ({weight, vote: 'reject' as const})),
    ];
    const orders = fc.shuffledSubarray(votes, {minLength: votes.length});
    fc.assert(
      fc.property(orders, (order) => {
        const seats = order.map((entry, i) => ({...entry, seat: `seat-${i}`, veto: false}));
        expect(decide({kind: 'majority'}, seats, 1)).toBe('rejected');
        expect(decide({kind: 'percent', percent: 50}, seats, 1)).toBe('approved');
      }),
    );
  });

  test('never turns to an approval because a seat abstains instead of voting', () => {
    fc.assert(
      fc.property(rules, panels, fc.nat(), fc.nat(4), (rule, members, pick, minimum) => {
        const silent = pick % members.length;
        const without = members.map((member, i) =>
          i === silent ? {...member, vote: 'abstain' as const} : member,
        );
        const after = decide(rule, seated(without), minimum);
        fc.pre(after === 'approved');
        expect(decide(rule, seated(members), minimum)).toBe('approved');
      }),
      {numRuns: 500},
    );
  });

  test('needs the approval of every seat with a veto', () => {
    fc.assert(
      fc.property(rules, panels, (rule, members) => {
        fc.pre(decide(rule, seated(members), 0) === 'approved');
        expect(members.filter(({veto, vote}) => veto && vote !== 'approve')).toEqual([]);
      }),
    );
  });

  test('by too few ballots is never an approval', () => {
    fc.assert(
      fc.property(rules, panels, (rule, members) => {
        const cast = members.filter(({vote}) => vote !== 'abstain').length;
        const isVetoed = members.some(({veto, vote}) => veto && vote === 'reject');
        const verdict = isVetoed ? 'rejected' : 'noQuorum';
        expect(decide(rule, seated(members), cast + 1)).toBe(verdict);
      }),
    );
  });

  test('by nobody is never an approval', () => {
    fc.assert(
      fc.property(rules, (rule) => {
        expect(decide(rule, [], 0)).toBe('rejected');
      }),
    );
  });
});

describe('a rule as text', () => {
  test('reads back as itself', () => {
    fc.assert(
      fc.property(rules, (rule) => {
        expect(tryParseRule(ruleText(rule))).toEqual(rule);
      }),
    );
  });

  test.each([
    '',
    'Majority',
    'majority ',
    'at_least:0',
    'at_least:',
    'at_least:-1',
    'at_least:2.5',
    '0%',
    '101%',
    '50.5%',
    '50',
    '%',
    ' 50%',
    'unanimous\n',
    '٥٠%',
  ])('%j is not a rule', (text) => {
    expect(tryParseRule(text)).toBeUndefined();
  });
});
