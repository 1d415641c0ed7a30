/** What an interaction promises: its form's result is its own, and those that it spawned end before it or with it. */

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

test('what its form comes to is its own result', () => {
  const interaction = start();
  answer(interaction);
  expect(interaction.output()).toMatchObject({status: 'completed', answer: 'so it is'});
});

test('the form is chosen by its name', () => {
  expect(start({form: 'ask'}).open()).toEqual(['form/input']);
  expect(start({form: 'agent'}).open()).toEqual(['form/gathering/survey']);
});

test('a form that fails, or crashes, is an interaction that failed and says why', () => {
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

test('a form that crashes leaves nothing at work', () => {
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

test('one that it spawns runs beside its form, a level deeper, under the next number, and is told of', () => {
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

test('the end of one below is told as a parent reads it, and the form goes on', () => {
  const interaction = start();
  spawn(interaction);
  answer(interaction, below('own.1'));
  expect(interaction.reports('interaction.settled')).toMatchObject([
    {child: 'own.1', status: 'completed', text: '[Ask Result]: so it is'},
  ]);
  answer(interaction);
  expect(interaction.output()).toMatchObject({status: 'completed'});
});

test('at depth 3 nothing is spawned, and why is told', () => {
  const interaction = start({depth: 3});
  spawn(interaction);
  expect(interaction.open()).toEqual(['form/input']);
  expect(interaction.reports('interaction.refused')).toMatchObject([
    {parent: 'own', form: 'ask', error: {code: 'maxDepthExceeded'}},
  ]);
});

test('a form that is only a root is not spawned', () => {
  const interaction = start();
  interaction.send({type: 'interaction.spawn', form: 'review', request: 'judge', by: 'person'});
  expect(interaction.open()).toEqual(['form/input']);
  expect(interaction.reports('interaction.refused')).toMatchObject([
    {form: 'review', error: {code: 'formNotSpawnable'}},
  ]);
});

test('what is to be spawned below another is passed on to it', () => {
  const interaction = start();
  spawn(interaction);
  spawn(interaction, 'own.1');
  expect(interaction.open()).toContain(`${below('own.1', 'own.1.1')}form/input`);
});

test('nothing is spawned below one that has ended, or that there never was', () => {
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

test('a cancel ends its form and all below it', () => {
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

test('a cancel of one below it ends that one and all below that, and none beside', () => {
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

test('one whose form has ended waits for those below it, and spawns no more', () => {
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

test('a cancel while it waits for those below it ends them, and its own result stays', () => {
  const interaction = start();
  spawn(interaction);
  answer(interaction);
  interaction.send({type: 'user.cancel'});
  expect(interaction.output()).toMatchObject({status: 'completed', answer: 'so it is'});
  expect(interaction.reports('interaction.settled')).toMatchObject([{status: 'cancelled'}]);
});

test("a person's words are told of by the one to whom they are said", () => {
  const interaction = start();
  spawn(interaction);
  interaction.send({type: 'user.said', interaction: 'own.1', text: 'be brief'});
  expect(interaction.reports('user.said')).toEqual([{type: 'user.said', text: 'be brief'}]);
});
