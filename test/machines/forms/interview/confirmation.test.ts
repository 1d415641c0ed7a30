/** The confirmation: it shows all answers, and submits when a person confirms and no required field is open. */

import {expect, test} from 'vitest';

import {confirmationMachine} from '../../../../machines/forms/interview/confirmation.ts';
import {
  type Dialogue,
  openDialogue,
  withAnswer,
} from '../../../../machines/forms/interview/dialogue.ts';
import {byHand} from '../../../support/by-hand.ts';
import {dialogue, form, message, say} from './talk.ts';

function filled(...ids: readonly string[]): Dialogue {
  return ids.reduce(
    (now, id) => withAnswer(now, id, {value: id === 'size' ? 'L' : id, facts: {}, by: 'rules'}),
    dialogue,
  );
}

test('the table lists every applicable answer; its masked form hides secrets', () => {
  const confirmation = byHand(confirmationMachine, {dialogue: filled('name', 'size', 'card')});
  expect(message(confirmation)).toContain('3. Card number: card');
  const {masked} = confirmation.requests('askPerson')[0] ?? {};
  expect(masked).toContain('3. Card number: •••');
});

test.each([
  ['en', 'name (Family name: Lee)', '3 December 2026', 'red, blue'],
  ['ja', 'name（Family name：Lee）', '2026年12月3日', 'red、blue'],
])('in %s, facts follow their answer, and days and lists are written out', (language, ...shown) => {
  const required = {required: true, sensitivity: 'none', order: 4} as const;
  const fields = [
    ...form.fields.slice(0, 1),
    {...required, id: 'day', label: 'Day', type: 'date'},
    {...required, id: 'colours', label: 'Colours', type: 'choices', choices: ['red', 'blue']},
  ] as const;
  const facts = {family: {value: 'Lee', quote: 'Lee'}};
  const answers = {name: 'name', day: '2026-12-03', colours: ['red', 'blue']};
  const now = Object.entries(answers).reduce(
    (before, [id, value]) =>
      withAnswer(before, id, {value, facts: id === 'name' ? facts : {}, by: 'rules'}),
    openDialogue({...form, fields}, {...dialogue.respondent, language}),
  );
  const confirmation = byHand(confirmationMachine, {dialogue: now});
  expect(message(confirmation).match(/(?<=: ).+/g)).toEqual(shown);
});

test('a confirming reply submits the form', () => {
  const confirmation = byHand(confirmationMachine, {dialogue: filled('name')});
  say(confirmation, 'submit', {kind: 'confirm'});
  expect(confirmation.output()).toMatchObject({move: {to: 'submit'}});
});

test('a form with an open required field is not submitted, however the person confirms', () => {
  const confirmation = byHand(confirmationMachine, {dialogue: filled('size')});
  say(confirmation, 'submit', {kind: 'confirm'});
  expect(message(confirmation)).toContain('can’t be submitted yet');
  confirmation.settle('/person', {text: 'submit', confirms: true});
  expect(confirmation.output()).toBeUndefined();
});

test.each([
  ['2', {kind: 'correct', field: 'size'}, [], {to: 'field', field: 'size'}],
  [
    'ann@x.org',
    {kind: 'answer'},
    [{field: 'name', value: 'a', quote: 'ann@x.org'}],
    {to: 'field', field: 'name', text: 'ann@x.org'},
  ],
  ['later', {kind: 'pause'}, [], {to: 'pause'}],
])('the reply "%s" leaves the confirmation', (text, route, found, move) => {
  const confirmation = byHand(confirmationMachine, {dialogue: filled('name')});
  confirmation.settle('/person', {text});
  confirmation.settle('/reading', {route, found});
  expect(confirmation.output()).toMatchObject({move});
});

test('an unclear reply repeats the question', () => {
  const confirmation = byHand(confirmationMachine, {dialogue: filled('name')});
  say(confirmation, 'blue', {kind: 'unclear'});
  expect(message(confirmation)).toContain('Say “submit”');
});

test('an unclear reply is answered with an example of a change', () => {
  const confirmation = byHand(confirmationMachine, {dialogue: filled('name')});
  say(confirmation, 'whatever', {kind: 'unclear'});
  expect(message(confirmation)).toMatch(/^Sorry, .*write its name or number, for example “2”\./);
});
