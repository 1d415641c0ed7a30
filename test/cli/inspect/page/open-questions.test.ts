import {expect, test} from 'vitest';

import {
  openAsks,
  openGates,
  openHold,
  waitingOf,
} from '../../../../cli/inspect/page/browser/derived/open-questions.ts';
import type {Moments} from '../../../../machines/trace/moments.ts';
import {ended, momentsOf, noted, received, requested} from './trace-steps.ts';

const gate = 'i/gate#1';
const asked = noted({type: 'human.requested', gate, question: {reason: 'Is it right?'}});
const answered = received({type: 'human.decided', gate, decision: 'reject'});

function gatesAt(moments: Moments, index: number): string[] {
  return openGates(waitingOf(moments).gates, index, moments.at(index)).map((each) => each.gate);
}

test('a gate is open from its question to the decision', () => {
  const moments = momentsOf(requested(gate, 'askHuman'), asked, answered);
  expect([0, 1, 2].map((index) => gatesAt(moments, index))).toEqual([[], [gate], []]);
});

test('a gate that is asked again has the newest question', () => {
  const question = {reason: 'Is this one right?', proposalHash: 'new'};
  const moments = momentsOf(asked, noted({type: 'human.requested', gate, question}));
  expect(waitingOf(moments).gates).toEqual([{index: 0, gate, question}]);
});

test('a gate that nobody decides closes when its actor has ended', () => {
  const moments = momentsOf(
    requested('i/other#1', 'callModel'),
    requested(gate, 'askHuman'),
    asked,
    ended('i/gate'),
  );
  expect([2, 3].map((index) => gatesAt(moments, index))).toEqual([[gate], []]);
});

test('without the states of the actors the entries alone say what is open', () => {
  const moments = momentsOf(asked, answered);
  expect([0, 1].map((index) => gatesAt(moments, index))).toEqual([[gate], []]);
});

test('a decision keeps its reason, and the report of it changes nothing', () => {
  const decision = {gate, decision: 'approve', reason: 'fine'};
  const moments = momentsOf(
    asked,
    received({type: 'human.decided', ...decision}),
    noted({type: 'human.decided', gate, decision: 'reject'}),
  );
  expect(waitingOf(moments).gates).toMatchObject([{decided: {index: 1, decision}}]);
});

test('a question of an interview is open until its reply', () => {
  const ask = 'i/ask#1';
  const moments = momentsOf(
    requested(ask, 'askPerson'),
    noted({type: 'interview.asked', ask, message: 'Your name?'}),
    received({type: 'person.replied', ask, text: 'Ada'}),
  );
  const open = (index: number): string[] =>
    openAsks(waitingOf(moments).asks, index, moments.at(index)).map(({message}) => message);
  expect([0, 1, 2].map(open)).toEqual([[], ['Your name?'], []]);
});

test.each(['run.released', 'run.resumed', 'user.cancel'])('%s ends a hold', (type) => {
  const effect = 'i/call#1';
  const moments = momentsOf(
    requested(effect, 'callModel'),
    received({type: 'run.held', effect, port: 'callModel'}),
    received({type}),
  );
  const held = (index: number): unknown =>
    openHold(waitingOf(moments).holds, index, moments.at(index))?.event['effect'];
  expect([0, 1, 2].map(held)).toEqual([undefined, effect, undefined]);
});
