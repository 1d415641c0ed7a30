/** The greeter: it asks for, infers or assumes language, country and time zone, except the known ones. */

import {expect, test} from 'vitest';

import {greeterMachine} from '../../../../../machines/forms/interview/agents/greeter.ts';
import {openDialogue} from '../../../../../machines/forms/interview/dialogue.ts';
import {type ByHand, byHand} from '../../../../support/by-hand.ts';
import {calling, callingAll, saying} from '../../../events/outcomes.ts';
import {byModel, byRule, form, message, say} from '../talk.ts';

function start(settings: object, respondent: object = {}): ByHand {
  return byHand(greeterMachine, {dialogue: openDialogue(form, respondent), settings});
}

test('by rule, each section is asked, except a time zone that follows from the country', () => {
  const greeter = byHand(greeterMachine, {dialogue: openDialogue(form, {}), settings: byRule});
  expect(message(greeter)).toContain('Which language');
  say(greeter, 'English');
  greeter.settle('reading', {value: 'en'});
  say(greeter, 'Japan');
  greeter.settle('reading', {value: 'JP'});
  expect(greeter.requests('readSetting').at(-1)).toMatchObject({section: 'timezone', text: ''});
  greeter.settle('inference', {value: 'Asia/Tokyo'});
  expect(greeter.output()).toMatchObject({
    move: {to: 'next'},
    dialogue: {respondent: {language: 'en', country: 'JP', timezone: 'Asia/Tokyo'}, assumed: []},
  });
});

test('known sections are not asked', () => {
  const known = {language: 'ja', country: 'JP', timezone: 'Asia/Tokyo'};
  expect(start(byRule, known).output()).toMatchObject({dialogue: {respondent: known}});
});

test('a section that is not understood twice is assumed, and marked as assumed', () => {
  const greeter = start(byRule, {language: 'en', country: 'US'});
  greeter.settle('inference', {choices: ['America/New_York', 'America/Chicago']});
  expect(message(greeter)).toContain('2. Chicago');
  for (const text of ['here', 'there']) {
    say(greeter, text);
    greeter.settle('reading', {problem: 'no such time zone'});
  }
  expect(greeter.output()).toMatchObject({
    dialogue: {respondent: {timezone: 'Asia/Tokyo'}, assumed: ['timezone']},
  });
});

test('a model greets, receives the reply as the result of its question, and sets the sections', () => {
  const greeter = start(byModel);
  greeter.settle('agent/model', calling('ask', {message: 'Hello! ようこそ!'}));
  expect(message(greeter)).toBe('Hello! ようこそ!');
  say(greeter, '日本語で。日本です。');
  expect(greeter.requests('callModel').at(-1)?.transcript.messages.at(-1)).toMatchObject({
    role: 'tool',
    name: 'ask',
    text: '日本語で。日本です。',
  });
  greeter.settle(
    'agent/model',
    callingAll(
      ['set_language', {language: 'ja'}],
      ['set_country', {country: 'JP'}],
      ['set_timezone', {}],
    ),
  );
  for (const value of ['ja', 'JP', 'Asia/Tokyo']) greeter.settle('reading', {value});
  expect(greeter.output()).toMatchObject({
    dialogue: {respondent: {language: 'ja', country: 'JP', timezone: 'Asia/Tokyo'}},
  });
});

test('rules take over from a model that is stuck, so that the person gets a question', () => {
  const greeter = start(byModel);
  for (const _ of [1, 2]) greeter.settle('agent/model', saying('Hm.'));
  expect(message(greeter)).toContain('Which language');
});

test('rules take over from a model that only asks', () => {
  const greeter = start(byModel);
  for (const text of ['Hm?', 'So?', 'And?', 'Well?']) {
    greeter.settle('agent/model', calling('ask', {message: text}));
    say(greeter, 'Hello');
  }
  expect(message(greeter)).toContain('Which language');
});

test('a pause leaves the greeter', () => {
  const greeter = start(byRule);
  say(greeter, 'pause', {kind: 'pause'});
  expect(greeter.output()).toMatchObject({move: {to: 'pause'}});
});

test('a form in Japanese is greeted in Japanese before the language is known', () => {
  const title = '陶芸体験の申し込み';
  const opened = openDialogue({...form, title}, {});
  const greeter = byHand(greeterMachine, {dialogue: opened, settings: byRule});
  expect(message(greeter)).toContain('「陶芸体験の申し込み」');
});
