/** What a human gate promises: a person decides, or the mode in their place, and never a mode where only a person may. */

import {expect, test} from 'vitest';

import type {HumanQuestion, HumanQuestionKind} from '../../machines/domain/human.ts';
import type {HilMode} from '../../machines/domain/settings.ts';
import {humanGateMachine} from '../../machines/human-gate.ts';
import {byHand} from '../support/by-hand.ts';
import {crash} from '../support/puppet.ts';

function ask(kind: HumanQuestionKind, hilMode: HilMode = 'interactive') {
  const question: HumanQuestion = {
    kind,
    request: 'do it',
    reason: 'nobody else can',
    proposalHash: 'the hash',
    history: [],
    allowed: ['approve', 'reject'],
  };
  return byHand(humanGateMachine, {question}, {hilMode});
}

test('a person decides, and the decision is told with the hash that it covers', () => {
  const gate = ask('plan');
  expect(gate.open()).toEqual(['person']);
  gate.settle('person', {decision: 'reject', reason: 'too much', gate: 'i/gate#1', at: 7});
  expect(gate.output()).toMatchObject({by: 'person', decision: {decision: 'reject'}});
  expect(gate.facts()).toMatchObject([
    {
      type: 'decision.taken',
      decision: {by: 'person', decision: 'reject', reason: 'too much', hash: 'the hash', at: 7},
    },
  ]);
  expect(gate.reports('human.decided')).toMatchObject([
    {gate: 'i/gate#1', by: 'person', decision: 'reject', proposalHash: 'the hash'},
  ]);
});

test('auto_reject answers without a person', () => {
  const gate = ask('plan', 'auto_reject');
  expect(gate.open()).toEqual([]);
  expect(gate.output()).toEqual({by: 'auto_reject', decision: {decision: 'reject'}});
});

test('auto_approve approves, and says so loudly', () => {
  const gate = ask('action', 'auto_approve');
  expect(gate.output()).toEqual({by: 'auto_approve', decision: {decision: 'approve'}});
  expect(gate.reports('warning')).toMatchObject([
    {message: 'auto_approve answered for a person: nobody else can'},
  ]);
});

test.each(['protected', 'in-doubt'] as const)(
  'auto_approve waits for a person where something is %s',
  (kind) => {
    const gate = ask(kind, 'auto_approve');
    expect(gate.open()).toEqual(['person']);
    gate.settle('person', {decision: 'approve'});
    expect(gate.output()).toMatchObject({by: 'person'});
  },
);

test('nobody repeats or believes an effect in doubt but a person: auto_reject fails it', () => {
  expect(ask('in-doubt', 'auto_reject').output()).toEqual({
    by: 'auto_reject',
    decision: {decision: 'fail'},
  });
});

test('a change of the mode answers a gate that is open', () => {
  const gate = ask('plan');
  gate.send({type: 'settings.changed', hilMode: 'auto_reject'});
  expect(gate.open()).toEqual([]);
  expect(gate.output()).toMatchObject({by: 'auto_reject'});
});

test('a gate that loses its person rejects', () => {
  const gate = ask('protected');
  gate.settle('person', crash);
  expect(gate.output()).toMatchObject({decision: {decision: 'reject'}});
});
