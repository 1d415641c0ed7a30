/** A call that spawns: what it begins is voted on, what that comes to is read, and the work here goes on. */

import {expect, test} from 'vitest';

import type {JsonObject} from '../../../machines/domain/json.ts';
import {askMachine} from '../../../machines/forms/ask/ask.ts';
import type {InteractionInput} from '../../../machines/tree/children.ts';
import {interactionMachine} from '../../../machines/tree/interaction.ts';
import {treeMachine} from '../../../machines/tree/tree.ts';
import {withBug} from '../../support/buggy.ts';
import {type ByHand, byHand} from '../../support/by-hand.ts';
import {allow, calling, failing, ruling, saying} from '../events/outcomes.ts';
import {policySeat, smallSettings, spawnAsk} from '../events/settings.ts';

const small = smallSettings('interactive', [policySeat]);
const settings = {...small, tools: [...small.tools, spawnAsk], ask: {...small.ask, maxSteps: 9}};
const wide = {request: 'How wide is it?'};

/** A question that has come as far as its model. */
function ask(more: Partial<InteractionInput> = {}, machine = treeMachine): ByHand {
  const root = {id: 'own', form: 'ask', contextMode: 'full', depth: 0, workspace: '/w', settings};
  const tree = byHand(machine, {...root, request: 'How deep is it?', ...more}, {isTree: true});
  tree.settle('interaction/form/input', allow);
  return tree;
}

/** The model of an interaction has another one spawned. */
function spawn(tree: ByHand, args: JsonObject = wide, where = 'interaction/form'): void {
  tree.settle(`${where}/turns/model`, calling('spawn_ask', args));
  tree.settle('preview', {kind: 'ready', args, preview: 'Begins a question'});
}

function answer(tree: ByHand, where: string, text: string): void {
  tree.settle(`${where}/form/turns/model`, saying(text));
  tree.settle(`${where}/form/output`, allow);
}

function allowChild(tree: ByHand): void {
  tree.settle('quorum', ruling('approve'));
  tree.settle('own.1/form/input', allow);
}

/** What the model of the root was sent last. */
function heard(tree: ByHand) {
  const requests = tree.requests('callModel').map(({transcript}) => transcript.messages);
  return requests.findLast(([first]) => first?.text.startsWith('# Question\nHow deep')) ?? [];
}

test('what it was asked is read, and what it answers is the result of the call; nothing is locked meanwhile', () => {
  const tree = ask();
  spawn(tree);
  expect(tree.reports('interaction.spawned')).toEqual([]);
  allowChild(tree);
  expect(tree.requests('callModel').at(-1)?.transcript.messages).toMatchObject([
    {
      text: expect.stringMatching(
        /^# Question\nHow wide is it\?\n\n# Inherited context .*\n[^]*How deep/,
      ),
    },
  ]);
  expect(tree.open()).toEqual(['interaction/interaction:own.1/form/turns/model/model']);
  answer(tree, 'own.1', '5 m');
  expect(heard(tree).at(-1)).toMatchObject({
    role: 'tool',
    text: '[Ask Result]: 5 m',
    isError: false,
  });
  answer(tree, 'interaction', '3 m');
  expect(tree.output()).toMatchObject({
    status: 'completed',
    steps: [{action: 'spawn_ask', observation: '[Ask Result]: 5 m'}],
    interactions: [{id: 'own.1', by: 'model', status: 'completed'}],
  });
  expect(tree.requests('runTool')).toEqual([]);
  expect(tree.requests('lockWorkspace')).toEqual([]);
});

test('who does not wait for it is told at once that it has begun, and later what it came to', () => {
  const tree = ask();
  spawn(tree, {...wide, wait: false});
  allowChild(tree);
  expect(heard(tree).at(-1)?.text).toMatch(/^Started as the interaction own\.1\./);
  answer(tree, 'own.1', '5 m');
  tree.settle('interaction/form/turns/model', failing('truncated'));
  expect(heard(tree).at(-1)?.text).toContain('> [Ask Result]: 5 m');
});

