/** A reviewer: rules come first, a model must quote the replies, and its value is checked as strictly as a person's. */

import {expect, test} from 'vitest';

import {
  type Dialogue,
  openDialogue,
  withRecord,
  withReply,
} from '../../../../../machines/forms/interview/dialogue.ts';
import {fieldReviewerMachine} from '../../../../../machines/forms/interview/field/field-reviewer.ts';
import {type ByHand, byHand} from '../../../../support/by-hand.ts';
import {calling, failing} from '../../../events/outcomes.ts';
import {byModel, byRule, dialogue, form, sound} from '../talk.ts';

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

test('a model that cannot be called is waited for', () => {
  const reviewer = review(byModel);
  reviewer.settle('check', sound('Ann Lee'));
  reviewer.settle('call/model', failing('auth'));
  reviewer.settle('resume', {resumed: true});
  reviewer.settle('call/model', calling('review', {passed: false, missing_facts: ['family']}));
  expect(reviewer.output()).toMatchObject({passed: false, fault: {missing: ['family']}});
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
