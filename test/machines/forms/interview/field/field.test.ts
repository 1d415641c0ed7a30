/** A field: it is done only when its reviewer passes the answer, and the number of questions is limited. */

import {expect, test} from 'vitest';

import {
  openDialogue,
  reopened,
  withAnswer,
  withRecord,
} from '../../../../../machines/forms/interview/dialogue.ts';
import {fieldMachine} from '../../../../../machines/forms/interview/field/field.ts';
import {type ByHand, byHand} from '../../../../support/by-hand.ts';
import {calling} from '../../../events/outcomes.ts';
import {byModel, byRule, dialogue, form, message, say, sound} from '../talk.ts';

function start(field = 'name', settings = byRule): ByHand {
  return byHand(fieldMachine, {dialogue, settings, field});
}

function record(talk: ByHand, field = 'name') {
  return {dialogue: {fields: {[field]: talk.output()}}}.dialogue.fields[field];
}

test('a field is asked, reviewed and done', () => {
  const field = start();
  expect(message(field)).toContain('Your name');
  say(field, 'Ann Lee');
  expect(field.requests('checkAnswer')).toMatchObject([{replies: [{text: 'Ann Lee'}]}]);
  field.settle('check', sound('Ann Lee'));
  expect(record(field)).toMatchObject({
    move: {to: 'next'},
    dialogue: {fields: {name: {status: 'done', value: 'Ann Lee', by: 'rules'}}},
  });
  expect(field.reports('interview.reviewed')).toMatchObject([{field: 'name', passed: true}]);
});

test('a missing fact is asked for separately', () => {
  const field = start('name', {...byRule, maxFollowUps: 2});
  say(field, 'Ann');
  field.settle('check', sound('Ann', {missing: ['family']}));
  expect(message(field)).toContain('Family name');
  say(field, 'Lee');
  expect(field.requests('checkAnswer').at(-1)?.replies).toEqual([
    {text: 'Ann'},
    {text: 'Lee', fact: 'family'},
  ]);
  field.settle('check', sound('Ann', {missing: ['family'], problems: ['That is no name.']}));
  expect(message(field)).toMatch(/^That is no name\.\n.*Family name/);
});

test('a field is skipped after its maximum of questions, with the reason', () => {
  const field = start();
  for (const _ of [1, 2]) {
    say(field, '?');
    field.settle('check', sound('', {problems: ['That is no name.']}));
  }
  expect(field.output()).toMatchObject({
    dialogue: {fields: {name: {status: 'skipped', reason: 'no answer was clear enough'}}},
  });
});

test('an optional field can be skipped; a required one can only be declined', () => {
  const optional = start('size');
  say(optional, 'skip', {kind: 'skip'});
  expect(optional.output()).toMatchObject({dialogue: {fields: {size: {status: 'skipped'}}}});
  const required = start();
  say(required, 'skip', {kind: 'skip'});
  expect(message(required)).toContain('needs an answer');
  say(required, 'no way', {kind: 'decline'});
  expect(required.output()).toMatchObject({dialogue: {fields: {name: {status: 'declined'}}}});
});

test('a person who asks why reads the reason, and is asked again', () => {
  const field = start('size');
  say(field, 'why?', {kind: 'why'});
  expect(message(field)).toContain('For the shirt.');
  expect(message(field)).toContain('Shirt size');
});

test('an unclear reply repeats the question; given twice, it is the answer', () => {
  const field = start();
  say(field, 'hello?', {kind: 'unclear'});
  expect(message(field)).toContain('Your name');
  expect(field.requests('checkAnswer')).toEqual([]);
  say(field, 'hello?', {kind: 'unclear'});
  expect(field.requests('checkAnswer')).toMatchObject([{replies: [{text: 'hello?'}]}]);
});

test.each([
  ['size', '“Shirt size” is still open. Say “skip” to leave it out;'],
  ['name', 'It can’t be submitted yet: “Your name” is still needed.'],
])(
  'a person who submits while %s is asked reads why not; given twice, the reply is the answer',
  (id, why) => {
    const field = start(id);
    say(field, 'submit', {kind: 'confirm'});
    expect(message(field)).toContain(why);
    say(field, 'submit', {kind: 'confirm'});
    expect(field.requests('checkAnswer')).toMatchObject([{replies: [{text: 'submit'}]}]);
  },
);