test('what a person says while it is at work is read with what it came to', () => {
  const tree = ask();
  spawn(tree);
  allowChild(tree);
  tree.send({type: 'user.said', text: 'In metres, please.'});
  answer(tree, 'own.1', '5 m');
  expect(heard(tree).slice(-2)).toMatchObject([
    {role: 'tool', text: '[Ask Result]: 5 m'},
    {role: 'user', text: expect.stringContaining('In metres, please.')},
  ]);
});

test('one that fails is read with why, is not begun again, and leaves the question to go on', () => {
  const tree = ask();
  spawn(tree);
  allowChild(tree);
  tree.settle('own.1/form/turns/model', failing('refused'));
  expect(heard(tree).at(-1)).toMatchObject({
    role: 'tool',
    isError: true,
    text: 'The interaction own.1 did not complete (error).\n[Ask Result]: (error) it failed',
  });
  answer(tree, 'interaction', '3 m');
  expect(tree.output()).toMatchObject({status: 'completed', stoppedReason: 'completed'});
});

test('so is one that crashes', () => {
  const crashing = interactionMachine.provide({
    actors: {form: withBug(askMachine, {at: 'xstate.done.actor.turns'})},
  });
  const tree = ask(
    {},
    treeMachine.provide({
      actors: {interaction: interactionMachine.provide({actors: {interaction: crashing}})},
    }),
  );
  spawn(tree);
  allowChild(tree);
  tree.settle('own.1/form/turns/model', saying('5 m'));
  expect(heard(tree).at(-1)).toMatchObject({
    isError: true,
    text: expect.stringContaining('a bug in a chart'),
  });
  answer(tree, 'interaction', '3 m');
  expect(tree.output()).toMatchObject({status: 'completed'});
});

test('one that is voted down is never begun, and the reasons are read', () => {
  const tree = ask();
  spawn(tree);
  tree.settle('quorum', ruling('reject'));
  expect(heard(tree).at(-1)).toMatchObject({
    isError: true,
    text: expect.stringContaining('the rule says reject'),
  });
  expect(tree.reports('interaction.spawned')).toEqual([]);
});

test('what a model had begun is voted on by what a person asked, whatever the model made of it', () => {
  const tree = ask();
  spawn(tree);
  expect(tree.requests('screenProposal').at(-1)?.proposal.facts.request).toBe('How deep is it?');
  allowChild(tree);
  spawn(tree, {request: 'And how high?'}, 'own.1/form');
  expect(tree.requests('screenProposal').at(-1)?.proposal).toMatchObject({
    text: expect.stringContaining('Task: How wide is it?'),
    facts: {request: 'How deep is it?'},
  });
});

test('where the tree is as deep as may be, nothing that spawns is offered', () => {
  expect(ask({depth: 2}).requests('callModel')[0]?.tools).toContain('spawn_ask');
  const tree = ask({depth: 3});
  expect(tree.requests('callModel')[0]?.tools).toEqual(['read_file']);
  tree.settle('model', calling('spawn_ask', wide));
  expect(heard(tree).at(-1)?.text).toContain('there is no tool "spawn_ask"');
});

test('who cancels the question cancels what waits below it', () => {
  const tree = ask();
  spawn(tree);
  allowChild(tree);
  tree.send({type: 'user.cancel'});
  expect(tree.output()).toMatchObject({status: 'cancelled', interactions: [{status: 'cancelled'}]});
  expect(tree.open()).toEqual([]);
});

test('two that are spawned in one turn are at work side by side', () => {
  const tree = ask();
  const calls = ['a', 'b'].map((request, index) => ({
    id: `call-${index}`,
    name: 'spawn_ask',
    args: {request},
  }));
  tree.settle('interaction/form/turns/model', {kind: 'ok', text: '', calls});
  for (const [index, {args}] of calls.entries()) {
    tree.settle(`call:1.${index}/review/preview`, {kind: 'ready', args, preview: ''});
    tree.settle(`call:1.${index}/review/quorum`, ruling('approve'));
  }
  expect(tree.open()).toEqual(
    ['own.1', 'own.2'].map((id) => `interaction/interaction:${id}/form/input`),
  );
});
