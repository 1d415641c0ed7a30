/** Messages and settings that arrive while an agent runs: each phase takes them in when it begins. */

import {expect, test} from 'vitest';

import {treeMachine} from '../../../../machines/index.ts';
import {type ByHand, byHand} from '../../../support/by-hand.ts';
import {oneRead, plansOf} from '../../events/agent-plans.ts';
import {calling, ran, saying} from '../../events/outcomes.ts';
import {modelSeat, smallSettings} from '../../events/settings.ts';

const form = 'interaction/form/';
const ballot = calling('cast_ballot', {verdict: 'approve', reasons: ['fine'], confidence: 1});
const success = calling('evaluate_result', {successful: true, problems: []});

function agent(): ByHand {
  const settings = smallSettings('interactive', [modelSeat('judge')]);
  const input = {
    id: 'own',
    form: 'agent',
    contextMode: 'full',
    depth: 0,
    request: 'do it',
    workspace: '/w',
    settings,
  };
  return byHand(treeMachine, input, {isTree: true});
}

function gather(tree: ByHand): void {
  tree.settle(`${form}gathering/survey`, {text: 'a survey', read: []});
  tree.settle(`${form}gathering/turns`, saying('it is small'));
}

function plan(tree: ByHand): void {
  tree.settle(`${form}planning/question`, plansOf(oneRead).draft(1));
  tree.settle(`${form}planning/check`, {problems: []});
}

function vote(tree: ByHand): void {
  tree.settle(`${form}quorum/poll`, ballot);
}

function judge(tree: ByHand): void {
  tree.settle('evaluation/files', {missing: []});
  tree.settle('evaluation/', success);
}

/** The first message of the last request to a model. */
function lastPrompt(tree: ByHand): string {
  return tree.requests('callModel').at(-1)?.transcript.messages[0]?.text ?? '';
}

function readCounts(tree: ByHand): readonly number[] {
  return tree.facts().flatMap((fact) => (fact.type === 'messages.read' ? [fact.count] : []));
}

test('the explorer, the planner, the panel, the judge and the panel for the result read the messages up to then', () => {
  const tree = agent();
  tree.send({type: 'settings.changed', settings: {agent: {requireFinalReview: true}}});
  const say = (text: string) => tree.send({type: 'user.said', text});
  say('first');
  gather(tree);
  expect(lastPrompt(tree)).toContain('first');
  say('second');
  plan(tree);
  expect(lastPrompt(tree)).toMatch(/first[^]*second/v);
  vote(tree);
  say('third');
  tree.settle('call/run', ran);
  tree.settle('evaluation/files', {missing: []});
  expect(lastPrompt(tree)).toMatch(/first[^]*second[^]*third/v);
  say('fourth');
  tree.settle('evaluation/', success);
  tree.settle('closing/call/model', saying('It is done.'));
  expect(lastPrompt(tree)).toMatch(/first[^]*second[^]*third[^]*fourth/v);
  expect(readCounts(tree)).toEqual([1, 1, 2, 3, 4]);
});

test('each phase is reported, with the vote on the result last', () => {
  const tree = agent();
  tree.send({type: 'settings.changed', settings: {agent: {requireFinalReview: true}}});
  gather(tree);
  plan(tree);
  vote(tree);
  tree.settle('call/run', ran);
  judge(tree);
  tree.settle('closing/call/model', saying('It is done.'));
  vote(tree);
  expect(tree.reports('phase.changed').map((each) => Object(each).phase)).toEqual([
    'gathering',
    'planning',
    'reviewingPlan',
    'executing',
    'evaluating',
    'closing',
    'reviewingResult',
  ]);
  expect(tree.output()).toMatchObject({status: 'completed'});
});
