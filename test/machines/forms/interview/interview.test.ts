/** What an interview promises: from a greeting to a submission, with pauses and changes, and nothing lost on the way. */

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

test('it goes from the first question to the submission', () => {
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

test('a change at the confirmation is asked about, and all is shown again', () => {
  const interview = filled();
  say(interview, '1', {kind: 'correct', field: 'name'});
  expect(message(interview)).toContain('Your name');
  answer(interview, 'Bob');
  expect(message(interview)).toContain('Ann → Bob');
  expect(message(interview)).toContain('1. Your name: Bob');
});

test('a pause waits; at any word it goes on where it was, with a recap', () => {
  const interview = start();
  answer(interview, 'Ann');
  say(interview, 'pause', {kind: 'pause'});
  expect(message(interview)).toContain('Paused');
  say(interview, 'hello again', {kind: 'continue'});
  expect(message(interview)).toContain('1 of 2 answers');
  expect(message(interview)).toContain('Shirt size');
});

test('who starts over is asked for everything anew', () => {
  const interview = start();
  answer(interview, 'Ann');
  say(interview, 'pause', {kind: 'pause'});
  say(interview, 'start over', {kind: 'startOver'});
  expect(message(interview)).toContain('Your name');
});

test('who starts over at the confirmation is asked in an order that is designed anew', () => {
  const interview = filled();
  say(interview, 'start over', {kind: 'startOver'});
  expect(message(interview)).toContain('Your name');
  expect(interview.reports('phase.changed').slice(-3)).toMatchObject([
    {phase: 'confirming'},
    {phase: 'designing'},
    {phase: 'interviewing'},
  ]);
});

test('a form that has changed keeps what is the same, and asks for what is new', () => {
  const interview = start();
  answer(interview, 'Ann');
  const [name, size] = form.fields;
  const team = {...size, id: 'team', label: 'Your team'};
  interview.send({type: 'form.changed', questionnaire: {...form, fields: [name, team]}});
  expect(message(interview)).toContain('The form has changed');
  expect(message(interview)).toContain('Your team');
});

test('a form that changes while it is paused waits for the person, and is gone on with as it is then', () => {
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

test('a form that changes during the greeting takes nothing from it', () => {
  const interview = start({questionnaire: form, respondent: {}});
  interview.send({type: 'form.changed', questionnaire: {...form, title: 'Our trip'}});
  expect(message(interview)).toContain('Which language');
});

test('a field that applies only since the form has changed is asked, and stands in the way of a submission', () => {
  const interview = filled();
  const [name, size, card] = form.fields;
  const fields = [name, size, {...card, relevantIf: 'name is not blank'}];
  interview.send({type: 'form.changed', questionnaire: {...form, fields}});
  expect(message(interview)).toContain('Card number');
  expect(interview.output()).toBeUndefined();
});

test('a field that depends on a later one, which itself depends on another, applies as those stand', () => {
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

test('what was said of a field that does not apply any more is not among the answers', () => {
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

test('a request that names a form is read; one that names none is a form by itself', () => {
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

test('cancelled, it tells what was answered', () => {
  const interview = start();
  answer(interview, 'Ann');
  interview.send({type: 'user.cancel'});
  expect(interview.output()).toMatchObject({
    status: 'cancelled',
    answers: {status: 'interviewing', answers: {name: {status: 'done', value: 'Ann'}}},
  });
});
