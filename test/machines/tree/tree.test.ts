/** A tree: interactions nested to depth 3, with one lock, one mode and one record for all of them. */

import {expect, test} from 'vitest';
import type {AnyStateMachine} from 'xstate';

import {interactionMachine, treeMachine} from '../../../machines/index.ts';
import {withBug} from '../../support/buggy.ts';
import {type ByHand, byHand} from '../../support/by-hand.ts';
import {calling, previewing, ran, ruling, saying} from '../events/outcomes.ts';
import {policySeat, smallSettings} from '../events/settings.ts';

const settings = smallSettings('interactive', [policySeat]);

function treeOf(form: 'agent' | 'ask' = 'ask', machine: AnyStateMachine = treeMachine): ByHand {
  const input = {
    id: 'root',
    form,
    contextMode: 'full',
    depth: 0,
    request: 'do it',
    workspace: '/w',
    settings,
  };
  return byHand(machine, input, {isTree: true});
}

function spawn(tree: ByHand, id: string, parent: string, form: 'agent' | 'ask' = 'ask'): void {
  const contextMode = 'projected';
  tree.send({type: 'interaction.spawn', id, parent, form, request: `do ${id}`, contextMode});
}

const allow = {action: 'allow', reason: '', details: {}};
const below = (...ids: readonly string[]) => ids.map((id) => `interaction:${id}/`).join('');

/** Answers the question of the interaction whose path ends so. */
function answer(tree: ByHand, where: string): void {
  tree.settle(`${where}form/input`, allow);
  tree.settle(`${where}form/turns/model`, saying('so it is'));
  tree.settle(`${where}form/output`, allow);
}

/** Brings an agent with one write to its gate. */
function upToPreview(tree: ByHand, where: string): void {
  const plan = {
    objective: 'one write',
    reasoning: 'asked for',
    tasks: [{id: 'a', description: 'write', tool: 'write_file', args: {path: 'x'}}],
  };
  tree.settle(`${where}form/gathering/survey`, {text: '', read: []});
  tree.settle(`${where}form/gathering/turns/model`, saying('small'));
  tree.settle(`${where}form/planning/question/call/model`, calling('create_plan', plan));
  tree.settle(`${where}form/planning/check`, {problems: []});
  tree.settle(`${where}form/quorum/screen`, ruling('approve'));
}

test('interactions to any number and to depth 3 run side by side, each under its own path', () => {
  const tree = treeOf();
  spawn(tree, 'a', 'root');
  spawn(tree, 'b', 'a');
  spawn(tree, 'c', 'b');
  spawn(tree, 'd', 'root');
  expect(tree.open().toSorted()).toEqual([
    'interaction/form/input',
    `interaction/${below('a')}form/input`,
    `interaction/${below('a', 'b')}form/input`,
    `interaction/${below('a', 'b', 'c')}form/input`,
    `interaction/${below('d')}form/input`,
  ]);
});

test('what an interaction spawned comes to is reported while it goes on itself', () => {
  const tree = treeOf();
  spawn(tree, 'a', 'root');
  answer(tree, below('a'));
  expect(tree.reports('interaction.settled')).toEqual([
    {type: 'interaction.settled', child: 'a', status: 'completed', summary: 'Answered.'},
  ]);
  answer(tree, 'subject/interaction/');
  expect(tree.output()).toMatchObject({status: 'completed', answer: 'so it is'});
});

test('below depth 3 nothing is spawned, and the interaction that asked for it reads why', () => {
  const tree = treeOf();
  for (const [id, parent] of [['a', 'root'] as const, ['b', 'a'] as const, ['c', 'b'] as const]) {
    spawn(tree, id, parent);
  }
  const before = tree.open();
  spawn(tree, 'd', 'c');
  expect(tree.open()).toEqual(before);
  expect(tree.reports('interaction.settled')).toMatchObject([{child: 'd', status: 'error'}]);
});

