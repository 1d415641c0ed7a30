/** The files of the page as they are served, and its words: understood by the interview in each language, and divided into parts. */

import {readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';

import {expect, expectTypeOf, test, describe} from 'vitest';

import type {Standing} from '../../../../actors/submissions/standing.ts';
import type {Submission, Field, Message} from '../../../../cli/serve/page/browser/sync/wire.ts';
import {languageNames, textsFor} from '../../../../cli/serve/page/browser/texts.ts';
import {partsOf} from '../../../../cli/serve/page/browser/wording.ts';
import {pageResponse} from '../../../../cli/serve/page/page.ts';
import type {FormField} from '../../../../machines/questionnaire/questionnaire.ts';
import {checkAnswer, readReply, readSetting} from '../../../../tools/interview/index.ts';

const folder = join(import.meta.dirname, '../../../../cli/serve/page/browser');

const scripts = readdirSync(folder, {recursive: true, encoding: 'utf8'}).filter((name) =>
  name.endsWith('.ts'),
);

test('a form and a submission have the same document for all names', async () => {
  const [one, other] = await Promise.all(
    ['/f/application', '/s/x%2Fy'].map(async (path) => await pageResponse(path)?.text()),
  );
  expect(one).toMatch(/^<!doctype html>/);
  expect(other).toBe(one);
});

test('the document has no inline scripts or styles, and loads nothing from other hosts', () => {
  const {headers} = pageResponse('/f/application') ?? new Response();
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'self'; style-src 'self'; (?!.*(unsafe|https?:|\*))/,
  );
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('set-cookie')).toBeNull();
  expect(readFileSync(join(folder, 'index.html'), 'utf8')).not.toMatch(
    /<style|style=|\son\w+=|<script>|https?:/,
  );
});

test.each(scripts)('%s is served as JavaScript', async (name) => {
  const response = pageResponse(`/page/${name}`);
  expect(response?.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(await response?.text()).not.toMatch(/^(import|export) (type|interface)\b/m);
});

test('the page reads only members of a submission that the server sends', () => {
  expectTypeOf<Standing>().toExtend<Submission>();
});

test('unchanged files are not sent again', async () => {
  const first = pageResponse('/page/style.css');
  const again = pageResponse('/page/style.css', first?.headers.get('etag') ?? '');
  expect([again?.status, await again?.text()]).toEqual([304, '']);
});

test.each([
  '/',
  '/f/',
  '/f/a/b',
  '/page/',
  '/page/tsconfig.json',
  '/page/../page.ts',
  '/page/texts/../../page.ts',
  '/page/none.ts',
])('%s is not part of the page', (path) => {
  expect(pageResponse(path)).toBeUndefined();
});

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
  const check = {facts: [], known: {}, language, timezone: 'UTC', at: base.at};
  const valueOf = async (text: string) =>
    (await checkAnswer({...check, field, replies: [{text}]})).value;
  const dayOf = async (text: string) =>
    (await checkAnswer({...check, field: {...field, type: 'date'}, replies: [{text}]})).value;
  expect({
    skip: await routeOf(say.skip, {field: field.id}),
    why: await routeOf(say.why, {field: field.id}),
    goOn: await routeOf(say.goOn, {paused: true}),
    days: [await dayOf(say.today), await dayOf(say.tomorrow)],
    yes: await valueOf(say.yes),
    no: await valueOf(say.no),
    name: (await readSetting({section: 'language', text: name})).value,
  }).toEqual({
    skip: 'skip',
    why: 'why',
    goOn: 'continue',
    days: ['2026-03-04', '2026-03-05'],
    yes: true,
    no: false,
    name: language,
  });
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

  test('choices are left to the buttons, with the line that asks for one', () => {
    const size = {
      ...startDate,
      id: 'size',
      label: 'Size',
      type: 'choice',
      choices: ['S', 'M'],
    } as const;
    const message = {position: 1, from: 'agent', agent: 'interviewer', field: 'size'} as const;
    const text = 'Size\nTo order it\nPlease choose one; the number is enough:\n1. S\n2. M';
    expect(partsOf({...message, text}, [size])).toEqual([
      {kind: 'question', text: 'Size'},
      {kind: 'hint', text: 'To order it'},
    ]);
    const problem = 'Please choose one of these:\n1. S\n2. M';
    expect(partsOf({...message, text: problem, refuses: true}, [size])).toEqual([
      {kind: 'refusal', text: 'Please choose one of these.'},
    ]);
  });

  test('a refusal is shown without the repeated question of its field', () => {
    const more = {field: 'start', refuses: true} as const;
    const problem = 'The date can’t be before today.\nOnce more, please: Start date';
    expect(said(problem, more)).toEqual(['refusal: The date can’t be before today.']);
    expect(said('Sorry.\n\nStart date\nA date, please.', more)).toEqual(['refusal: Sorry.']);
    expect(said('Sorry.\n\nDo you mean Germany?', {refuses: true})).toEqual([
      'refusal: Sorry.',
      'question: Do you mean Germany?',
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
