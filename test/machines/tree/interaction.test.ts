/** What an interaction promises: its form's result is its own, and those that it spawned end before it or with it. */

import {expect, test} from 'vitest';

import {agentMachine} from '../../../machines/forms/agent/agent.ts';
import {type InteractionInput, interactionMachine} from '../../../machines/tree/interaction.ts';
import {withBug} from '../../support/buggy.ts';
import {type ByHand, byHand} from '../../support/by-hand.ts';
import {crash} from '../../support/hand-performer.ts';
import {failing, saying} from '../events/outcomes.ts';
import {policySeat, smallSettings} from '../events/settings.ts';

const allow = {action: 'allow', reason: '', details: {}};

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

function spawn(interaction: ByHand, id: string, parent = 'own'): void {
  const rest = {form: 'ask', contextMode: 'fresh', request: `what is ${id}?`};
  interaction.send({type: 'interaction.spawn', id, parent, ...rest});
}

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

test('one that it spawns runs beside its form, a level deeper, and is told of', () => {
  const interaction = start({depth: 1});
  spawn(interaction, 'a');
  expect(interaction.open()).toEqual(['form/input', 'interaction:a/form/input']);
  expect(interaction.reports('interaction.spawned')).toMatchObject([
    {child: 'a', form: 'ask', depth: 2},
  ]);
});

test('the end of one below is told, and the form goes on', () => {
  const interaction = start();
  spawn(interaction, 'a');
  answer(interaction, 'interaction:a/');
  expect(interaction.reports('interaction.settled')).toMatchObject([
    {child: 'a', status: 'completed'},
  ]);
  answer(interaction);
  expect(interaction.output()).toMatchObject({status: 'completed'});
});

test('at depth 3 nothing is spawned, and why is told', () => {
  const interaction = start({depth: 3});
  spawn(interaction, 'a');
  expect(interaction.open()).toEqual(['form/input']);
  expect(interaction.reports('interaction.settled')).toMatchObject([{child: 'a', status: 'error'}]);
});

test('what is to be spawned below another is passed on to it', () => {
  const interaction = start();
  spawn(interaction, 'a');
  spawn(interaction, 'b', 'a');
  expect(interaction.open()).toContain('interaction:a/interaction:b/form/input');
});

test('a cancel ends its form and all below it', () => {
  const interaction = start();
  spawn(interaction, 'a');
  spawn(interaction, 'b', 'a');
  interaction.send({type: 'user.cancel'});
  expect(interaction.output()).toMatchObject({status: 'cancelled'});
  expect(interaction.open()).toEqual([]);
  expect(interaction.reports('interaction.settled')).toMatchObject([
    {child: 'b', status: 'cancelled'},
    {child: 'a', status: 'cancelled'},
  ]);
});

test('those that it spawned end with it', () => {
  const interaction = start();
  spawn(interaction, 'a');
  answer(interaction);
  expect(interaction.output()).toMatchObject({status: 'completed'});
  expect(interaction.open()).toEqual([]);
});
