/** Recounts of rounds, compared with verdicts worked out by hand. */

import {describe, expect, test} from 'vitest';

import {type RecordedRound, recountAll, type Terms} from '../../../machines/panel/recount.ts';
import {tryParseRule} from '../../../machines/panel/rule.ts';
import {roundWith} from '../../support/rounds.ts';

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

  test('is unknown when its record lacks data that counts', () => {
    const {weights: _, vetoes: __, participation: ___, ...older} = roundWith('●●○', 'approved');
    expect(again(older, 'unanimous')).toMatchObject({
      verdict: 'unknown',
      differs: 'unknown',
      unheard: [],
    });
  });

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
