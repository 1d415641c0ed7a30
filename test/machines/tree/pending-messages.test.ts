/** Pending messages of a running interaction, and how a part of it waits for a child. */

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

/** The events that a part of an interaction received about its child, and the pending messages of the interaction. */
interface Received {
  readonly events: readonly string[];
  readonly pending: () => PendingMessages;
}

/** A tree whose root's form places the order, and gives up when its settings change. */
function treeWith(
  order: Partial<SpawnOrder>,
  depth = 0,
): {readonly tree: ByHand; readonly received: Received} {
  const events: string[] = [];
  let self: AnyActorRef | undefined;
  const orderer: AnyStateMachine = setup({
    actors: {spawnBelow},
    actions: {
      keepEvent: ({event}) => events.push(event.type),
      keepSelf: assign((args) => {
        ({self} = args);
        return {};
      }),
    },
  }).createMachine({
    context: {...openAsk({request: 'what?', workspace: '/w', settings})},
    entry: 'keepSelf',
    initial: 'waiting',
    on: {'child.*': {actions: 'keepEvent'}},
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
  const pending = () => (self ? messagesFor(self, 0) : {items: [], readCount: 0});
  return {tree, received: {events, pending}};
}

function answer(tree: ByHand): void {
  tree.settle('interaction:root.1/form/input', allow);
  tree.settle('interaction:root.1/form/turns/model', saying('so it is'));
  tree.settle('interaction:root.1/form/output', allow);
}

test('the start and the end of a child go to the actor that waits for it, and to nobody else', () => {
  const {tree, received} = treeWith({});
  answer(tree);
  expect(received.events).toEqual(['child.spawned', 'child.settled']);
  expect(received.pending()).toEqual({items: [], readCount: 0});
});

test('the result of a child that nobody waits for is a pending message, as a message of a person is', () => {
  const {tree, received} = treeWith({isAwaited: false});
  tree.send({type: 'user.said', text: 'be brief'});
  answer(tree);
  expect(received.events).toEqual(['child.spawned']);
  expect(received.pending()).toEqual({
    items: [
      {from: 'person', text: 'be brief'},
      {from: 'interaction', text: '[Ask Result]: so it is'},
    ],
    readCount: 2,
  });
});

test('a child that its actor no longer waits for is cancelled', () => {
  const {tree, received} = treeWith({});
  tree.send({type: 'settings.changed', settings: {}});
  expect(received.events).toEqual(['child.spawned']);
  expect(tree.reports('interaction.settled')).toMatchObject([
    {child: 'root.1', status: 'cancelled'},
  ]);
});

test('a child that nobody waited for continues when the actor that spawned it is gone', () => {
  const {tree} = treeWith({isAwaited: false});
  tree.send({type: 'settings.changed', settings: {}});
  expect(tree.open()).toEqual(['interaction/interaction:root.1/form/input']);
});

test('a refused spawn is reported to the actor that requested it', () => {
  const {tree, received} = treeWith({}, 3);
  expect(received.events).toEqual(['child.refused']);
  expect(tree.open()).toEqual([]);
});
