/** Waiting for what rules have spawned: as long as one of them is at work, and for nobody else. */

import {expect, test} from 'vitest';
import {type AnyStateMachine, assign, setup} from 'xstate';

import {interactionMachine, treeMachine} from '../../../machines/index.ts';
import {counsel, isCounselOut} from '../../../machines/tree/counsel.ts';
import {type ByHand, byHand} from '../../support/by-hand.ts';
import {saying} from '../events/outcomes.ts';
import {policySeat, smallSettings} from '../events/settings.ts';
import {valueIn} from '../laws-record.ts';

const settings = smallSettings('interactive', [policySeat]);
const allow = {action: 'allow', reason: '', details: {}};

/** A form that looks when it is told to whether counsel is out, and waits for it. */
const formMachine = setup({
  types: {} as {
    context: {readonly isOut: boolean};
    output: unknown;
    events: {readonly type: 'settings.changed'} | {readonly type: 'counsel.given'};
  },
  actors: {counsel},
  actions: {look: assign(({self}) => ({isOut: isCounselOut(self)}))},
}).createMachine({
  id: 'form',
  context: {isOut: false},
  initial: 'working',
  states: {
    working: {on: {'settings.changed': {target: 'waiting', actions: 'look'}}},
    waiting: {invoke: {src: 'counsel', id: 'counsel'}, on: {'counsel.given': 'given'}},
    given: {type: 'final'},
  },
  output: ({context}: {context: {readonly isOut: boolean}}) => ({
    status: 'completed',
    summary: context.isOut ? 'waited' : 'did not wait',
  }),
});

const interactionWith: AnyStateMachine = interactionMachine;
const tree: AnyStateMachine = treeMachine;
const machine = tree.provide({
  actors: {interaction: interactionWith.provide({actors: {form: formMachine}})},
});

function start(): ByHand {
  const base = {id: 'own', form: 'ask', contextMode: 'full', depth: 0, request: 'do it'};
  return byHand(machine, {...base, workspace: '/w', settings}, {isTree: true});
}

function spawn(interaction: ByHand, by: 'person' | 'rule', parent = 'own'): void {
  interaction.send({type: 'interaction.spawn', parent, form: 'ask', request: 'what?', by});
}

const look = (interaction: ByHand): void => interaction.send({type: 'settings.changed'});

function answer(interaction: ByHand, id: string): void {
  interaction.settle(`interaction:${id}/form/input`, allow);
  interaction.settle(`interaction:${id}/form/turns/model`, saying('so it is'));
  interaction.settle(`interaction:${id}/form/output`, allow);
}

test('who asks for it waits until all that rules have spawned has ended, however it ends', () => {
  const interaction = start();
  spawn(interaction, 'rule');
  spawn(interaction, 'rule');
  look(interaction);
  expect(interaction.output()).toBeUndefined();
  answer(interaction, 'own.1');
  expect(interaction.output()).toBeUndefined();
  interaction.send({type: 'interaction.cancel', interaction: 'own.2'});
  expect(interaction.output()).toMatchObject({summary: 'waited'});
});

test('nobody waits where there is none, nor for what a person has spawned, nor for what is further below', () => {
  expect(summaryOf(start())).toBe('did not wait');
  const asked = start();
  spawn(asked, 'person');
  spawn(asked, 'rule', 'own.1');
  look(asked);
  answer(asked, 'own.1/interaction:own.1.1');
  answer(asked, 'own.1');
  expect(asked.output()).toMatchObject({summary: 'did not wait'});
});

test('what has ended before is not waited for', () => {
  const interaction = start();
  spawn(interaction, 'rule');
  answer(interaction, 'own.1');
  expect(summaryOf(interaction)).toBe('did not wait');
});

function summaryOf(interaction: ByHand): unknown {
  look(interaction);
  return valueIn(interaction.output(), 'summary');
}
