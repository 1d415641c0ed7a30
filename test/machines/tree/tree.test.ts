/** A tree of interactions, and one interaction in it. */

import {expect, test} from 'vitest';
import type {AnyStateMachine} from 'xstate';

import type {RecordedDialogue} from '../../../machines/facts/fact.ts';
import {agentMachine} from '../../../machines/forms/agent/agent.ts';
import {
  interactionMachine,
  treeMachine,
  childrenOf,
  depthOf,
  getInteraction,
  parentOf,
} from '../../../machines/index.ts';
import type {InteractionInput} from '../../../machines/tree/children.ts';
import {interactionsIn, spawnFault} from '../../../machines/tree/interaction-tree.ts';
import {withBug} from '../../support/buggy.ts';
import {type ByHand, byHand} from '../../support/by-hand.ts';
import {crash} from '../../support/hand-performer.ts';
import {draftPlan, gather} from '../events/agent-plans.ts';
import {allow, calling, previewing, ran, ruling, saying, failing} from '../events/outcomes.ts';
import {treeInput, usualSettings} from '../events/settings.ts';

function treeOf(form: 'agent' | 'ask' = 'ask', machine: AnyStateMachine = treeMachine): ByHand {
  return byHand(machine, treeInput(form), {isTree: true});
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
  gather(tree, `${where}form/`);
  draftPlan(tree, calling('create_plan', plan), `${where}form/`);
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

function start(more: Partial<InteractionInput> = {}, machine = interactionMachine): ByHand {
  return byHand(machine, treeInput('ask', usualSettings, {id: 'own', ...more}));
}

function spawnInteraction(interaction: ByHand, parent = 'own'): void {
  const rest = {form: 'ask', by: 'person', request: 'what is it then?'};
  interaction.send({type: 'interaction.spawn', parent, ...rest});
}

function answerInteraction(interaction: ByHand, where = ''): void {
  interaction.settle(`subject/${where}form/input`, allow);
  interaction.settle(`subject/${where}form/turns/model`, saying('so it is'));
  interaction.settle(`subject/${where}form/output`, allow);
}

test('the form is chosen by its name', () => {
  expect(start({form: 'ask'}).open()).toEqual(['form/input']);
  expect(start({form: 'agent'}).open()).toEqual(['form/gathering/survey']);
});

test('a form that fails or crashes makes the interaction fail with the same reason', () => {
  const failed = start();
  failed.settle('input', allow);
  failed.settle('model', failing('refused'));
  expect(failed.output()).toMatchObject({status: 'error', error: {code: 'refused'}});
  const crashed = start(
    {form: 'agent'},
    interactionMachine.provide({
      actors: {form: withBug(agentMachine, {at: 'xstate.done.actor.gathering'})},
    }),
  );
  crashed.settle('survey', crash);
  expect(crashed.output()).toMatchObject({
    status: 'error',
    summary: 'a bug in a chart',
    error: {code: 'internal'},
  });
});

test('a form that crashes leaves nothing open', () => {
  const interaction = start(
    {form: 'agent'},
    interactionMachine.provide({actors: {form: withBug(agentMachine, {at: 'settings.changed'})}}),
  );
  interaction.send({type: 'settings.changed', settings: {}});
  expect(interaction.open()).toEqual([]);
  expect(interaction.output()).toMatchObject({status: 'error', summary: 'a bug in a chart'});
});

test('a child runs beside the form, one level deeper, under the next number, and is reported', () => {
  const interaction = start({depth: 1});
  spawnInteraction(interaction);
  spawnInteraction(interaction);
  expect(interaction.open()).toEqual([
    'form/input',
    'interaction:own.1/form/input',
    'interaction:own.2/form/input',
  ]);
  expect(interaction.reports('interaction.spawned')[0]).toEqual({
    type: 'interaction.spawned',
    child: 'own.1',
    form: 'ask',
    parent: 'own',
    depth: 2,
    contextMode: 'projected',
    by: 'person',
    request: 'what is it then?',
  });
});

test('a form that only a root may have is not spawned', () => {
  const interaction = start();
  interaction.send({type: 'interaction.spawn', form: 'review', request: 'judge', by: 'person'});
  expect(interaction.open()).toEqual(['form/input']);
  expect(interaction.reports('interaction.refused')).toMatchObject([
    {form: 'review', error: {code: 'formNotSpawnable'}},
  ]);
});

test('nothing is spawned below an interaction that has ended or never existed', () => {
  const interaction = start();
  spawnInteraction(interaction);
  answerInteraction(interaction, below('own.1'));
  for (const parent of ['own.1', 'own.1.1', 'own.2', 'other', 'own1'])
    spawnInteraction(interaction, parent);
  expect(interaction.open()).toEqual(['form/input']);
  expect(interaction.reports('interaction.refused')).toMatchObject(
    ['parentSettled', 'parentSettled', 'parentNotFound', 'parentNotFound', 'parentNotFound'].map(
      (code) => ({error: {code}}),
    ),
  );
});

test('a cancel of a child ends the child and its descendants, and no sibling', () => {
  const interaction = start();
  spawnInteraction(interaction);
  spawnInteraction(interaction, 'own.1');
  spawnInteraction(interaction);
  interaction.send({type: 'interaction.cancel', interaction: 'own.1'});
  expect(interaction.open()).toEqual(['form/input', 'interaction:own.2/form/input']);
  interaction.send({type: 'interaction.cancel', interaction: 'own.1'});
  expect(interaction.reports('warning')).toMatchObject([{message: 'the interaction 1 has ended'}]);
});

test('an interaction whose form has ended waits for its children, and spawns no more', () => {
  const interaction = start();
  spawnInteraction(interaction);
  answerInteraction(interaction);
  expect(interaction.output()).toBeUndefined();
  spawnInteraction(interaction);
  interaction.send({type: 'user.said', text: 'be brief'});
  expect(interaction.reports('interaction.refused')).toMatchObject([
    {error: {code: 'parentSettled'}},
  ]);
  expect(interaction.reports('warning')).toMatchObject([
    {message: 'the root interaction has ended'},
  ]);
  answerInteraction(interaction, below('own.1'));
  expect(interaction.output()).toMatchObject({status: 'completed'});
});

test('a cancel while it waits for its children ends them, and its own result stays', () => {
  const interaction = start();
  spawnInteraction(interaction);
  answerInteraction(interaction);
  interaction.send({type: 'user.cancel'});
  expect(interaction.output()).toMatchObject({status: 'completed', answer: 'so it is'});
  expect(interaction.reports('interaction.settled')).toMatchObject([{status: 'cancelled'}]);
});

function spawned(parent: string, child: string, depth: number): RecordedDialogue {
  const rest = {form: 'ask', contextMode: 'fresh', request: 'what?', by: 'model'} as const;
  const detail = {isAwaited: true};
  return {type: 'interaction.spawned', path: '', child, parent, depth, ...rest, detail};
}

const root = {id: 'r', form: 'agent', contextMode: 'full', request: 'do it'} as const;
const result = {status: 'completed', summary: 'Done.'} as const;
const nodes = interactionsIn(root, [
  spawned('r', 'r.1', 1),
  spawned('r.1', 'r.1.1', 2),
  spawned('r', 'r.2', 1),
  spawned('r.1.1', 'r.1.1.1', 3),
  {type: 'interaction.settled', path: '', child: 'r.2', ...result, detail: {result}},
  {type: 'user.said', path: '', text: 'hurry'},
]);

test('the records of spawned interactions are read as a tree', () => {
  expect(nodes.map(({id}) => id)).toEqual(['r', 'r.1', 'r.1.1', 'r.2', 'r.1.1.1']);
  expect(getInteraction(nodes, 'r.2')).toMatchObject({parent: 'r', by: 'model', result});
  expect(parentOf(nodes, 'r.1.1')?.id).toBe('r.1');
  expect(parentOf(nodes, 'r')).toBeUndefined();
  expect(childrenOf(nodes, 'r').map(({id}) => id)).toEqual(['r.1', 'r.2']);
  expect(depthOf(nodes, 'r.1.1.1')).toBe(3);
  expect(depthOf(nodes, 'x')).toBeUndefined();
});

test.each([
  ['r', 'discuss', undefined],
  ['r.1.1', 'agent', undefined],
  ['r.1.1.1', 'ask', 'maxDepthExceeded'],
  ['r.2', 'ask', 'parentSettled'],
  ['r.3', 'ask', 'parentNotFound'],
  ['r', 'review', 'formNotSpawnable'],
] as const)('below %s, %s: %s', (parent, form, code) => {
  expect(spawnFault(nodes, parent, form)?.code).toBe(code);
});
