/** One field of an interview: the conversation about it, its review, and the confirmation of all fields. */

import {expect, test} from 'vitest';

import {confirmationMachine} from '../../../../machines/forms/interview/confirmation.ts';
import {
  openDialogue,
  reopened,
  withAnswer,
  withChangedSetting,
  withRecord,
  type Dialogue,
  withReply,
} from '../../../../machines/forms/interview/dialogue.ts';
import {fieldReviewerMachine} from '../../../../machines/forms/interview/field/field-reviewer.ts';
import {fieldMachine} from '../../../../machines/forms/interview/field/field.ts';
import {settingName} from '../../../../machines/forms/interview/templates.ts';
import type {FormField} from '../../../../machines/questionnaire/questionnaire.ts';
import {type ByHand, byHand} from '../../../support/by-hand.ts';
import {calling} from '../../events/outcomes.ts';
import {byModel, byRule, dialogue, form, message, say, sound} from './talk.ts';

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

test('a call for help, and a way back that there is not, are answered before the question is repeated', () => {
  const field = start();
  say(field, 'help', {kind: 'help'});
  expect(message(field)).toMatch(/^You can say “skip”[^]*Your name/);
  say(field, 'back', {kind: 'back'});
  expect(message(field)).toMatch(/^This is the first question\.[^]*Your name/);
});

test('“nothing” does not answer a required field unless it is repeated, and skips an optional one', () => {
  const field = start();
  say(field, 'nothing', {kind: 'without'});
  expect(message(field)).toMatch(/^The form needs an answer to “Your name”/);
  say(field, 'nothing', {kind: 'without'});
  expect(field.requests('checkAnswer')).toMatchObject([{replies: [{text: 'nothing'}]}]);
  const optional = start('size');
  say(optional, 'nothing', {kind: 'without'});
  expect(optional.output()).toMatchObject({dialogue: {fields: {size: {status: 'skipped'}}}});
});

test('a message that refuses a reply is marked', () => {
  const field = start('name', {...byRule, maxFollowUps: 3});
  say(field, 'hm', {kind: 'unclear'});
  say(field, 'why?', {kind: 'why'});
  say(field, '?');
  field.settle('check', sound('', {problems: ['That is no name.']}));
  say(field, 'Ann');
  field.settle('check', sound('Ann'));
  const asked = {from: 'agent'};
  const refused = {from: 'agent', refuses: true};
  const said = {from: 'person'};
  expect(field.output()).toMatchObject({
    dialogue: {said: [asked, said, refused, said, asked, said, refused, said]},
  });
  expect(JSON.stringify(field.output()).match(/"refuses":true/g)).toHaveLength(2);
});

