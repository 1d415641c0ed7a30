/** Spawn rules: the events that they count, that each fires once, and that none makes a loop. */

import {describe, expect, test} from 'vitest';

import type {RuleEvent, SpawnRule} from '../../../machines/domain/settings.ts';
import {treeMachine} from '../../../machines/index.ts';
import {type ByHand, byHand} from '../../support/by-hand.ts';
import {
  draftPlan,
  gather,
  oneRead,
  plansOf,
  type Shape,
  twoWrites,
  work,
} from '../events/agent-plans.ts';
import {allow, broke, calling, ruling, saying} from '../events/outcomes.ts';
import {newFile} from '../events/phases.ts';
import {policySeat, smallSettings, treeInput} from '../events/settings.ts';

type Form = 'agent' | 'ask' | 'review';

const limits = {maxPlanRevisions: 5, maxReplans: 2, maxIterations: 9};

function rule(event: RuleEvent, nth: number, form: SpawnRule['form'] = 'ask'): SpawnRule {
  return {event, nth, form, request: `why ${event}?`};
}

function treeOf(form: Form, ...rules: readonly SpawnRule[]): ByHand {
  const settings = {...smallSettings('interactive', [policySeat], limits), spawn: rules};
  const more = form === 'review' ? {diff: [newFile('a', 1)]} : {};
  return byHand(treeMachine, treeInput(form, settings, more), {isTree: true});
}

const root = 'subject/interaction/form/';
const below = (...ids: readonly string[]) =>
  `subject/interaction/${ids.map((id) => `interaction:${id}/`).join('')}form/`;

function draft(tree: ByHand, number: number, {at = root, shape = oneRead} = {}): void {
  draftPlan(tree, plansOf(shape).draft(number), at);
}

function vote(tree: ByHand, verdict: 'approve' | 'reject' | 'abstain', at = root): void {
  tree.settle(`${at}quorum/screen`, ruling(verdict));
}

function answer(tree: ByHand, at: string): void {
  tree.settle(`${at}input`, allow);
  tree.settle(`${at}turns/model`, saying('so it is'));
  tree.settle(`${at}output`, allow);
}

function rejectAction(tree: ByHand): void {
  tree.settle('review/preview', {kind: 'ready', args: {path: 'x'}, preview: '+y'});
  tree.settle('review/quorum', ruling('reject'));
}

function approved(tree: ByHand, shape: Shape): void {
  gather(tree);
  draft(tree, 1, {shape});
  vote(tree, 'approve');
}

function rejectPlan(tree: ByHand, number: number, at: string): void {
  gather(tree, at);
  draft(tree, number, {at});
  vote(tree, 'reject', at);
}

function spawn(tree: ByHand, parent: string, form: Form = 'agent'): void {
  tree.send({type: 'interaction.spawn', parent, form, request: 'do it, too', by: 'person'});
}

const spawned = (tree: ByHand) => tree.reports('interaction.spawned');
const byRule = (child: string, form = 'ask') => ({child, form, by: 'rule'});

test('a rule fires at the N-th occurrence of its event, and never again', () => {
  const tree = treeOf('agent', rule('plan.rejected', 2));
  gather(tree);
  draft(tree, 1);
  vote(tree, 'reject');
  expect(spawned(tree)).toEqual([]);
  draft(tree, 2);
  vote(tree, 'reject');
  expect(spawned(tree)).toEqual([
    {
      type: 'interaction.spawned',
      child: 'root.1',
      parent: 'root',
      form: 'ask',
      depth: 1,
      contextMode: 'projected',
      by: 'rule',
      request: 'why plan.rejected?',
    },
  ]);
  answer(tree, below('root.1'));
  for (const number of [3, 4]) {
    draft(tree, number);
    vote(tree, 'reject');
  }
  expect(spawned(tree)).toHaveLength(1);
});

test('several rules fire at once, in their order, each with its own form and context mode', () => {
  const discuss = {...rule('plan.rejected', 1, 'discuss'), contextMode: 'fresh'} as const;
  const tree = treeOf('agent', rule('plan.rejected', 1), discuss, rule('task.failed', 1));
  gather(tree);
  draft(tree, 1);
  vote(tree, 'reject');
  expect(spawned(tree)).toMatchObject([
    {...byRule('root.1'), contextMode: 'projected'},
    {...byRule('root.2', 'discuss'), contextMode: 'fresh'},
  ]);
});

