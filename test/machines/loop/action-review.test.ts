/** What the review of a call promises: it runs only as it was previewed, and only when a panel or a person allowed it. */

import {expect, test} from 'vitest';

import {actionReviewMachine} from '../../../machines/loop/action-review.ts';
import {panelRules} from '../../../machines/loop/action.ts';
import {byHand} from '../../support/by-hand.ts';
import {crash} from '../../support/puppet.ts';
import {ruling} from '../events/outcomes.ts';
import {policySeat, smallSettings, writeFile} from '../events/settings.ts';

const ready = {kind: 'ready', args: {path: 'x', checked: true}, preview: '+ a line'};

/** Up to the vote. */
function review(preview: object = ready, rejections = 0) {
  const input = {
    call: {id: 'call-1', name: 'write_file', args: {path: './x'}},
    tool: writeFile,
    panel: panelRules(smallSettings('interactive', [policySeat])),
    brief: {request: 'do it', workspace: '/w', evidence: [], purpose: 'to get it done'},
    background: '',
  };
  const hand = byHand(actionReviewMachine, input, {rejections});
  hand.settle('preview', preview);
  return hand;
}

test('what the panel approved is allowed, with the arguments of the preview', () => {
  const hand = review();
  hand.settle('seat:', ruling('approve'));
  expect(hand.output()).toEqual({kind: 'allowed', preview: expect.objectContaining(ready)});
});

test('the seats see what the call would do', () => {
  const [request] = review().requests('consultPolicy');
  expect(request?.proposal).toMatchObject({kind: 'action', title: 'write_file x'});
  expect(request?.proposal.text).toContain('+ a line');
});

test('what the panel rejected is rejected with its reasons, and no person is asked', () => {
  const hand = review();
  hand.settle('seat:', ruling('reject'));
  expect(hand.output()).toMatchObject({
    kind: 'rejected',
    reasons: [expect.stringContaining('the rule says reject')],
  });
  expect(hand.requests('askHuman')).toEqual([]);
});

test('the third rejection in a row asks a person', () => {
  const hand = review(ready, 2);
  hand.settle('seat:', ruling('reject'));
  expect(hand.requests('askHuman')).toMatchObject([
    {
      kind: 'action',
      reason: 'The panel rejected 3 actions in a row.',
      preview: expect.stringContaining('+ a line'),
    },
  ]);
  hand.settle('person', {decision: 'approve'});
  expect(hand.output()).toMatchObject({kind: 'allowed'});
});

test('a panel without quorum asks a person, and a rejecting person is quoted', () => {
  const hand = review();
  hand.settle('seat:', ruling('abstain'));
  hand.settle('person', {decision: 'reject', reason: 'not today'});
  expect(hand.output()).toMatchObject({
    kind: 'rejected',
    reasons: ['a person rejected it: not today', expect.anything()],
  });
});

test('no panel clears a protected place: a person is asked although all approved', () => {
  const hand = review({...ready, protectedReason: 'it is under .git'});
  hand.settle('seat:', ruling('approve'));
  expect(hand.requests('askHuman')).toMatchObject([
    {kind: 'protected', reason: 'it is under .git'},
  ]);
});

test('a call that is no good is refused before anybody votes', () => {
  const hand = review({kind: 'refused', code: 'outside', message: 'it leaves the workspace'});
  expect(hand.output()).toEqual({
    kind: 'refused',
    failure: {code: 'outside', message: 'it leaves the workspace'},
  });
  expect(hand.requests('consultPolicy')).toEqual([]);
});

test('a preview that crashes is refused, never allowed', () => {
  expect(review(crash).output()).toMatchObject({kind: 'refused'});
});
