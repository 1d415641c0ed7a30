/** The rules by which a panel decides: their spelling, their counts, and a recount of recorded votes. */

import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';

import {
  type RecordedRound,
  recountAll,
  type Terms,
} from '../../../machines/panel/recorded-votes.ts';
import {
  decide,
  type QuorumRule,
  ruleText,
  type CountedSeat,
  tryParseRule,
  type Verdict,
  approvalsNeeded,
  countedVoteOf,
  ruleForms,
} from '../../../machines/panel/rule.ts';
import {isDeep} from '../../support/depth.ts';
import {roundWith} from '../../support/rounds.ts';
import {cells} from '../../support/rows.ts';

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

test.each([
  ['reject', ['a part'], 'reject'],
  ['approve', ['a part'], 'approve'],
  ['abstain', ['a part'], 'unjudged'],
  ['abstain', [], 'abstain'],
] as const)('a vote to %s with %j not understood counts as %s', (verdict, unknown, counted) => {
  expect(countedVoteOf({verdict, unknown})).toBe(counted);
});

describe('a rule as text', () => {
  test('reads back as itself', () => {
    const large = fc
      .integer({min: 8, max: 9_999})
      .map((count) => ({kind: 'at_least', count}) as const);
    fc.assert(
      fc.property(fc.oneof(rules, large), (rule) => {
        expect(tryParseRule(ruleText(rule))).toEqual(rule);
      }),
    );
  });

  test.each([
    ...cells(`
    Majority ¦ at_least:0 ¦ at_least: ¦ at_least:-1 ¦ at_least:2.5 ¦ 0% ¦ 101% ¦ 50.5% ¦ 50 ¦ %
    ٥٠% ¦ xat_least:2 ¦ at_least:2x ¦ at_least:10000 ¦ x50% ¦ 50%x
  `),
    '',
    'majority ',
    ' 50%',
    'unanimous\n',
  ])('%j is not a rule', (text) => {
    expect(tryParseRule(text)).toBeUndefined();
  });
});

const root = join(import.meta.dirname, '../../..');

/** Every source of the product, without the example command lines, which spell one of the rules. */
const sources = ['machines', 'actors', 'tools', 'cli', 'diagrams'].flatMap((layer) =>
  readdirSync(join(root, layer), {recursive: true, encoding: 'utf8'})
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(layer, name))
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      return {path, text: text.replaceAll(/quorate [^']*--rule \S+/g, '')};
    }),
);

test.each(['at_least', 'unanimous', 'N%'])('"%s" is written in rule.ts alone', (spelling) => {
  const places = sources.filter(({text}) => text.includes(spelling)).map(({path}) => path);
  expect(places).toEqual(['machines/panel/rule.ts']);
});

test.each(ruleForms)('help for $spelling names a rule that can be typed', ({spelling}) => {
  expect(tryParseRule(spelling.replace('N', '2'))).toBeDefined();
});

test.each(['majority', 'unanimous', 'at_least:2', '60%', '100%'])(
  'seats of one weight decide by %s with the approvals that it takes',
  (text) => {
    const rule = tryParseRule(text);
    if (!rule) throw new Error(`${text} is not a rule`);
    for (const size of [2, 3, 4, 5, 7]) {
      const needed = approvalsNeeded(rule, size);
      const verdicts = Array.from({length: size + 1}, (_, approvals) =>
        decide(
          rule,
          Array.from({length: size}, (__, index) => ({
            seat: `${index}`,
            weight: 1,
            veto: false,
            vote: index < approvals ? 'approve' : 'abstain',
          })),
          0,
        ),
      );
      expect(verdicts.indexOf('approved')).toBe(needed);
    }
  },
);

/** `unanimous`, `-c`, or `unanimous -a -b`: a rule, and the seats that are left out. */
function termsIn(text: string): Terms {
  const words = text.split(' ').filter((word) => word !== '');
  const rule = words.map(tryParseRule).find((parsed) => parsed !== undefined);
  const without = words.flatMap((word) => (word.startsWith('-') ? [word.slice(1)] : []));
  return {without: new Set(without), ...(rule ? {rule} : {})};
}

function again(round: RecordedRound, terms: string) {
  const [only] = recountAll([round], termsIn(terms)).rounds;
  return only?.recounted;
}

const heavy = {weights: {a: 3, b: 1, c: 1}};

