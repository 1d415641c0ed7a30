/** What an agent promises: nothing runs that was not planned and approved, and its result says truly what was done. */

import {expect, test} from 'vitest';

import type {AgentSettings} from '../../../../machines/domain/settings.ts';
import {agentMachine} from '../../../../machines/forms/agent/agent.ts';
import {byHand, type ByHand} from '../../../support/by-hand.ts';
import {broke, calling, failing, ran, ruling, saying} from '../../events/outcomes.ts';
import {policySeat, smallSettings} from '../../events/settings.ts';
import {valueIn} from '../../laws-record.ts';

function draft(id = 'a') {
  const tasks = [{id, description: 'read', tool: 'read_file', args: {path: id}}];
  return calling('create_plan', {objective: 'read it', reasoning: 'asked for', tasks});
}

const good = calling('evaluate_result', {successful: true, problems: []});
const bad = calling('evaluate_result', {successful: false, problems: [{problem: 'too little'}]});

/** Up to the first vote on the plan. */
function start(agent: Partial<AgentSettings> = {}): ByHand {
  const settings = smallSettings('interactive', [policySeat], agent);
  const hand = byHand(agentMachine, {request: 'do it', workspace: '/w', settings});
  hand.settle('gathering/survey', {text: 'a survey', read: []});
  hand.settle('gathering/turns', saying('it is small'));
  propose(hand);
  return hand;
}

function propose(hand: ByHand, id?: string): void {
  hand.settle('planning/question', draft(id));
  hand.settle('planning/check', {problems: []});
}

/** From an approved plan to what the judge says. */
function runPlan(hand: ByHand, outcome: object = ran): void {
  hand.settle('execution', outcome);
  hand.settle('evaluation/files', {missing: []});
}

function phases(hand: ByHand): unknown[] {
  return hand.reports('phase.changed').map((each) => valueIn(each, 'phase'));
}

test('gathers, plans, has the plan voted on, runs it, judges it', () => {
  const hand = start();
  hand.settle('seat:', ruling('approve'));
  runPlan(hand);
  hand.settle('evaluation/question', good);
  expect(phases(hand)).toEqual([
    'gathering',
    'planning',
    'reviewingPlan',
    'executing',
    'evaluating',
  ]);
  expect(hand.output()).toMatchObject({
    status: 'completed',
    summary: 'read it\ndone\n1 of 1 tasks succeeded.',
    tasks: [{id: 'a', status: 'succeeded'}],
    reviews: [{verdict: 'approved'}],
  });
});

test('a rejected plan is revised with the reasons, and voted on again', () => {
  const hand = start();
  hand.settle('seat:', ruling('reject'));
  expect(phases(hand).at(-1)).toBe('revising');
  const asked = hand.requests('callModel').at(-1)?.transcript.messages[0]?.text;
  expect(asked).toContain('the rule says reject');
  propose(hand);
  hand.settle('seat:', ruling('approve'));
  expect(hand.requests('runTool')).toHaveLength(1);
});

test('the last rejection asks a person; what they edit is what runs', () => {
  const hand = start({maxPlanRevisions: 1});
  hand.settle('seat:', ruling('reject'));
  expect(hand.requests('askHuman')).toMatchObject([
    {kind: 'plan', allowed: ['approve', 'reject', 'edit']},
  ]);
  const task = {
    id: 'mine',
    description: 'read',
    tool: 'read_file',
    args: {path: 'mine'},
    dependsOn: [],
    contextMode: 'full',
  };
  const plan = {objective: 'mine', reasoning: '', tasks: [task]};
  hand.settle('gate/person', {decision: 'edit', plan});
  expect(hand.requests('runTool')).toMatchObject([{args: {path: 'mine'}}]);
});

test('a plan that a person rejects is never run', () => {
  const hand = start({maxPlanRevisions: 1});
  hand.settle('seat:', ruling('reject'));
  hand.settle('gate/person', {decision: 'reject', reason: 'too bold'});
  expect(hand.output()).toMatchObject({
    status: 'rejected',
    summary: 'a person rejected the plan: too bold.\n0 of 1 tasks succeeded.',
    tasks: [{id: 'a', status: 'skipped', output: 'not run'}],
  });
  expect(hand.requests('runTool')).toEqual([]);
});

test('plan-only ends with the approved plan', () => {
  const hand = start({phaseScope: 'plan-only'});
  hand.settle('seat:', ruling('approve'));
  expect(hand.output()).toMatchObject({status: 'completed', plan: {objective: 'read it'}});
  expect(hand.requests('runTool')).toEqual([]);
});

test('problems found are planned anew, as often as may be, and then it has failed', () => {
  const hand = start({maxReplans: 1});
  hand.settle('seat:', ruling('approve'));
  runPlan(hand);
  hand.settle('evaluation/question', bad);
  const asked = hand.requests('callModel').at(-1)?.transcript.messages[0]?.text;
  expect(asked).toContain('too little');
  propose(hand, 'b');
  hand.settle('seat:', ruling('approve'));
  runPlan(hand);
  hand.settle('evaluation/question', bad);
  expect(hand.output()).toMatchObject({status: 'failed', tasks: [{id: 'a'}, {id: 'b'}]});
});

test('whatever the judge says, a failed task is no success', () => {
  const hand = start({maxReplans: 0});
  hand.settle('seat:', ruling('approve'));
  runPlan(hand, broke);
  hand.settle('evaluation/question', good);
  expect(hand.output()).toMatchObject({status: 'failed', tasks: [{status: 'failed'}]});
});

test('a result that the panel rejects is a failed run', () => {
  const hand = start({requireFinalReview: true});
  hand.settle('seat:', ruling('approve'));
  runPlan(hand);
  hand.settle('evaluation/question', good);
  hand.settle('seat:', ruling('reject'));
  expect(hand.output()).toMatchObject({status: 'failed'});
});

test('a provider that is lost while the result is judged is an error, whatever was done', () => {
  const hand = start();
  hand.settle('seat:', ruling('approve'));
  runPlan(hand);
  hand.settle('evaluation/question', failing('auth'));
  expect(hand.output()).toMatchObject({status: 'error', error: {code: 'auth'}});
});

test('a cancel stops what is at work and tells what was', () => {
  const hand = start();
  hand.settle('seat:', ruling('approve'));
  hand.send({type: 'user.cancel'});
  expect(hand.open()).toEqual([]);
  expect(hand.output()).toMatchObject({
    status: 'cancelled',
    tasks: [{id: 'a', status: 'failed', failure: {code: 'interrupted'}}],
  });
});