describe('a rule counts', () => {
  test.each<[RuleEvent, number, (tree: ByHand) => void]>([
    [
      'action.rejected',
      2,
      (tree) => {
        approved(tree, work);
        for (const path of ['x', 'y']) {
          tree.settle('turns/model', calling('write_file', {path}));
          rejectAction(tree);
        }
      },
    ],
    [
      'task.failed',
      1,
      (tree) => {
        approved(tree, oneRead);
        tree.settle('run', broke);
      },
    ],
    [
      'quorum.noQuorum',
      1,
      (tree) => {
        gather(tree);
        draft(tree, 1);
        vote(tree, 'abstain');
      },
    ],
  ])('%s', (event, nth, upTo) => {
    const others = (['plan.rejected', 'action.rejected', 'task.failed', 'quorum.noQuorum'] as const)
      .filter((other) => other !== event)
      .map((other) => rule(other, nth));
    const tree = treeOf('agent', ...others, rule(event, nth + 1), rule(event, nth));
    upTo(tree);
    expect(spawned(tree)).toMatchObject([{...byRule('root.1'), request: `why ${event}?`}]);
  });

  test('nothing in a review, where nobody would read the result', () => {
    const tree = treeOf('review', rule('quorum.noQuorum', 1));
    tree.settle('screen', ruling('abstain'));
    expect(spawned(tree)).toEqual([]);
  });
});

describe('no rule makes a loop:', () => {
  test('events of a form fire the rules of its own interaction, not those of an ancestor', () => {
    const tree = treeOf('ask', rule('plan.rejected', 1));
    spawn(tree, 'root');
    rejectPlan(tree, 1, below('root.1'));
    expect(spawned(tree)).toMatchObject([{child: 'root.1', by: 'person'}, byRule('root.1.1')]);
  });

  test('an interaction that a rule spawned fires no rule, and its descendants fire none', () => {
    const tree = treeOf('agent', rule('plan.rejected', 1, 'agent'));
    rejectPlan(tree, 1, root);
    expect(spawned(tree)).toMatchObject([byRule('root.1', 'agent')]);
    rejectPlan(tree, 1, below('root.1'));
    spawn(tree, 'root.1');
    rejectPlan(tree, 1, below('root.1', 'root.1.1'));
    expect(spawned(tree)).toHaveLength(2);
  });

  test('an interaction that a rule spawned still has no rules after a change of settings', () => {
    const tree = treeOf('agent', rule('plan.rejected', 1, 'agent'));
    rejectPlan(tree, 1, root);
    tree.send({type: 'settings.changed', settings: {agent: {maxReplans: 1}}});
    rejectPlan(tree, 1, below('root.1'));
    expect(spawned(tree)).toHaveLength(1);
  });

  test('at depth 3 nothing is spawned: the refusal is reported, but not to a model', () => {
    const tree = treeOf('ask', rule('action.rejected', 1));
    for (const parent of ['root', 'root.1', 'root.1.1']) spawn(tree, parent);
    const at = below('root.1', 'root.1.1', 'root.1.1.1');
    gather(tree, at);
    draft(tree, 1, {at, shape: work});
    vote(tree, 'approve', at);
    tree.settle('turns/model', calling('write_file', {path: 'x'}));
    rejectAction(tree);
    expect(tree.reports('interaction.refused')).toMatchObject([
      {parent: 'root.1.1.1', form: 'ask', error: {code: 'maxDepthExceeded'}},
    ]);
    expect(spawned(tree)).toHaveLength(3);
    const [request] = tree.requests('callModel').slice(-1);
    expect(request?.purpose).toBe('act');
    expect(JSON.stringify(request?.transcript)).not.toContain('spawned');
  });
});

test('nothing is spawned once a person has cancelled', () => {
  const tree = treeOf('agent', rule('task.failed', 1));
  gather(tree);
  draft(tree, 1, {shape: twoWrites});
  vote(tree, 'approve');
  tree.send({type: 'user.cancel'});
  expect(spawned(tree)).toEqual([]);
  expect(tree.output()).toMatchObject({status: 'cancelled'});
});
