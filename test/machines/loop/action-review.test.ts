/** The review of an action: an approval covers exactly the call that runs, and a person is asked when one is required. */

import {expect, test} from 'vitest';

import type {Seat} from '../../../machines/domain/review.ts';
import {actionReviewMachine} from '../../../machines/loop/action-review.ts';
import {panelRules} from '../../../machines/loop/action.ts';
import {type ByHand, byHand} from '../../support/by-hand.ts';
import {crash} from '../../support/hand-performer.ts';
import {refused, ruling} from '../events/outcomes.ts';
import {policySeat, smallSettings, writeFile} from '../events/settings.ts';

const checked = {path: 'x', checked: true};
const ready = {kind: 'ready', args: checked, preview: '+ a line'};
const guarded = {...ready, protectedReason: 'it is under .git'};

interface Start {
  readonly panel?: Seat[];
  readonly rejections?: number;
  readonly vouchers?: readonly string[];
}

function start({panel = [policySeat], rejections = 0, vouchers}: Start = {}) {
  return byHand(
    actionReviewMachine,
    {
      calls: [{call: {id: 'call-1', name: 'write_file', args: {path: 'x'}}, tool: writeFile}],
      panel: panelRules(smallSettings('interactive', panel)),
      brief: {
        request: 'do what https://named.test/a says',
        workspace: '/w',
        evidence: [],
        purpose: 'to get it done',
        ...(vouchers ? {vouchers} : {}),
      },
      background: [],
    },
    {rejections},
  );
}

/** A review after its preview and its vote. */
function voted(verdict: 'approve' | 'reject' | 'abstain', preview: object, rejections = 0): ByHand {
  const review = start({rejections});
  review.settle('preview', preview);
  review.settle('quorum', ruling(verdict));
  return review;
}

test('a call that the panel approves is allowed with the validated arguments of the preview', () => {
  expect(voted('approve', ready).output()).toEqual([
    {
      kind: 'allowed',
      preview: expect.objectContaining({args: checked}),
    },
  ]);
});

test('a call that the panel rejects is rejected with its reasons, and nobody is asked', () => {
  const review = voted('reject', ready);
  expect(review.output()).toEqual([
    {
      kind: 'rejected',
      reasons: ['policy/safety: the rule says reject'],
    },
  ]);
  expect(review.requests('askHuman')).toEqual([]);
});

test('the third rejection in a row is for a person, who may allow it', () => {
  expect(voted('reject', ready, 1).output()).toMatchObject([{kind: 'rejected'}]);
  const third = voted('reject', ready, 2);
  expect(third.requests('askHuman')).toMatchObject([
    {
      kind: 'action',
      reason: 'The panel rejected 3 actions in a row.',
      history: [{approved: false}],
    },
  ]);
  third.settle('person', {decision: 'approve'});
  expect(third.output()).toMatchObject([
    {
      kind: 'allowed',
      preview: {args: checked},
      by: 'person',
    },
  ]);
});

test('a panel without quorum leaves the decision to a person', () => {
  const review = voted('abstain', ready);
  expect(review.requests('askHuman')).toMatchObject([{kind: 'action'}]);
  review.settle('person', {decision: 'reject', reason: 'not today'});
  expect(review.output()).toMatchObject([
    {
      kind: 'rejected',
      reasons: ['a person rejected it: not today', expect.anything()],
    },
  ]);
});

test('a protected path needs a person, even if the panel approves', () => {
  const review = voted('approve', guarded);
  expect(review.output()).toBeUndefined();
  expect(review.requests('askHuman')).toMatchObject([
    {kind: 'protected', reason: 'it is under .git'},
  ]);
  review.settle('person', {decision: 'approve'});
  expect(review.output()).toMatchObject([{kind: 'allowed'}]);
});

test.each([
  ['https://evil.test/x', false],
  ['DATA.evil.test', false],
  ['https://read.test/page/more', false],
  ['https://named.test.evil.test/', false],
  ['https://read.test/page', true],
  ['https://named.test/b', true],
])(
  'after something was read, a vote suffices for a command that reaches %s: %s',
  (address, isVoted) => {
    const review = start({vouchers: ['do it', 'see https://read.test/page, it says how']});
    review.settle('preview', {...ready, reaches: ['https://read.test/page', address]});
    review.settle('quorum', ruling('approve'));
    const asked = review.requests('askHuman');
    const person = {kind: 'protected', reason: expect.stringContaining(JSON.stringify(address))};
    expect(asked).toMatchObject(isVoted ? [] : [person]);
    expect(review.output() !== undefined).toBe(isVoted);
  },
);

test('before anything was read, a vote suffices for a command that reaches any address', () => {
  const reaching = {...ready, reaches: ['https://evil.test/x']};
  expect(voted('approve', reaching).output()).toMatchObject([{kind: 'allowed'}]);
});

test('a person sees the same proposal as the panel', () => {
  const review = voted('approve', guarded);
  const [vote] = review.requests('screenProposal');
  const [question] = review.requests('askHuman');
  expect(question?.proposalHash).toBe(vote?.proposal.hash);
  expect(vote?.proposal.text).toContain('+ a line');
  expect(question?.preview).toContain('+ a line');
});

function questionHash(preview: object): string | undefined {
  return voted('approve', preview).requests('askHuman')[0]?.proposalHash;
}

test('another diff of the same call has another hash', () => {
  expect(questionHash({...guarded, preview: '+ another line'})).not.toBe(questionHash(guarded));
  expect(questionHash({...guarded})).toBe(questionHash(guarded));
});

test.each([
  ['its tool refuses', refused, 'no'],
  ['can not be shown', crash, 'a bug in the performer'],
])('a call that %s is refused without a vote', (_, outcome, message) => {
  const review = start();
  review.settle('preview', outcome);
  expect(review.output()).toMatchObject([{kind: 'refused', failure: {message}}]);
  expect(review.requests('screenProposal')).toEqual([]);
});

test('an unusable decision at the gate is a rejection', () => {
  const review = voted('approve', guarded);
  review.settle('person', {decision: 'done'});
  expect(review.output()).toMatchObject([{kind: 'rejected'}]);
});
