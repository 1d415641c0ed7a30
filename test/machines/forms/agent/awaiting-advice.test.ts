/** A planner waits for the interactions that rules spawned below its agent, and for nothing else. */

import {expect, test} from 'vitest';

import {treeMachine} from '../../../../machines/index.ts';
import type {Spawner} from '../../../../machines/tree/form-event.ts';
import {byHand, type ByHand} from '../../../support/by-hand.ts';
import {oneRead, plansOf} from '../../events/agent-plans.ts';
import {allow, broke, calling, ruling, saying} from '../../events/outcomes.ts';
import {policySeat, smallSettings} from '../../events/settings.ts';

const plans = plansOf(oneRead);
const notYet = calling('evaluate_result', {
  successful: false,
  problems: [],
  feedback: 'look elsewhere',
});

/** An agent whose first plan is voted on. */
function start(): ByHand {
  const tree = byHand(
    treeMachine,
    {
      id: 'root',
      form: 'agent',
      contextMode: 'full',
      depth: 0,
      request: 'do it',
      workspace: '/w',
      settings: smallSettings('interactive', [policySeat], {maxPlanRevisions: 3}),
    },
    {isTree: true},
  );
  tree.settle('gathering/survey', {text: 'a survey', read: []});
  tree.settle('gathering/turns', saying('it is small'));
  draft(tree, 1);
  return tree;
}

function draft(tree: ByHand, number: number): void {
  tree.settle('planning/question', plans.draft(number));
  tree.settle('planning/check', {problems: []});
}

function spawn(tree: ByHand, by: Spawner): void {
  tree.send({type: 'interaction.spawn', form: 'ask', request: 'why?', by});
}

function answer(tree: ByHand, text: string): void {
  const child = 'interaction:root.1/form';
  tree.settle(`${child}/input`, allow);
  tree.settle(`${child}/turns/model`, saying(text));
  tree.settle(`${child}/output`, allow);
}

function phases(tree: ByHand): unknown[] {
  return tree.reports('phase.changed').map((report) => Reflect.get(Object(report), 'phase'));
}

function planning(tree: ByHand): readonly string[] {
  return tree
    .requests('callModel')
    .filter(({purpose}) => purpose === 'plan')
    .map(({transcript}) => transcript.messages[0]?.text ?? '');
}

test('a planner waits for an interaction that a rule spawned, and revises with its result in the prompt', () => {
  const tree = start();
  spawn(tree, 'rule');
  tree.settle('quorum', ruling('reject'));
  expect(phases(tree).at(-1)).toBe('awaitingAdvice');
  expect(tree.reports('phase.changed').at(-1)).toMatchObject({alias: 'counselling'});
  expect(planning(tree)).toHaveLength(1);
  answer(tree, 'the door is locked');
  expect(planning(tree).at(-1)).toContain('> [Ask Result]: the door is locked');
  expect(phases(tree).at(-1)).toBe('revising');
});

test('a planner waits before a replan as well', () => {
  const tree = start();
  tree.settle('quorum', ruling('approve'));
  spawn(tree, 'rule');
  tree.settle('run', broke);
  tree.settle('evaluation/files', {missing: []});
  tree.settle('evaluation/', notYet);
  expect(phases(tree).at(-1)).toBe('awaitingAdvice');
  answer(tree, 'the door is locked');
  expect(planning(tree).at(-1)).toContain('> [Ask Result]: the door is locked');
});

test('a planner does not wait for an interaction that a person spawned', () => {
  const tree = start();
  spawn(tree, 'person');
  tree.settle('quorum', ruling('reject'));
  expect(planning(tree)).toHaveLength(2);
  expect(phases(tree)).not.toContain('awaitingAdvice');
});

test('a planner does not wait for an interaction that has ended, and an approved plan does not wait at all', () => {
  const ended = start();
  spawn(ended, 'rule');
  answer(ended, 'the door is locked');
  ended.settle('quorum', ruling('reject'));
  expect(planning(ended).at(-1)).toContain('> [Ask Result]: the door is locked');
  const approved = start();
  spawn(approved, 'rule');
  approved.settle('quorum', ruling('approve'));
  expect(phases(approved).at(-1)).toBe('executing');
});

test('a cancel ends the agent and the interaction that it waits for', () => {
  const tree = start();
  spawn(tree, 'rule');
  tree.settle('quorum', ruling('reject'));
  tree.send({type: 'user.cancel'});
  expect(tree.open()).toEqual([]);
});
