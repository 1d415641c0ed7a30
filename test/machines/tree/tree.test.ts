/** A tree: interactions nested to depth 3, with one lock, one mode and one record for all of them. */

import {expect, test} from 'vitest';
import type {AnyStateMachine} from 'xstate';

import {interactionMachine, treeMachine} from '../../../machines/index.ts';
import {withBug} from '../../support/buggy.ts';
import {type ByHand, byHand} from '../../support/by-hand.ts';
import {allow, calling, previewing, ran, ruling, saying} from '../events/outcomes.ts';
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

function spawn(tree: ByHand, parent: string, form: 'agent' | 'ask' = 'ask'): void {
  tree.send({type: 'interaction.spawn', parent, form, request: 'do it, too', by: 'person'});
}

const below = (...ids: readonly string[]) => ids.map((id) => `interaction:${id}/`).join('');

/** Answers the question of the interaction whose path ends with `where`. */
function answer(tree: ByHand, where: string): void {
  tree.settle(`${where}form/input`, allow);
  tree.settle(`${where}form/turns/model`, saying('so it is'));
  tree.settle(`${where}form/output`, allow);
}

/** Runs an agent with one write up to the preview of the write. */
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

test('any number of interactions run in parallel, down to depth 3, each under its own path', () => {
  const tree = treeOf();
  spawn(tree, 'root');
  spawn(tree, 'root.1');
  spawn(tree, 'root.1.1');
  spawn(tree, 'root');
  expect(tree.open().toSorted()).toEqual([
    'interaction/form/input',
    `interaction/${below('root.1')}form/input`,
    `interaction/${below('root.1', 'root.1.1')}form/input`,
    `interaction/${below('root.1', 'root.1.1', 'root.1.1.1')}form/input`,
    `interaction/${below('root.2')}form/input`,
  ]);
});

test('the result of a child is reported while its parent continues', () => {
  const tree = treeOf();
  spawn(tree, 'root');
  answer(tree, below('root.1'));
  expect(tree.reports('interaction.settled')).toEqual([
    {
      type: 'interaction.settled',
      child: 'root.1',
      status: 'completed',
      summary: 'Answered.',
      text: '[Ask Result]: so it is',
    },
  ]);
  answer(tree, 'subject/interaction/');
  expect(tree.output()).toMatchObject({status: 'completed', answer: 'so it is'});
});

test('below depth 3 nothing is spawned, and the reason is reported', () => {
  const tree = treeOf();
  for (const parent of ['root', 'root.1', 'root.1.1']) spawn(tree, parent);
  const before = tree.open();
  spawn(tree, 'root.1.1.1');
  expect(tree.open()).toEqual(before);
  expect(tree.reports('interaction.refused')).toMatchObject([
    {parent: 'root.1.1.1', error: {code: 'maxDepthExceeded'}},
  ]);
});

test('messages reach the root by its id, or without an id', () => {
  const tree = treeOf();
  const rest = {form: 'ask', request: 'what?', by: 'person'};
  tree.send({type: 'interaction.spawn', ...rest});
  tree.send({type: 'user.said', text: 'be brief'});
  expect(tree.open()).toHaveLength(2);
  expect(tree.reports('user.said')).toHaveLength(1);
  tree.send({type: 'interaction.cancel', interaction: 'root'});
  expect(tree.output()).toMatchObject({
    status: 'cancelled',
    interactions: [{id: 'root.1', form: 'ask', parent: 'root', depth: 1, status: 'cancelled'}],
  });
});

test('a cancel ends every interaction, descendants first', () => {
  const tree = treeOf();
  spawn(tree, 'root');
  spawn(tree, 'root.1');
  tree.send({type: 'user.cancel'});
  expect(tree.open()).toEqual([]);
  expect(tree.reports('interaction.settled')).toMatchObject([
    {child: 'root.1.1', status: 'cancelled'},
    {child: 'root.1', status: 'cancelled'},
    {status: 'cancelled'},
  ]);
});

test('the crash of an interaction is reported as an error, and never ends its parent', () => {
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
  spawn(root, 'root');
  expect(root.reports('interaction.settled')).toMatchObject([
    {child: 'root.1', status: 'error', summary: 'a bug in a chart'},
  ]);
  answer(root, 'subject/interaction/');
  expect(root.output()).toMatchObject({status: 'completed'});
});

test('the crash of an interaction ends its descendants: nothing of them stays open, and each end is reported', () => {
  const interaction: AnyStateMachine = interactionMachine;
  const tree: AnyStateMachine = treeMachine;
  const fragile = withBug(interactionMachine, {
    at: 'user.said',
    isIn: (context) => JSON.stringify(context).includes('"id":"root.1"'),
  });
  const root = treeOf(
    'ask',
    tree.provide({actors: {interaction: interaction.provide({actors: {interaction: fragile}})}}),
  );
  spawn(root, 'root');
  spawn(root, 'root.1', 'agent');
  root.send({type: 'user.said', interaction: 'root.1', text: 'be brief'});
  expect(root.open()).toEqual(['interaction/form/input']);
  expect(root.reports('interaction.settled')).toMatchObject([
    {child: 'root.1.1', status: 'error', summary: 'an interaction above it crashed'},
    {child: 'root.1', status: 'error', summary: 'a bug in a chart'},
  ]);
  answer(root, 'subject/interaction/');
  expect(root.output()).toMatchObject({
    status: 'completed',
    interactions: [
      {id: 'root.1', status: 'error'},
      {id: 'root.1.1', status: 'error'},
    ],
  });
});

test('the crash of a root ends its whole tree, and the result lists each interaction', () => {
  const tree: AnyStateMachine = treeMachine;
  const fragile = withBug(interactionMachine, {
    at: 'settings.changed',
    isIn: (context) => JSON.stringify(context).includes('"depth":0'),
  });
  const root = treeOf('ask', tree.provide({actors: {interaction: fragile}}));
  for (const parent of ['root', 'root.1', 'root.1.1']) spawn(root, parent);
  root.send({type: 'settings.changed', settings: {}});
  expect(root.open()).toEqual([]);
  expect(root.output()).toMatchObject({
    status: 'error',
    interactions: [
      {id: 'root.1', status: 'error'},
      {id: 'root.1.1', status: 'error'},
      {id: 'root.1.1.1', status: 'error'},
    ],
  });
});

test('one lock: a write waits while a write of another interaction runs', () => {
  const tree = treeOf('agent');
  spawn(tree, 'root', 'agent');
  for (const where of ['subject/interaction/', below('root.1')]) {
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
  expect(runs()).toEqual([`interaction/${below('root.1')}form/execution/task:a/call/run`]);
});

test('one mode: a change reaches an open gate anywhere in the tree', () => {
  const tree = treeOf();
  spawn(tree, 'root', 'agent');
  upToPreview(tree, below('root.1'));
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

test('one record: the result of the tree has the votes and decisions of all its interactions', () => {
  const tree = treeOf();
  spawn(tree, 'root', 'agent');
  upToPreview(tree, below('root.1'));
  answer(tree, 'subject/interaction/');
  tree.send({type: 'interaction.cancel', interaction: 'root.1'});
  expect(tree.output()).toMatchObject({
    status: 'completed',
    reviews: [{kind: 'plan', approved: true}],
    decisions: [{by: 'panel', decision: 'approve'}],
  });
});
