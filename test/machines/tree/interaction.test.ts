/** The interaction: its result is that of its form, and its children end before it or with it. */

import {expect, test} from 'vitest';

import {agentMachine} from '../../../machines/forms/agent/agent.ts';
import type {InteractionInput} from '../../../machines/tree/children.ts';
import {interactionMachine} from '../../../machines/tree/interaction.ts';
import {withBug} from '../../support/buggy.ts';
import {type ByHand, byHand} from '../../support/by-hand.ts';
import {crash} from '../../support/hand-performer.ts';
import {allow, failing, saying} from '../events/outcomes.ts';
import {policySeat, smallSettings} from '../events/settings.ts';

function start(more: Partial<InteractionInput> = {}, machine = interactionMachine): ByHand {
  return byHand(machine, {
    id: 'own',
    form: 'ask',
    contextMode: 'full',
    depth: 0,
    request: 'what is it?',
    workspace: '/w',
    settings: smallSettings('interactive', [policySeat]),
    ...more,
  });
}

function spawn(interaction: ByHand, parent = 'own'): void {
  const rest = {form: 'ask', by: 'person', request: 'what is it then?'};
  interaction.send({type: 'interaction.spawn', parent, ...rest});
}

const below = (...ids: readonly string[]) => ids.map((id) => `interaction:${id}/`).join('');

function answer(interaction: ByHand, where = ''): void {
  interaction.settle(`subject/${where}form/input`, allow);
  interaction.settle(`subject/${where}form/turns/model`, saying('so it is'));
  interaction.settle(`subject/${where}form/output`, allow);
}

test('the result of its form is its own result', () => {
  const interaction = start();
  answer(interaction);
  expect(interaction.output()).toMatchObject({status: 'completed', answer: 'so it is'});
});

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
    interactionMachine.provide({
      actors: {form: withBug(agentMachine, {at: 'settings.changed'})},
    }),
  );
  interaction.send({type: 'settings.changed', settings: {}});
  expect(interaction.open()).toEqual([]);
  expect(interaction.output()).toMatchObject({status: 'error', summary: 'a bug in a chart'});
});

test('a child runs beside the form, one level deeper, under the next number, and is reported', () => {
  const interaction = start({depth: 1});
  spawn(interaction);
  spawn(interaction);
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

test('the end of a child is reported as its parent reads it, and the form continues', () => {
  const interaction = start();
  spawn(interaction);
  answer(interaction, below('own.1'));
  expect(interaction.reports('interaction.settled')).toMatchObject([
    {child: 'own.1', status: 'completed', text: '[Ask Result]: so it is'},
  ]);
  answer(interaction);
  expect(interaction.output()).toMatchObject({status: 'completed'});
});

test('at depth 3 nothing is spawned, and the reason is reported', () => {
  const interaction = start({depth: 3});
  spawn(interaction);
  expect(interaction.open()).toEqual(['form/input']);
  expect(interaction.reports('interaction.refused')).toMatchObject([
    {parent: 'own', form: 'ask', error: {code: 'maxDepthExceeded'}},
  ]);
});

test('a form that only a root may have is not spawned', () => {
  const interaction = start();
  interaction.send({type: 'interaction.spawn', form: 'review', request: 'judge', by: 'person'});
  expect(interaction.open()).toEqual(['form/input']);
  expect(interaction.reports('interaction.refused')).toMatchObject([
    {form: 'review', error: {code: 'formNotSpawnable'}},
  ]);
});

test('a request to spawn below a child is passed on to the child', () => {
  const interaction = start();
  spawn(interaction);
  spawn(interaction, 'own.1');
  expect(interaction.open()).toContain(`${below('own.1', 'own.1.1')}form/input`);
});

test('nothing is spawned below an interaction that has ended or never existed', () => {
  const interaction = start();
  spawn(interaction);
  answer(interaction, below('own.1'));
  for (const parent of ['own.1', 'own.1.1', 'own.2', 'other', 'own1']) spawn(interaction, parent);
  expect(interaction.open()).toEqual(['form/input']);
  expect(interaction.reports('interaction.refused')).toMatchObject(
    ['parentSettled', 'parentSettled', 'parentNotFound', 'parentNotFound', 'parentNotFound'].map(
      (code) => ({error: {code}}),
    ),
  );
});

test('a cancel ends its form and all descendants', () => {
  const interaction = start();
  spawn(interaction);
  spawn(interaction, 'own.1');
  interaction.send({type: 'user.cancel'});
  expect(interaction.output()).toMatchObject({status: 'cancelled'});
  expect(interaction.open()).toEqual([]);
  expect(interaction.reports('interaction.settled')).toMatchObject([
    {child: 'own.1.1', status: 'cancelled'},
    {child: 'own.1', status: 'cancelled'},
  ]);
});

test('a cancel of a child ends the child and its descendants, and no sibling', () => {
  const interaction = start();
  spawn(interaction);
  spawn(interaction, 'own.1');
  spawn(interaction);
  interaction.send({type: 'interaction.cancel', interaction: 'own.1'});
  expect(interaction.open()).toEqual(['form/input', 'interaction:own.2/form/input']);
  interaction.send({type: 'interaction.cancel', interaction: 'own.1'});
  expect(interaction.reports('warning')).toMatchObject([
    {message: 'the interaction own.1 has ended'},
  ]);
});

test('an interaction whose form has ended waits for its children, and spawns no more', () => {
  const interaction = start();
  spawn(interaction);
  answer(interaction);
  expect(interaction.output()).toBeUndefined();
  spawn(interaction);
  interaction.send({type: 'user.said', text: 'be brief'});
  expect(interaction.reports('interaction.refused')).toMatchObject([
    {error: {code: 'parentSettled'}},
  ]);
  expect(interaction.reports('warning')).toMatchObject([
    {message: 'the interaction own has ended'},
  ]);
  answer(interaction, below('own.1'));
  expect(interaction.output()).toMatchObject({status: 'completed'});
});

test('a cancel while it waits for its children ends them, and its own result stays', () => {
  const interaction = start();
  spawn(interaction);
  answer(interaction);
  interaction.send({type: 'user.cancel'});
  expect(interaction.output()).toMatchObject({status: 'completed', answer: 'so it is'});
  expect(interaction.reports('interaction.settled')).toMatchObject([{status: 'cancelled'}]);
});

test('a message of a person is reported by the interaction that receives it', () => {
  const interaction = start();
  spawn(interaction);
  interaction.send({type: 'user.said', interaction: 'own.1', text: 'be brief'});
  expect(interaction.reports('user.said')).toEqual([{type: 'user.said', text: 'be brief'}]);
});