test.each([
  ['pause', {kind: 'pause'}, {to: 'pause'}],
  [
    'the size is L',
    {kind: 'correct', field: 'size', text: 'L'},
    {to: 'field', field: 'size', text: 'L'},
  ],
] as const)('the reply "%s" leaves the field', (text, route, move) => {
  const field = start();
  say(field, text, route);
  expect(field.output()).toMatchObject({move});
});

test('an answer given before the question is reviewed without a question', () => {
  const provisional = {value: 'L', quote: 'large'};
  const known = withRecord(dialogue, 'size', {provisional});
  const field = byHand(fieldMachine, {dialogue: known, settings: byRule, field: 'size'});
  expect(field.requests('askPerson')).toEqual([]);
  field.settle('check', sound('L'));
  expect(field.output()).toMatchObject({
    dialogue: {
      fields: {size: {status: 'done', value: 'L'}},
      notices: [expect.stringContaining('L')],
    },
  });
});

test('the question about an earlier answer that lacks something quotes the answer', () => {
  const provisional = {value: '12月3日', quote: '12月3日', at: 5};
  const known = withRecord(dialogue, 'size', {provisional});
  const field = byHand(fieldMachine, {dialogue: known, settings: byRule, field: 'size'});
  expect(field.requests('checkAnswer').at(-1)?.replies).toEqual([{text: '12月3日'}]);
  field.settle('check', sound('', {value: undefined, problems: ['In which year?']}));
  expect(message(field)).toBe('Noted: Shirt size: 12月3日\n\nIn which year?');
});

test('the question about an invalid change names its field, which was not asked', () => {
  const done = withAnswer(dialogue, 'size', {value: 'L', facts: {}, by: 'rules'});
  const changing = reopened(done, 'size', 'blue');
  const field = byHand(fieldMachine, {dialogue: changing, settings: byRule, field: 'size'});
  const problems = ['Please choose one of these:'];
  field.settle('check', sound('', {value: undefined, problems}));
  expect(message(field)).toBe('Shirt size\nPlease choose one of these:');
});

test('a model asks, hands the answer over, and receives the facts that the reviewer misses', () => {
  const field = start('name', byModel);
  field.settle('interviewer/model', calling('ask', {message: 'Hi! Who are you?'}));
  expect(message(field)).toBe('Hi! Who are you?');
  say(field, 'Ann');
  field.settle('interviewer/model', calling('subtask', {agent: 'reviewer'}));
  field.settle('check', sound('Ann'));
  field.settle('review/call/model', calling('review', {passed: false, missing_facts: ['family']}));
  const outcome = field.requests('callModel').at(-1)?.transcript.messages.at(-1)?.text;
  expect(outcome).toBe('{"passed":false,"missing_facts":["family"]}');
  expect(field.output()).toBeUndefined();
});

test('the replies to a model that only asks are reviewed anyway, and the model receives the outcome', () => {
  const field = start('name', byModel);
  field.settle('interviewer/model', calling('ask', {message: 'Hi! Who are you?'}));
  say(field, 'Ann');
  field.settle('interviewer/model', calling('ask', {message: 'And who else?'}));
  say(field, 'Only Ann');
  field.settle('check', sound('Ann'));
  field.settle('review/call/model', calling('review', {passed: false, missing_facts: ['family']}));
  const outcome = field.requests('callModel').at(-1)?.transcript.messages.at(-1);
  expect(outcome).toMatchObject({
    role: 'user',
    text: expect.stringContaining('{"passed":false,"missing_facts":["family"]}'),
  });
});

test('a secret does not reach a model, even in a reply that also answers another field', () => {
  const fields = form.fields.map((each) =>
    each.id === 'card' ? {...each, relevantIf: 'name is blank'} : each,
  );
  const open = openDialogue({...form, fields}, {});
  const field = byHand(fieldMachine, {dialogue: open, field: 'name', settings: byModel});
  field.settle('interviewer/model', calling('ask', {message: 'Hi! Who are you?'}));
  field.settle('/person', {text: 'Ann Lee, card 1234 5678'});
  const found = [{field: 'card', value: '1234 5678', quote: '1234 5678'}];
  field.settle('/reading', {route: {kind: 'answer'}, found});
  field.settle('interviewer/model', calling('subtask', {agent: 'reviewer'}));
  field.settle('check', sound('Ann Lee'));
  const requests = JSON.stringify(field.requests('callModel'));
  expect(requests).toContain('Ann Lee, card (kept private)');
  expect(requests).not.toContain('1234 5678');
});

test('a secret field is asked without a model', () => {
  const field = start('card', byModel);
  expect(field.requests('callModel')).toEqual([]);
  expect(message(field)).toContain('Card number');
});
