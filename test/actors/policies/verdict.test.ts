/** The ballot of a custom reviewer by rule: only a valid ballot in time can approve. */

import {expect, test} from 'vitest';

import {verdictOf} from '../../../actors/policies/verdict.ts';
import type {Ballot} from '../../../machines/questions/ballot.ts';

const approval: Ballot = {verdict: 'approve', reasons: ['fine'], confidence: 1};

interface Judged {
  readonly ballot: Ballot;
  readonly warnings: readonly string[];
}

/** A custom reviewer may break its types. */
async function judgedBy(judge: () => unknown, signal = AbortSignal.any([])): Promise<Judged> {
  const warnings: string[] = [];
  const context = {signal, onWarning: (message: string) => void warnings.push(message)};
  const untyped: {judge?: () => Ballot} = {};
  Object.assign(untyped, {judge});
  const {judge: own = () => approval} = untyped;
  return {ballot: await verdictOf('policy/own', own, context), warnings};
}

function throwing(value: unknown): () => never {
  return () => {
    throw value;
  };
}

const unreadable = Object.defineProperty(new Error('x'), 'message', {get: throwing('no')});

test.each<[name: string, judge: () => unknown]>([
  ['throws a string', throwing('boom')],
  ['throws null', throwing(null)],
  ['throws an object without a text', throwing(Object.create(null))],
  ['throws an error whose message cannot be read', throwing(unreadable)],
  ['rejects with null', async () => await Promise.reject(null)],
  ['returns null', () => null],
  ['returns rules without a text', () => ({...approval, rules: [{}]})],
  ['returns rules that are no list', () => ({...approval, rules: 'mine'})],
  ['returns comments without a file', () => ({...approval, comments: [{message: 'x'}]})],
  ['returns a ballot of megabytes', () => ({...approval, reasons: ['x'.repeat(1_000_000)]})],
])('a reviewer that %s rejects, with a warning', async (_, judge) => {
  const {ballot, warnings} = await judgedBy(judge);
  expect(ballot).toMatchObject({verdict: 'reject', rules: ['no-verdict']});
  expect(warnings).toHaveLength(1);
});

test.each([7, -0.1, Number.NaN, Number.POSITIVE_INFINITY, '0.9', undefined])(
  'a reviewer with a confidence of %s rejects, and the warning names the reviewer and the fault',
  async (confidence) => {
    const {ballot, warnings} = await judgedBy(() => ({...approval, confidence}));
    expect(ballot).toMatchObject({verdict: 'reject', rules: ['no-verdict']});
    expect(warnings).toEqual([
      expect.stringMatching(
        /^policy\/own gave no valid verdict: .*confidence is not a number from 0 to 1/,
      ),
    ]);
  },
);

test.each([0, 0.5, 1])('a reviewer may have a confidence of %d', async (confidence) => {
  const own = {...approval, confidence};
  expect(await judgedBy(() => own)).toEqual({ballot: own, warnings: []});
});

test('a reviewer cannot change its ballot later', async () => {
  const own = {...approval};
  const {ballot} = await judgedBy(() => own);
  Object.assign(own, {verdict: 'reject'});
  expect(ballot).toEqual(approval);
});

test('a reviewer that is no longer needed is not awaited', async () => {
  const {promise} = Promise.withResolvers<Ballot>();
  const {ballot, warnings} = await judgedBy(() => promise, AbortSignal.abort());
  expect(ballot.reasons).toEqual(['policy/own gave no valid verdict: it was no longer needed']);
  expect(warnings).toEqual([]);
});
