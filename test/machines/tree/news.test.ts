/** What an interaction hears while it is at work, and how a part of it waits for one below. */

import {expect, test} from 'vitest';
import {type AnyActorRef, type AnyStateMachine, assign, setup} from 'xstate';

import {openAsk} from '../../../machines/forms/ask/ask-state.ts';
import {interactionMachine, treeMachine} from '../../../machines/index.ts';
import {type PendingMessages, messagesFor} from '../../../machines/tree/messages.ts';
import {spawnBelow, type SpawnOrder} from '../../../machines/tree/spawning.ts';
import {type ByHand, byHand} from '../../support/by-hand.ts';
import {allow, saying} from '../events/outcomes.ts';
import {policySeat, smallSettings} from '../events/settings.ts';

const settings = smallSettings('interactive', [policySeat]);

/** The events that a part of an interaction heard of the one that it had spawned, and the news of that interaction. */
interface Heard {
  readonly events: readonly string[];
  readonly news: () => PendingMessages;
}

/** A tree whose root's form places the order, and gives up when its settings change. */
function treeWith(
  order: Partial<SpawnOrder>,
  depth = 0,
): {readonly tree: ByHand; readonly readCount: Heard} {
  const events: string[] = [];
  let self: AnyActorRef | undefined;
  const orderer: AnyStateMachine = setup({
    actors: {spawnBelow},
    actions: {
      hear: ({event}) => events.push(event.type),
      keepSelf: assign((args) => {
        ({self} = args);
        return {};
      }),
    },
  }).createMachine({
    context: {...openAsk({request: 'what?', workspace: '/w', settings})},
    entry: 'keepSelf',
    initial: 'waiting',
    on: {'child.*': {actions: 'hear'}},
    states: {
      waiting: {
        invoke: {
          src: 'spawnBelow',
          id: 'child',
          input: {form: 'ask', request: 'what?', by: 'model', isAwaited: true, ...order},
        },
        on: {'settings.changed': 'givenUp'},
      },
      givenUp: {},
    },
  });
  const [interaction, root]: AnyStateMachine[] = [interactionMachine, treeMachine];
  const form = interaction?.provide({actors: {form: orderer}});
  const machine = root?.provide({actors: {interaction: form}}) ?? treeMachine;
  const input = {
    id: 'root',
    form: 'ask',
    contextMode: 'full',
    depth,
    request: 'do it',
    workspace: '/w',
    settings,
  };
  const tree = byHand(machine, input, {isTree: true});
  const news = () => (self ? messagesFor(self, 0) : {items: [], readCount: 0});
  return {tree, readCount: {events, news}};
}

function answer(tree: ByHand): void {
  tree.settle('interaction:root.1/form/input', allow);
  tree.settle('interaction:root.1/form/turns/model', saying('so it is'));
  tree.settle('interaction:root.1/form/output', allow);
}

test('whoever waits for one below hears that it begins and how it ends, and nobody else does', () => {
  const {tree, readCount} = treeWith({});
  answer(tree);
  expect(readCount.events).toEqual(['child.spawned', 'child.settled']);
  expect(readCount.news()).toEqual({items: [], readCount: 0});
});

test('what one below comes to for which nobody waits is news, and so are the words of a person', () => {
  const {tree, readCount} = treeWith({isAwaited: false});
  tree.send({type: 'user.said', text: 'be brief'});
  answer(tree);
  expect(readCount.events).toEqual(['child.spawned']);
  expect(readCount.news()).toEqual({
    items: [
      {from: 'person', text: 'be brief'},
      {from: 'interaction', text: '[Ask Result]: so it is'},
    ],
    readCount: 2,
  });
});

test('one below for which nobody waits any more is cancelled', () => {
  const {tree, readCount} = treeWith({});
  tree.send({type: 'settings.changed', settings: {}});
  expect(readCount.events).toEqual(['child.spawned']);
  expect(tree.reports('interaction.settled')).toMatchObject([
    {child: 'root.1', status: 'cancelled'},
  ]);
});

test('one below for which nobody waited goes on when whoever wanted it is gone', () => {
  const {tree} = treeWith({isAwaited: false});
  tree.send({type: 'settings.changed', settings: {}});
  expect(tree.open()).toEqual(['interaction/interaction:root.1/form/input']);
});

test('what cannot be spawned is told to whoever wanted it', () => {
  const {tree, readCount} = treeWith({}, 3);
  expect(readCount.events).toEqual(['child.refused']);
  expect(tree.open()).toEqual([]);
});
