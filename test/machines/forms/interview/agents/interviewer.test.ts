/** The interviewer: one field after the other, corrections first, and dependent fields updated after a change. */

import {expect, test} from 'vitest';

import {interviewerMachine} from '../../../../../machines/forms/interview/agents/interviewer.ts';
import {type ByHand, byHand} from '../../../../support/by-hand.ts';
import {byRule, dialogue, message, say, sound} from '../talk.ts';

function answer(talk: ByHand, text: string): void {
  say(talk, text);
  talk.settle('check', sound(text));
}

test('fields are asked in their order, except fields that do not apply', () => {
  const interviewer = byHand(interviewerMachine, {dialogue, settings: byRule});
  answer(interviewer, 'Ann');
  expect(message(interviewer)).toContain('Shirt size');
  answer(interviewer, 'M');
  expect(interviewer.output()).toMatchObject({
    move: {to: 'next'},
    dialogue: {fields: {card: {status: 'notApplicable'}}},
  });
  expect(interviewer.reports('interview.changed')).toMatchObject([
    {field: 'name', status: 'done', done: 1, of: 2},
    {field: 'size', status: 'done', done: 2, of: 2},
  ]);
});

test('a correction comes first, is shown as old and new, and the interview continues at the same field', () => {
  const interviewer = byHand(interviewerMachine, {dialogue, settings: byRule});
  answer(interviewer, 'Ann');
  say(interviewer, 'my name is Bob', {kind: 'correct', field: 'name', text: 'Bob'});
  interviewer.settle('check', sound('Bob'));
  expect(message(interviewer)).toContain('Ann → Bob');
  expect(message(interviewer)).toContain('Shirt size');
});

test('a changed answer updates the fields that depend on it', () => {
  const interviewer = byHand(interviewerMachine, {dialogue, settings: byRule});
  answer(interviewer, 'Ann');
  answer(interviewer, 'L');
  say(interviewer, 'size S', {kind: 'correct', field: 'size', text: 'S'});
  interviewer.settle('check', sound('S'));
  expect(interviewer.output()).toMatchObject({
    dialogue: {fields: {size: {value: 'S'}, card: {status: 'notApplicable'}}},
  });
});

test('a pause leaves the field as it is', () => {
  const interviewer = byHand(interviewerMachine, {dialogue, settings: byRule});
  say(interviewer, 'pause', {kind: 'pause'});
  expect(interviewer.output()).toMatchObject({
    move: {to: 'pause'},
    dialogue: {fields: {name: {status: 'interviewing'}}},
  });
});

test.each([
  ['skipped', (talk: ByHand) => say(talk, 'skip', {kind: 'skip'})],
  [
    'not understood',
    (talk: ByHand) => {
      for (const _ of [1, 2]) {
        say(talk, '?');
        talk.settle('check', sound('', {problems: ['That is no name.']}));
      }
    },
  ],
])('a change that is %s leaves the answer as it was', (_, giveUp) => {
  const interviewer = byHand(interviewerMachine, {dialogue, settings: byRule});
  answer(interviewer, 'Ann');
  say(interviewer, 'my name is wrong', {kind: 'correct', field: 'name'});
  giveUp(interviewer);
  expect(message(interviewer)).toContain('“Your name” stays as it was.');
  answer(interviewer, 'M');
  expect(interviewer.output()).toMatchObject({
    dialogue: {fields: {name: {status: 'done', value: 'Ann'}}},
  });
});
