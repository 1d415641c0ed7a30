/** What the greeter promises: language, country and time zone, known, inferred or assumed; what is known is not asked. */

import {expect, test} from 'vitest';

import {greeterMachine} from '../../../../../machines/forms/interview/agents/greeter.ts';
import {openDialogue} from '../../../../../machines/forms/interview/dialogue.ts';
import {type ByHand, byHand} from '../../../../support/by-hand.ts';
import {calling, callingAll, saying} from '../../../events/outcomes.ts';
import {byModel, byRule, form, message, say} from '../talk.ts';

function start(settings: object, respondent: object = {}): ByHand {
  return byHand(greeterMachine, {dialogue: openDialogue(form, respondent), settings});
}

test('by rule, each section is asked, and a time zone that follows from the country is not', () => {
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

test('what is known is not asked', () => {
  const known = {language: 'ja', country: 'JP', timezone: 'Asia/Tokyo'};
  expect(start(byRule, known).output()).toMatchObject({dialogue: {respondent: known}});
});

test('what is not understood twice is assumed, and marked so', () => {
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

test('a model greets, hears the reply as the result of its question, and sets what it learns', () => {
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

test('a model that gets nowhere leaves it to the rules: nobody is left without a question', () => {
  const greeter = start(byModel);
  for (const _ of [1, 2]) greeter.settle('agent/model', saying('Hm.'));
  expect(message(greeter)).toContain('Which language');
});

test('a model that only talks leaves it to the rules at last', () => {
  const greeter = start(byModel);
  for (const text of ['Hm?', 'So?', 'And?', 'Well?']) {
    greeter.settle('agent/model', calling('ask', {message: text}));
    say(greeter, 'Hello');
  }
  expect(message(greeter)).toContain('Which language');
});

test('a pause leaves it', () => {
  const greeter = start(byRule);
  say(greeter, 'pause', {kind: 'pause'});
  expect(greeter.output()).toMatchObject({move: {to: 'pause'}});
});

test('a form in Japanese is greeted in Japanese, before anything is known', () => {
  const title = '陶芸体験の申し込み';
  const opened = openDialogue({...form, title}, {});
  const greeter = byHand(greeterMachine, {dialogue: opened, settings: byRule});
  expect(message(greeter)).toContain('「陶芸体験の申し込み」');
});