describe('a round counted again', () => {
  test.each([
    // All seats voted: arithmetic.
    ['●●○', 'approved', {}, '', 'approved [●●○] majority'],
    ['●●○', 'approved', {}, 'unanimous', 'rejected [●●○] unanimous'],
    ['●●○', 'approved', {}, 'at_least:2', 'approved [●●○] at_least:2'],
    ['●●○', 'approved', {}, '67%', 'rejected [●●○] 67%'],
    ['●●○', 'approved', {}, '66%', 'approved [●●○] 66%'],
    ['●○○', 'rejected', {}, 'at_least:1', 'approved [●○○] at_least:1'],
    ['●●!', 'approved', {}, 'unanimous', 'rejected [●●!] unanimous'],
    // Without a seat the denominator shrinks.
    ['●●○', 'approved', {}, 'unanimous -c', 'approved [●●] unanimous'],
    ['●●○', 'approved', {}, '-a', 'rejected [●○] majority'],
    ['●!!', 'rejected', {}, '-b -c', 'approved [●] majority'],
    ['●!!', 'rejected', {}, '-b', 'rejected [●!] majority'],
    // Weights count where the rule weighs.
    ['●○○', 'approved', heavy, '', 'approved [●○○] majority'],
    ['●○○', 'approved', heavy, '60%', 'approved [●○○] 60%'],
    ['●○○', 'approved', heavy, '61%', 'rejected [●○○] 61%'],
    ['●○○', 'approved', heavy, 'at_least:2', 'rejected [●○○] at_least:2'],
    ['●○●', 'approved', heavy, '-a', 'rejected [○●] majority'],
    // A seat takes its veto along; the others keep theirs.
    ['●○●', 'rejected', {vetoes: ['b']}, 'at_least:1', 'rejected [●○●] at_least:1'],
    ['●○●', 'rejected', {vetoes: ['b']}, '-b', 'approved [●●] majority'],
    ['●!●', 'rejected', {vetoes: ['b']}, '-a', 'rejected [!●] majority'],
    // As many must vote as before.
    ['●!!', 'noQuorum', {participation: {cast: 1, required: 2}}, '-b -c', 'noQuorum [●] majority'],
    // A withdrawn ballot could have been any ballot.
    ['●●·', 'approved', {}, '', 'approved [●●·] majority'],
    ['●●·', 'approved', {}, 'unanimous', 'unknown [●●·] unanimous: c'],
    ['●●·', 'approved', {}, '-a', 'unknown [●·] majority: c'],
    ['●●·', 'approved', {}, '-c', 'approved [●●] majority'],
    ['●●·', 'approved', {}, 'at_least:1', 'approved [●●·] at_least:1'],
    ['○○·', 'rejected', {}, 'unanimous', 'rejected [○○·] unanimous'],
    ['○○·', 'rejected', {}, '33%', 'unknown [○○·] 33%: c'],
    ['●●●··', 'approved', {}, '80%', 'unknown [●●●··] 80%: d, e'],
    ['●●●··', 'approved', {vetoes: ['a']}, '', 'approved [●●●··] majority'],
    // So could the ballot of a seat whose model was down, which is recorded as an abstention.
    ['●●!', 'approved', {missed: ['c']}, 'unanimous', 'unknown [●●·] unanimous: c'],
    ['●●!', 'approved', {missed: ['c']}, '-c', 'approved [●●] majority'],
  ] as const)('%s was %s %j; by "%s" it is %s', (marks, verdict, more, terms, expected) => {
    const {
      rule,
      verdict: now,
      summary,
      unheard,
    } = again(roundWith(marks, verdict, more), terms) ?? {};
    const named = unheard?.join(', ') ?? '';
    expect(`${now} ${summary} ${rule}${named === '' ? '' : `: ${named}`}`).toBe(expected);
  });

  test('stays rejected when a policy rejected it before any model was asked', () => {
    const screened = [
      {policy: 'policy/safety', verdict: 'approve'},
      {policy: 'policy/scope', verdict: 'reject'},
    ] as const;
    const round = roundWith('···', 'rejected', {screened});
    for (const terms of ['', 'at_least:1', 'at_least:1 -a -b']) {
      expect(again(round, terms)).toMatchObject({
        verdict: 'rejected',
        refusedBy: ['policy/scope'],
        differs: 'no',
        unheard: [],
      });
    }
  });

  test.each(['weights', 'vetoes', 'participation'])(
    'is unknown when its record lacks the %s that count',
    (member) => {
      const older = {...roundWith('●●○', 'approved'), [member]: undefined};
      expect(again(older, 'unanimous')).toMatchObject({
        verdict: 'unknown',
        differs: 'unknown',
        unheard: [],
      });
    },
  );

  test('by a rule that cannot be parsed is counted as in the chart: by the strictest rule', () => {
    expect(again(roundWith('●●○', 'rejected', {rule: 'two thirds'}), '')).toMatchObject({
      rule: 'unanimous',
      verdict: 'rejected',
    });
  });
});

describe('the rounds of a run', () => {
  const same = roundWith('●●●', 'approved');
  const other = roundWith('●●○', 'approved');
  const open = roundWith('●●·', 'approved');

  test.each([
    ['none', [], {}],
    ['all the same', [same, same], {}],
    ['another verdict', [same, other, other], {differsFrom: 2}],
    ['an unknown verdict', [same, open, same], {mayDifferFrom: 2}],
    [
      'an unknown verdict before another verdict',
      [open, same, other],
      {mayDifferFrom: 1, differsFrom: 3},
    ],
    ['an unknown verdict after another verdict', [other, open], {differsFrom: 1}],
  ])('with %s name the first round whose outcome differs', (_, rounds, expected) => {
    const {rounds: counted, ...outcome} = recountAll(rounds, termsIn('unanimous'));
    expect(counted.map(({number}) => number)).toEqual([...rounds.keys()].map((index) => index + 1));
    expect(outcome).toEqual(expected);
  });
});
