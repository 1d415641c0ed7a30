/** Interviews interrupted by a crash or an unavailable model, and respondents of many kinds whose replies are recorded. */

import {readFileSync} from 'node:fs';
import {join} from 'node:path';

import {parse} from 'smol-toml';
import {describe, expect, onTestFinished, test} from 'vitest';
import {z} from 'zod';

import {
  type ConfigInput,
  createMemoryJournal,
  createRuntime,
  type Journal,
} from '../../actors/index.ts';
import type {Entry} from '../../actors/journal/journal.ts';
import {type ExportedAnswer, type OpenAsk, sections} from '../../machines/questionnaire/answers.ts';
import {readQuestionnaire} from '../../machines/questionnaire/questionnaire-reading.ts';
import type {Questionnaire} from '../../machines/questionnaire/questionnaire.ts';
import {
  type Cast,
  lead,
  type Led,
  type Person,
  roleOf,
  saying,
  willing,
} from '../support/interviewing.ts';
import type {ReceivedRequest} from '../support/mock-openai.ts';
import {cutJournal, cutsOf} from '../support/scenario.ts';
import {setWireStage} from '../support/stage.ts';

const shirtForm: Questionnaire = {
  id: 'shirt',
  title: 'Your shirt',
  fields: [
    {id: 'name', label: 'Full name', type: 'text', required: true, sensitivity: 'none', order: 1},
    {
      id: 'size',
      label: 'Size',
      type: 'choice',
      choices: ['S', 'L'],
      required: true,
      sensitivity: 'none',
      order: 2,
    },
    {
      id: 'fit',
      label: 'Fit',
      type: 'choice',
      choices: ['wide', 'slim'],
      required: true,
      sensitivity: 'none',
      order: 3,
      relevantIf: "size = 'L'",
    },
    {
      id: 'email',
      label: 'Email',
      type: 'email',
      required: false,
      sensitivity: 'personal',
      order: 4,
    },
  ],
  facts: [],
};

/** A person who hesitates, is unclear, pauses, and changes an answer at the end. */
function person(): Person {
  return saying({
    language: ['English'],
    country: ['Japan'],
    name: ['why?', 'Ann Lee'],
    size: ['XXL', 'L'],
    fit: ['pause', 'slim'],
    paused: ['go on'],
    email: ['skip'],
    confirming: ['change full name to Ann Li', 'submit'],
  });
}

const byModels: ConfigInput = {interview: {model: 'mock/leader', reviewer: 'mock/judge'}};
const byRules: ConfigInput = {interview: {model: 'offline'}};

async function leading(config: ConfigInput, cast: Partial<Cast> = {}, journal?: Journal) {
  const {runtime, start} = await setWireStage({
    say: (received) => ({...willing, ...cast})[roleOf(received)](received),
    config,
    ...(journal ? {journal} : {}),
  });
  const questionnaire = shirtForm;
  return {runtime, start: () => start('shirt', {form: 'interview', questionnaire})};
}

/** Gives the recorded replies again, in their order. */
function again(talk: readonly (readonly [asked: string, reply: string])[]): Person {
  const left = talk.map(([, reply]) => reply);
  return () => left.shift();
}

function repliesIn(entries: readonly Entry[]): number {
  return entries.filter(
    (entry) => entry.type === 'received' && entry.event['type'] === 'person.replied',
  ).length;
}

describe.each([
  ['models', byModels],
  ['rules', byRules],
])('an interview led by %s', (_, config) => {
  test('continues after a crash between two entries: every answer is the same, and no answered question is asked again', async () => {
    const whole = await leading(config);
    const uncut = await lead(whole.start(), person());
    expect(uncut.result).toMatchObject({
      status: 'completed',
      answers: {
        answers: {
          name: {value: 'Ann Li'},
          size: {value: 'L'},
          fit: {value: 'slim'},
          email: {status: 'skipped'},
        },
      },
    });
    const {interaction, answers} = uncut.result;
    const entries = await whole.runtime.entries(interaction);
    expect(repliesIn(entries)).toBe(uncut.talk.length);
    const resumed = async (kept: number) => {
      const before = entries.slice(0, kept);
      const {runtime} = await leading(config, {}, cutJournal(interaction, before));
      const rest = uncut.talk.slice(repliesIn(before));
      const {result, talk} = await lead(await runtime.resume(interaction), again(rest));
      expect({kept, talk, answers: result.answers}).toEqual({kept, talk: rest, answers});
    };
    await Promise.all(cutsOf(entries).map(resumed));
  });
});

describe.each<[keyof Cast]>([['greeter'], ['architect'], ['interviewer'], ['reviewer']])(
  'when the model of the %s cannot be called',
  (role) => {
    test('the interview is suspended and later continues without asking again', async () => {
      let isDown = true;
      const broken = {
        [role]: (received: ReceivedRequest) => (isDown ? {status: 401} : willing[role](received)),
      };
      const {runtime, start} = await leading(byModels, broken);
      const hesitating = person();
      const first = await lead(start(), hesitating);
      expect(first.result).toMatchObject({
        status: 'waiting',
        exitCode: 2,
        error: {code: 'auth'},
        resumable: true,
      });
      isDown = false;
      const last = await lead(await runtime.resume(first.result.interaction), hesitating);
      expect(last.result).toMatchObject({status: 'completed', answers: {status: 'submitted'}});
      const uncut = await lead((await leading(byModels)).start(), person());
      expect([...first.talk, ...last.talk]).toEqual(uncut.talk);
    });

    test('it continues with another model that replaces it', async () => {
      const broken = {
        [role]: (received: ReceivedRequest) =>
          received.model === 'new' ? willing[role](received) : {status: 401},
      };
      const {runtime, start} = await leading(byModels, broken);
      const hesitating = person();
      const {result} = await lead(start(), hesitating);
      const settings = {interview: {model: 'mock/new', reviewer: 'mock/new'}};
      const resumed = await runtime.resume(result.interaction, {settings});
      expect((await lead(resumed, hesitating)).result).toMatchObject({
        status: 'completed',
        answers: {status: 'submitted'},
      });
    });
  },
);

const fixtures = join(import.meta.dirname, '../fixtures');

const respondentSchema = z.strictObject({
  who: z.string(),
  form: z.string(),
  /** Values known beforehand; the other fields are asked. */
  respondent: z
    .strictObject({
      language: z.string(),
      country: z.string().exactOptional(),
      timezone: z.string(),
      assumed: z.array(z.enum(sections)).exactOptional(),
    })
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
  const {language, country, timezone, assumed} = answers;
  const entries = Object.entries(answers.answers).map(([id, one]) => [id, shown(one)] as const);
  return {
    status,
    exitCode,
    state: answers.status,
    language,
    country,
    timezone,
    ...(assumed ? {assumed} : {}),
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
      const isJapanese = name.startsWith('ja-');
      const first = messages[one.respondent ? 0 : 1] ?? '';
      expect(/[\p{Script=Hiragana}]/u.test(first)).toBe(isJapanese);
    }
  });
});

test('there are respondents of every kind in both languages', () => {
  const names = respondents.map(([name]) => name);
  expect(names.length).toBeGreaterThanOrEqual(40);
  for (const kind of ['wrong-dates', 'off-topic', 'injection', 'three-at-once', 'declines'])
    expect(names).toEqual(expect.arrayContaining([`en-${kind}`, `ja-${kind}`]));
});
