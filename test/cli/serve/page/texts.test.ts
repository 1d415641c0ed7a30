/** The words of the page: understood by the interview in each language, and divided into parts. */

import {expect, test, describe} from 'vitest';

import type {Field, Message} from '../../../../cli/serve/page/browser/sync/wire.ts';
import {languageNames, textsFor} from '../../../../cli/serve/page/browser/texts/texts.ts';
import {partsOf} from '../../../../cli/serve/page/browser/wording.ts';
import type {FormField} from '../../../../machines/questionnaire/questionnaire.ts';
import {checkAnswer, readReply, readSetting} from '../../../../tools/interview/index.ts';

const field: FormField = {
  id: 'permit',
  label: 'Permit',
  type: 'boolean',
  required: false,
  sensitivity: 'none',
  order: 1,
  why: 'For the contract.',
};
const base = {fields: [field], done: [], at: Date.UTC(2026, 2, 4)};

test.each(['en', 'ja'])('suggested replies are understood: %s', async (language) => {
  const {say, name} = textsFor(language);
  const routeOf = async (text: string, about: {field: string} | {paused: true}) =>
    (await readReply({...base, text, about, language})).route.kind;
  const valueOf = async (text: string) =>
    (await checkAnswer({field, facts: [], replies: [{text}], known: {}, language, at: base.at}))
      .value;
  expect({
    skip: await routeOf(say.skip, {field: field.id}),
    why: await routeOf(say.why, {field: field.id}),
    goOn: await routeOf(say.goOn, {paused: true}),
    yes: await valueOf(say.yes),
    no: await valueOf(say.no),
    name: (await readSetting({section: 'language', text: name})).value,
  }).toEqual({skip: 'skip', why: 'why', goOn: 'continue', yes: true, no: false, name: language});
  expect(languageNames).toContain(name);
});

describe('a message of the page', () => {
  const startDate: Field = {
    id: 'start',
    label: 'Start date',
    type: 'date',
    required: true,
    status: 'interviewing',
    sensitivity: 'none',
  };

  function said(text: string, more: Partial<Message> = {}): string[] {
    const message: Message = {position: 1, from: 'agent', agent: 'interviewer', text, ...more};
    return partsOf(message, [startDate]).map((part) => `${part.kind}: ${part.text}`);
  }

  test('the last paragraph is the question', () => {
    expect(said('Skipped: Phone number.\n\nWhen could\nyou start?')).toEqual([
      'aside: Skipped: Phone number.',
      'question: When could\nyou start?',
    ]);
  });

  test('text below the name of a field is a hint, text above it is not', () => {
    const text =
      'Let’s begin.\nStart date (you may skip this)\nA date, please.\nFor example 2026-03-04.';
    expect(said(text, {field: 'start'})).toEqual([
      'aside: Let’s begin.',
      'question: Start date (you may skip this)',
      'hint: A date, please.\nFor example 2026-03-04.',
    ]);
  });

  test('answers in the review are not listed above it', () => {
    const text = 'Your answers:\n1. Start date: 2026-03-04\n2. Lunch\nIs that right?';
    expect(said(text, {agent: 'confirmation'})).toEqual([
      'question: Your answers:\n2. Lunch\nIs that right?',
    ]);
    expect(said(text)).toEqual([`question: ${text}`]);
  });
});
