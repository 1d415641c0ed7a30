/** An interview: from the greeting to the submission, with pauses and changes, without a loss of answers. */

import {expect, test} from 'vitest';

import {interviewMachine} from '../../../../machines/forms/interview/interview.ts';
import {type ByHand, byHand} from '../../../support/by-hand.ts';
import {smallSettings} from '../../events/settings.ts';
import {form, message, say, sound} from './talk.ts';

const known = {language: 'en', country: 'JP', timezone: 'Asia/Tokyo'};
const model = 'offline/offline';
const settings = {
  ...smallSettings('interactive', []),
  interview: {model, reviewer: model, maxLoops: 3, maxFollowUps: 1},
};

function start(more: object = {questionnaire: form}): ByHand {
  return byHand(interviewMachine, {
    request: 'Your trip',
    workspace: '/w',
    settings,
    respondent: known,
    ...more,
  });
}

function answer(talk: ByHand, text: string): void {
  say(talk, text);
  talk.settle('check', sound(text));
}

function filled(): ByHand {
  const interview = start();
  answer(interview, 'Ann');
  answer(interview, 'M');
  return interview;
}

test('an interview leads from the first question to the submission', () => {
  const interview = filled();
  expect(message(interview)).toContain('1. Your name: Ann');
  say(interview, 'yes', {kind: 'confirm'});
  expect(interview.output()).toMatchObject({
    status: 'completed',
    answers: {
      form: 'trip',
      status: 'submitted',
      ...known,
      answers: {
        name: {status: 'done', value: 'Ann', quote: 'Ann'},
        size: {status: 'done', value: 'M'},
        card: {status: 'notApplicable'},
      },
    },
  });
  expect(interview.reports('phase.changed')).toMatchObject([
    {phase: 'greeting'},
    {phase: 'designing'},
    {phase: 'interviewing'},
    {phase: 'confirming'},
  ]);
});

test('a change at the confirmation asks for the field, and then all answers are shown again', () => {
  const interview = filled();
  say(interview, '1', {kind: 'correct', field: 'name'});
  expect(message(interview)).toContain('Your name');
  answer(interview, 'Bob');
  expect(message(interview)).toContain('Ann → Bob');
  expect(message(interview)).toContain('1. Your name: Bob');
});

test('a paused interview continues at the same field, with a recap', () => {
  const interview = start();
  answer(interview, 'Ann');
  say(interview, 'pause', {kind: 'pause'});
  expect(message(interview)).toContain('Paused');
  say(interview, 'hello again', {kind: 'continue'});
  expect(message(interview)).toContain('1 of 2 answers');
  expect(message(interview)).toContain('Shirt size');
});

test('an answer in a pause continues the interview and answers the open field', () => {
  const interview = start();
  answer(interview, 'Ann');
  say(interview, 'pause', {kind: 'pause'});
  answer(interview, 'M');
  expect(message(interview)).toContain('1. Your name: Ann');
  expect(message(interview)).toContain('2. Shirt size: M');
});

test('an answer in a pause of the greeting continues with the greeting', () => {
  const interview = start({questionnaire: form, respondent: {}});
  say(interview, 'pause', {kind: 'pause'});
  say(interview, 'Ann');
  expect(message(interview)).toContain('Welcome back! 0 of 2 answers are there.');
  expect(message(interview)).toContain('Which language');
});

test('a restart asks for everything again', () => {
  const interview = start();
  answer(interview, 'Ann');
  say(interview, 'pause', {kind: 'pause'});
  say(interview, 'start over', {kind: 'startOver'});
  expect(message(interview)).toContain('Your name');
});

test('a restart at the confirmation designs the order of the fields again', () => {
  const interview = filled();
  say(interview, 'start over', {kind: 'startOver'});
  expect(message(interview)).toContain('Your name');
  expect(interview.reports('phase.changed').slice(-3)).toMatchObject([
    {phase: 'confirming'},
    {phase: 'designing'},
    {phase: 'interviewing'},
  ]);
});

