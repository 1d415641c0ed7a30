/**
 * Whole interviews by rule, without a model, with respondents of many kinds. The data file holds their replies, in the order of
 * the questions, and the expected export.
 */

import {readFileSync} from 'node:fs';
import {join} from 'node:path';

import {parse} from 'smol-toml';
import {describe, expect, onTestFinished, test} from 'vitest';
import {z} from 'zod';

import {createMemoryJournal, createRuntime} from '../../actors/index.ts';
import type {ExportedAnswer, OpenAsk} from '../../machines/questionnaire/answers.ts';
import {readQuestionnaire} from '../../machines/questionnaire/questionnaire-reading.ts';
import type {Questionnaire} from '../../machines/questionnaire/questionnaire.ts';
import {lead, type Led} from '../support/interviewing.ts';

const fixtures = join(import.meta.dirname, '../fixtures');

const respondentSchema = z.strictObject({
  who: z.string(),
  form: z.string(),
  /** Values known beforehand; the other fields are asked. */
  respondent: z
    .strictObject({language: z.string(), country: z.string(), timezone: z.string()})
    .exactOptional(),
  /** Subjects of questions (a field, a section, or the state of the interview) and the replies to them. */
  says: z.array(z.tuple([z.string(), z.string()])),
  expected: z.looseObject({answers: z.record(z.string(), z.unknown())}),
});

type Respondent = z.infer<typeof respondentSchema>;

/** A section each: its name and what the respondent does, the form, the replies (`⏎` is a line break), the export. */
const respondents = readFileSync(join(fixtures, 'respondents.txt'), 'utf8')
  .split(/^# /m)
  .slice(1)
  .map((section) => {
    const [, name = '', who] = /^([\w-]+): (.*)$/m.exec(section) ?? [];
    const [, form] = /^form: (.*)$/m.exec(section) ?? [];
    const [, known] = /^respondent: (.*)$/m.exec(section) ?? [];
    const [, end = ''] = /^expected: (.*)$/m.exec(section) ?? [];
    const says = [...section.matchAll(/^> (.*?): (.*)$/gm)].map(([, subject, text = '']) => [
      subject,
      text.replaceAll('⏎', '\n'),
    ]);
    const answers = [...section.matchAll(/^(\w+) = (.*)$/gm)].map(([, field = '', json = '']) => [
      field,
      JSON.parse(json),
    ]);
    const expected = {...JSON.parse(end), answers: Object.fromEntries(answers)};
    const respondent = known === undefined ? {} : {respondent: JSON.parse(known)};
    return [name, respondentSchema.parse({who, form, says, expected, ...respondent})] as const;
  });

function formOf(name: string): Questionnaire {
  const reading = readQuestionnaire(parse(readFileSync(join(fixtures, 'forms', name), 'utf8')));
  if (!reading.ok) throw new Error(`${name} is not a form`);
  return reading.value;
}

interface Played extends Led {
  /** The subject of each question and the reply to it. */
  readonly said: readonly (readonly [string, string])[];
}

const plays = new Map<Respondent, Promise<Played>>();

async function playOnce(one: Respondent): Promise<Played> {
  const played = plays.get(one) ?? play(one);
  plays.set(one, played);
  return await played;
}

async function play({form, respondent, says}: Respondent): Promise<Played> {
  const questionnaire = formOf(form);
  const runtime = createRuntime({journal: createMemoryJournal(), env: {}});
  onTestFinished(async () => await runtime.close());
  const run = runtime.start({
    form: 'interview',
    request: questionnaire.title,
    questionnaire,
    ...(respondent === undefined ? {} : {respondent}),
  });
  const said: (readonly [string, string])[] = [];
  const led = await lead(run, (asked: OpenAsk) => {
    const text = says[said.length]?.[1];
    if (text !== undefined) said.push([asked.field ?? asked.section ?? asked.state, text]);
    return text;
  });
  return {...led, said};
}

function exportOf({result}: Led): Respondent['expected'] {
  const {status, exitCode, answers} = result;
  if (!answers) throw new Error('an interview has answers');
  const {language, country, timezone} = answers;
  const entries = Object.entries(answers.answers).map(([id, one]) => [id, shown(one)] as const);
  return {
    status,
    exitCode,
    state: answers.status,
    language,
    country,
    timezone,
    answers: Object.fromEntries(entries),
  };
}

function shown({status, value, quote, facts, provisional}: ExportedAnswer): object {
  return {
    status,
    ...(value === undefined ? {} : {value}),
    ...(quote === undefined ? {} : {quote}),
    ...(Object.keys(facts).length === 0 ? {} : {facts}),
    ...(provisional === undefined ? {} : {provisional}),
  };
}

describe('a respondent', () => {
  test.each(respondents)(
    '%s is asked for the open fields, and their answers are exported',
    async (_, one) => {
      const played = await playOnce(one);
      expect(played.said).toEqual(one.says);
      expect(exportOf(played)).toEqual(one.expected);
      expect(played.result.usage.modelCalls).toBe(0);
    },
  );

  test('is addressed in their own language, and never sees a placeholder', async () => {
    for (const [name, one] of respondents) {
      const {talk} = await playOnce(one);
      const messages = talk.map(([asked]) => asked);
      expect(messages.join('\n')).not.toMatch(/undefined|null|\[object/);
      const isJapanese = name === 'ja-plain' || one.respondent?.language === 'ja';
      const first = messages[one.respondent ? 0 : 1] ?? '';
      expect(/[\p{Script=Hiragana}]/u.test(first)).toBe(isJapanese);
    }
  });
});

test('there are respondents of every kind in both languages', () => {
  const names = respondents.map(([name]) => name);
  expect(names.length).toBeGreaterThanOrEqual(20);
  for (const kind of ['wrong-dates', 'off-topic', 'injection', 'three-at-once', 'declines']) {
    expect(names).toEqual(expect.arrayContaining([`en-${kind}`, `ja-${kind}`]));
  }
});
