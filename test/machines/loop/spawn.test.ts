/** A call that spawns: a vote decides about the child, the result of the child is read, and the caller continues. */

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

/** A question up to its first model call. */
function ask(more: Partial<InteractionInput> = {}, machine = treeMachine): ByHand {
  const root = {id: 'own', form: 'ask', contextMode: 'full', depth: 0, workspace: '/w', settings};
  const tree = byHand(machine, {...root, request: 'How deep is it?', ...more}, {isTree: true});
  tree.settle('interaction/form/input', allow);
  return tree;
}

/** Makes the model of an interaction spawn a child, up to the vote. */
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

/** The messages of the last request to the model of the root. */
function lastMessages(tree: ByHand) {
  const requests = tree.requests('callModel').map(({transcript}) => transcript.messages);
  return requests.findLast(([first]) => first?.text.startsWith('# Question\nHow deep')) ?? [];
}

test('the child reads its request, its answer is the result of the call, and nothing is locked meanwhile', () => {
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
  expect(lastMessages(tree).at(-1)).toMatchObject({
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

test('a call that does not wait reports the start of the child at once, and the result follows later', () => {
  const tree = ask();
  spawn(tree, {...wide, wait: false});
  allowChild(tree);
  expect(lastMessages(tree).at(-1)?.text).toMatch(/^Started as the interaction own\.1\./);
  answer(tree, 'own.1', '5 m');
  tree.settle('interaction/form/turns/model', failing('truncated'));
  expect(lastMessages(tree).at(-1)?.text).toContain('> [Ask Result]: 5 m');
});

test('a message that arrives while the child runs is read together with the result of the child', () => {
  const tree = ask();
  spawn(tree);
  allowChild(tree);
  tree.send({type: 'user.said', text: 'In metres, please.'});
  answer(tree, 'own.1', '5 m');
  expect(lastMessages(tree).slice(-2)).toMatchObject([
    {role: 'tool', text: '[Ask Result]: 5 m'},
    {role: 'user', text: expect.stringContaining('In metres, please.')},
  ]);
});

test('the failure of a child is read with its reason, the child is not repeated, and the question continues', () => {
  const tree = ask();
  spawn(tree);
  allowChild(tree);
  tree.settle('own.1/form/turns/model', failing('refused'));
  expect(lastMessages(tree).at(-1)).toMatchObject({
    role: 'tool',
    isError: true,
    text: 'The interaction own.1 did not complete (error).\n[Ask Result]: (error) it failed',
  });
  answer(tree, 'interaction', '3 m');
  expect(tree.output()).toMatchObject({status: 'completed', stoppedReason: 'completed'});
});

test('the crash of a child is read with its reason, and the question continues', () => {
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
  expect(lastMessages(tree).at(-1)).toMatchObject({
    isError: true,
    text: expect.stringContaining('a bug in a chart'),
  });
  answer(tree, 'interaction', '3 m');
  expect(tree.output()).toMatchObject({status: 'completed'});
});

test('a child that is voted down never starts, and the reasons are read', () => {
  const tree = ask();
  spawn(tree);
  tree.settle('quorum', ruling('reject'));
  expect(lastMessages(tree).at(-1)).toMatchObject({
    isError: true,
    text: expect.stringContaining('the rule says reject'),
  });
  expect(tree.reports('interaction.spawned')).toEqual([]);
});

test('a vote on the child of a child still refers to the request of the person', () => {
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

test('at the greatest depth of a tree no tool that spawns is offered', () => {
  expect(ask({depth: 2}).requests('callModel')[0]?.tools).toContain('spawn_ask');
  const tree = ask({depth: 3});
  expect(tree.requests('callModel')[0]?.tools).toEqual(['read_file']);
  tree.settle('model', calling('spawn_ask', wide));
  expect(lastMessages(tree).at(-1)?.text).toContain('there is no tool "spawn_ask"');
});

test('a cancel of the question also cancels its child', () => {
  const tree = ask();
  spawn(tree);
  allowChild(tree);
  tree.send({type: 'user.cancel'});
  expect(tree.output()).toMatchObject({status: 'cancelled', interactions: [{status: 'cancelled'}]});
  expect(tree.open()).toEqual([]);
});

test('two children that are spawned in one turn run in parallel', () => {
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