test('a changed form keeps the answers to equal fields, and asks for new fields', () => {
  const interview = start();
  answer(interview, 'Ann');
  const [name, size] = form.fields;
  const team = {...size, id: 'team', label: 'Your team'};
  interview.send({type: 'form.changed', questionnaire: {...form, fields: [name, team]}});
  expect(message(interview)).toContain('The form has changed');
  expect(message(interview)).toContain('Your team');
});

test('a change of the form during a pause waits for the person, and the interview continues with the new form', () => {
  const interview = filled();
  say(interview, 'pause', {kind: 'pause'});
  const team = {...form.fields[1], id: 'team', label: 'Your team'};
  const fields = [...form.fields, team];
  interview.send({type: 'form.changed', questionnaire: {...form, fields}});
  expect(message(interview)).toContain('Paused');
  say(interview, 'hello again', {kind: 'continue'});
  expect(message(interview)).toContain('The form has changed');
  expect(message(interview)).toContain('Your team');
});

test('a change of the form does not interrupt the greeting', () => {
  const interview = start({questionnaire: form, respondent: {}});
  interview.send({type: 'form.changed', questionnaire: {...form, title: 'Our trip'}});
  expect(message(interview)).toContain('Which language');
});

test('a field that applies only after a change of the form is asked, and blocks the submission', () => {
  const interview = filled();
  const [name, size, card] = form.fields;
  const fields = [name, size, {...card, relevantIf: 'name is not blank'}];
  interview.send({type: 'form.changed', questionnaire: {...form, fields}});
  expect(message(interview)).toContain('Card number');
  expect(interview.output()).toBeUndefined();
});

test('a field with a condition on a later field applies according to the current answers', () => {
  const [name, size, card] = form.fields;
  const fields = [{...name, relevantIf: 'card is blank'}, size, card];
  const interview = start({questionnaire: {...form, fields}});
  answer(interview, 'Ann');
  answer(interview, 'L');
  answer(interview, '1234');
  expect(message(interview)).not.toContain('Your name');
  say(interview, 'size M', {kind: 'correct', field: 'size', text: 'M'});
  interview.settle('check', sound('M'));
  interview.settle('check', sound('Ann'));
  expect(message(interview)).toContain('1. Your name: Ann');
  expect(message(interview)).not.toContain('Card number');
});

test('the answer to a field that no longer applies is not in the output', () => {
  const [name, size] = form.fields;
  const fields = [{...name, relevantIf: "size != 'L'"}, size];
  const interview = start({questionnaire: {...form, fields}});
  answer(interview, 'Ann');
  answer(interview, 'L');
  say(interview, 'yes', {kind: 'confirm'});
  expect(interview.output()).toMatchObject({
    answers: {answers: {name: {label: 'Your name', status: 'notApplicable', facts: {}}}},
  });
  expect(JSON.stringify(interview.output())).not.toContain('"value":"Ann"');
});

test('a request that names a form uses the form; another request becomes a form of one question', () => {
  const named = start({});
  named.settle('form', {kind: 'read', questionnaire: form});
  expect(message(named)).toContain('Your name');
  const asked = start({});
  asked.settle('form', {kind: 'absent', problem: 'there is no file Your trip'});
  answer(asked, 'To Kyoto');
  expect(message(asked)).toContain('1. Your trip: To Kyoto');
  const broken = start({});
  broken.settle('form', {kind: 'invalid', problem: 'form.toml:3:1: unknown key'});
  expect(broken.output()).toMatchObject({status: 'error', summary: 'form.toml:3:1: unknown key'});
});

test('a cancelled interview returns the answers given', () => {
  const interview = start();
  answer(interview, 'Ann');
  interview.send({type: 'user.cancel'});
  expect(interview.output()).toMatchObject({
    status: 'cancelled',
    answers: {status: 'interviewing', answers: {name: {status: 'done', value: 'Ann'}}},
  });
});