test('an id that is taken, or an interaction that is not there, is a warning and nothing else', () => {
  const tree = treeOf();
  spawn(tree, 'a', 'root');
  spawn(tree, 'a', 'root');
  spawn(tree, 'b', 'nobody');
  expect(tree.open()).toHaveLength(2);
  expect(tree.reports('warning')).toHaveLength(2);
});

test('a cancel ends every interaction, those below first', () => {
  const tree = treeOf();
  spawn(tree, 'a', 'root');
  spawn(tree, 'b', 'a');
  tree.send({type: 'user.cancel'});
  expect(tree.open()).toEqual([]);
  expect(tree.reports('interaction.settled')).toMatchObject([
    {child: 'b', status: 'cancelled'},
    {child: 'a', status: 'cancelled'},
    {status: 'cancelled'},
  ]);
});

test('the crash of an interaction is an error that its parent hears of, never the end of the parent', () => {
  const interaction: AnyStateMachine = interactionMachine;
  const tree: AnyStateMachine = treeMachine;
  const root = treeOf(
    'ask',
    tree.provide({
      actors: {
        interaction: interaction.provide({
          actors: {interaction: withBug(interactionMachine, {at: 'xstate.init'})},
        }),
      },
    }),
  );
  spawn(root, 'a', 'root');
  expect(root.reports('interaction.settled')).toMatchObject([
    {child: 'a', status: 'error', summary: 'a bug in a chart'},
  ]);
  answer(root, 'subject/interaction/');
  expect(root.output()).toMatchObject({status: 'completed'});
});

test('one lock: a write waits while one of another interaction of the tree runs', () => {
  const tree = treeOf('agent');
  spawn(tree, 'a', 'root', 'agent');
  for (const where of ['subject/interaction/', below('a')]) {
    upToPreview(tree, where);
    const [preview] = previewing({
      path: '',
      port: 'previewTool',
      request: {tool: 'write_file', args: {path: 'x'}, workspace: '/w'},
    });
    tree.settle(`${where}form/execution/task:a/call/review/preview`, preview ?? {});
    tree.settle(`${where}form/execution/task:a/call/review/quorum/screen`, ruling('approve'));
  }
  const runs = () => tree.open().filter((path) => path.endsWith('/call/run'));
  expect(runs()).toEqual(['interaction/form/execution/task:a/call/run']);
  tree.settle('subject/interaction/form/execution/task:a/call/run', ran);
  expect(runs()).toEqual([`interaction/${below('a')}form/execution/task:a/call/run`]);
});

test('one mode: a change reaches an open gate, wherever in the tree', () => {
  const tree = treeOf();
  spawn(tree, 'a', 'root', 'agent');
  upToPreview(tree, below('a'));
  tree.settle('call/review/preview', {
    kind: 'ready',
    args: {path: 'x'},
    preview: '+y',
    protectedReason: 'it is under .git',
  });
  tree.settle('call/review/quorum/screen', ruling('approve'));
  expect(tree.open().filter((path) => path.endsWith('/person'))).toHaveLength(1);
  tree.send({type: 'settings.changed', hilMode: 'auto_reject'});
  expect(tree.open().filter((path) => path.endsWith('/person'))).toEqual([]);
  expect(tree.reports('human.decided')).toMatchObject([
    {by: 'auto_reject', decision: 'reject', gate: expect.stringMatching(/call\/review\/gate$/)},
  ]);
});

test('one record: the result of the tree tells the votes and decisions of all its interactions', () => {
  const tree = treeOf();
  spawn(tree, 'a', 'root', 'agent');
  upToPreview(tree, below('a'));
  answer(tree, 'subject/interaction/');
  expect(tree.output()).toMatchObject({
    status: 'completed',
    reviews: [{kind: 'plan', approved: true}],
    decisions: [{by: 'panel', decision: 'approve'}],
  });
});
