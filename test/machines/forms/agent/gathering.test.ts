/** What gathering promises: a look at the workspace and a report, read with tools that only read, within bytes. */

import {expect, test} from 'vitest';

import {gatheringMachine} from '../../../../machines/forms/agent/gathering.ts';
import {panelRules} from '../../../../machines/loop/action.ts';
import {byHand} from '../../../support/by-hand.ts';
import {crash} from '../../../support/puppet.ts';
import {calling, failing, ran, saying} from '../../events/outcomes.ts';
import {policySeat, smallSettings} from '../../events/settings.ts';

const {tools, ...settings} = smallSettings('interactive', [policySeat]);

/** Up to the first word of the explorer. */
function gather(maxBytes = 4_000) {
  const hand = byHand(gatheringMachine, {
    request: 'do it',
    workspace: '/w',
    model: 'test/explorer',
    tools,
    panel: panelRules({...settings, tools}),
    maxTurns: 2,
    maxRetries: 1,
    maxSurveyBytes: 1_000,
    maxBytes,
  });
  hand.settle('survey', {text: 'a survey', read: ['README.md']});
  return hand;
}

test('the survey and the report are the background, with what was read as evidence', () => {
  const hand = gather();
  hand.settle('model', calling('read_file', {path: 'x'}));
  hand.settle('run', ran);
  hand.settle('model', saying('it is small'));
  expect(hand.output()).toMatchObject({
    background: 'a survey\n\nit is small',
    evidence: [
      {tool: 'read_file', did: 'read', target: 'README.md', ok: true},
      {tool: 'read_file', ok: true},
    ],
  });
});

test('no tool that changes anything exists for the explorer', () => {
  const hand = gather();
  expect(hand.requests('callModel')[0]?.tools).toEqual(['read_file']);
  hand.settle('model', calling('write_file', {path: 'x'}));
  expect(hand.requests('runTool')).toEqual([]);
  expect(hand.requests('consultPolicy')).toEqual([]);
});

test('an explorer that gets nowhere leaves the survey', () => {
  const hand = gather();
  hand.settle('model', failing('refused'));
  expect(hand.output()).toMatchObject({background: 'a survey'});
});

test('a provider that does not serve the run at all is told as a failure', () => {
  const hand = gather();
  hand.settle('model', failing('auth'));
  expect(hand.output()).toMatchObject({failure: {code: 'auth'}});
});

test('what is gathered is cut to its bytes', () => {
  const hand = gather(200);
  hand.settle('model', saying('x'.repeat(1_000)));
  expect(hand.output()).toMatchObject({background: expect.not.stringMatching(/x{200}/)});
});

test('a survey that crashes is a failure', () => {
  const hand = byHand(gatheringMachine, {
    request: 'do it',
    workspace: '/w',
    model: 'test/explorer',
    tools,
    panel: panelRules({...settings, tools}),
    maxTurns: 2,
    maxRetries: 1,
    maxSurveyBytes: 1_000,
    maxBytes: 1_000,
  });
  hand.settle('survey', crash);
  expect(hand.output()).toMatchObject({failure: {code: 'internal'}});
});