test('a command in reply to a secret field is not masked, and an answer is', () => {
  const field = start('card');
  say(field, 'why do you ask?', {kind: 'why'});
  say(field, '4111');
  expect(field.reports('interview.replied')).toMatchObject([
    {text: 'why do you ask?'},
    {text: '•••', field: 'card'},
  ]);
  field.settle('check', sound('4111'));
  expect(field.output()).toMatchObject({
    dialogue: {said: [{}, {text: 'why do you ask?'}, {}, {text: '4111', field: 'card'}]},
  });
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

function answered(field: string, text: string): Dialogue {
  const replied = withReply(dialogue, {agent: 'interviewer', field, text, at: 5});
  return withRecord(replied, field, {replies: [{text}]});
}

function review(settings: object, field = 'name', text = 'Ann Lee'): ByHand {
  return byHand(fieldReviewerMachine, {dialogue: answered(field, text), settings, field});
}

const pass = {
  passed: true,
  extracted_facts: [{key: 'family', value: 'Lee', quote: 'Ann Lee'}],
  field_value: 'Ann Lee',
};

test('by rule, an answer with nothing wrong or missing passes', () => {
  const reviewer = review(byRule);
  reviewer.settle('check', sound('Ann Lee'));
  expect(reviewer.output()).toMatchObject({passed: true, by: 'rules', check: {value: 'Ann Lee'}});
});

test.each([
  ['wrong', {problems: ['That is no name.']}],
  ['missing', {missing: ['family']}],
])('by rule, an answer with something %s fails', (_, more) => {
  const reviewer = review(byRule);
  reviewer.settle('check', sound('Ann', more));
  expect(reviewer.output()).toMatchObject({passed: false, fault: more});
});

test('an answer that rules find wrong is not sent to a model', () => {
  const reviewer = review(byModel);
  reviewer.settle('check', sound('', {problems: ['That is no name.']}));
  expect(reviewer.requests('callModel')).toEqual([]);
  expect(reviewer.output()).toMatchObject({passed: false});
});

test('a model judges with the field, the facts and the answer in its prompt', () => {
  const reviewer = review(byModel);
  reviewer.settle('check', sound('Ann Lee', {missing: ['family']}));
  const [request] = reviewer.requests('callModel');
  expect(request).toMatchObject({model: 'mock/reviewer', purpose: 'review-answer'});
  expect(request?.transcript.messages[0]?.text).toContain('family: Family name');
  reviewer.settle('review/call/model', calling('review', pass));
  reviewer.settle('verification', sound('Ann Lee'));
  expect(reviewer.output()).toMatchObject({
    passed: true,
    by: 'model',
    check: {value: 'Ann Lee', quote: 'Ann Lee', facts: {family: {value: 'Lee', quote: 'Ann Lee'}}},
  });
});

test('an invented quote is refused, and a second one fails the answer', () => {
  const reviewer = review(byModel);
  const invented = {
    ...pass,
    extracted_facts: [{key: 'family', value: 'Smith', quote: 'I am a Smith'}],
  };
  reviewer.settle('check', sound('Ann Lee'));
  reviewer.settle('call/model', calling('review', invented));
  const {transcript} = reviewer.requests('callModel').at(-1) ?? {};
  expect(transcript?.messages.at(-1)?.text).toContain('the respondent did not say "I am a Smith"');
  reviewer.settle('repair/model', calling('review', invented));
  expect(reviewer.output()).toMatchObject({passed: false, check: {facts: {}}});
});

test('a value of the model that does not fit the type of the field does not pass', () => {
  const reviewer = review(byModel);
  reviewer.settle('check', sound('Ann Lee'));
  reviewer.settle('call/model', calling('review', {...pass, field_value: '12'}));
  expect(reviewer.requests('checkAnswer').at(-1)?.replies).toEqual([{text: '12'}]);
  reviewer.settle('verification', sound('', {problems: ['That is no name.']}));
  expect(reviewer.output()).toMatchObject({passed: false});
});

test('a pass with missing facts is refused, and a second one fails the answer', () => {
  const reviewer = review(byModel);
  reviewer.settle('check', sound('Ann Lee'));
  for (const step of ['call', 'repair']) {
    const contradiction = calling('review', {passed: true, missing_facts: ['family']});
    reviewer.settle(`review/${step}/model`, contradiction);
  }
  expect(reviewer.output()).toMatchObject({passed: false});
});

test('a value that the model changes is ignored, and the value that rules read is kept', () => {
  const fields = form.fields.map((field) => ({...field, type: 'choice' as const}));
  const questionnaire = {...form, fields};
  const reviewer = byHand(fieldReviewerMachine, {
    dialogue: withRecord(openDialogue(questionnaire, {}), 'size', {replies: [{text: 'L'}]}),
    field: 'size',
    settings: byModel,
  });
  reviewer.settle('check', sound('L'));
  reviewer.settle('review/call/model', calling('review', {passed: true, field_value: 'S'}));
  reviewer.settle('verification', sound('S'));
  expect(reviewer.output()).toMatchObject({passed: true, check: {value: 'L', quote: 'L'}});
});

test('the answer to a secret field does not reach a model', () => {
  const reviewer = review(byModel, 'card', '4111');
  reviewer.settle('check', sound('4111', {suffices: false}));
  expect(reviewer.requests('callModel')).toEqual([]);
  expect(reviewer.output()).toMatchObject({passed: true, by: 'rules'});
});

test.each([
  ['Bob Lee', 'Ann Lee'],
  ['Lee, Ann', 'Lee, Ann'],
])('a value worded as "%s" is stored as "%s"', (worded, held) => {
  const reviewer = review(byModel);
  reviewer.settle('check', sound('Ann Lee'));
  reviewer.settle('call/model', calling('review', {...pass, field_value: worded}));
  reviewer.settle('verification', sound(worded));
  expect(reviewer.output()).toMatchObject({passed: true, check: {value: held, quote: 'Ann Lee'}});
});

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

test('assumed settings are stated, and a changed one is marked as stated', () => {
  const assumed = ['language', 'country', 'timezone'] as const;
  const confirmation = byHand(confirmationMachine, {dialogue: {...filled('name'), assumed}});
  expect(message(confirmation)).toContain(
    'Assumed: language English, country Japan, time zone Asia/Tokyo.',
  );
  const route = {kind: 'setting', section: 'timezone', value: 'Europe/Berlin'} as const;
  say(confirmation, 'Berlin', route);
  expect(confirmation.output()).toMatchObject({
    move: {to: 'next'},
    dialogue: {
      respondent: {timezone: 'Europe/Berlin'},
      assumed: ['language', 'country'],
      notices: ['Changed: time zone: Asia/Tokyo → Europe/Berlin'],
    },
  });
});

test('a setting that has no name is stated as it is', () => {
  const odd = {language: 'en', country: 'Narnia'};
  const named = settingName({...dialogue, respondent: odd}, 'country', 'Narnia');
  expect([named, settingName(dialogue, 'language', '<b>')]).toEqual(['Narnia', '<b>']);
});

test('a changed setting reads the answers that depend on it again, at the time at which they were given', () => {
  const day: FormField = {...form.fields[0]!, id: 'day', type: 'date'};
  const opened = openDialogue({...form, fields: [day]}, dialogue.respondent);
  const replied = withReply(opened, {agent: 'interviewer', text: 'well, tomorrow', at: 7});
  const value = {value: '2026-12-03', quote: 'tomorrow'};
  const done = withAnswer(replied, 'day', {...value, facts: {}, by: 'rules'});
  const changed = withChangedSetting(done, 'timezone', 'America/New_York');
  expect(changed.fields['day']).toMatchObject({status: 'pending', provisional: {...value, at: 7}});
});

test('help is given at the confirmation', () => {
  const confirmation = byHand(confirmationMachine, {dialogue: filled('name')});
  say(confirmation, 'help', {kind: 'help'});
  expect(message(confirmation)).toMatch(/^You can say “skip”/);
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
