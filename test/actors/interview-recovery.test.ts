/** Interviews interrupted by a crash between any two entries, or by an unavailable model, and then continued. */

import {describe, expect, test} from 'vitest';

import {
  type ConfigInput,
  createFunctionModel,
  createMemoryJournal,
  createRuntime,
  type Journal,
} from '../../actors/index.ts';
import type {Entry} from '../../actors/journal/journal.ts';
import type {Run, Runtime} from '../../actors/runtime-api.ts';
import {asJson} from '../../machines/domain/json.ts';
import type {ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import type {Questionnaire} from '../../machines/questionnaire/questionnaire.ts';
import {type Cast, lead, type Person, roleOf, saying, willing} from '../support/interviewing.ts';
import type {ReceivedRequest, Said} from '../support/mock-openai.ts';
import {cutJournal, cutsOf} from '../support/scenario.ts';

const form: Questionnaire = {
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

/** The request as a server receives it: a question is named by the tool that answers it. */
function receivedFrom({model, system, transcript, tools}: ModelRequest): ReceivedRequest {
  const names = tools.map((name) => questionTools[name] ?? name);
  const texts = transcript.messages.map(({text}) => text);
  const turn = transcript.messages.filter(({role}) => role === 'assistant').length;
  return {model, text: [system, ...texts].join('\n'), tools: names, definitions: [], turn};
}

const questionTools: Readonly<Record<string, string>> = {
  order_fields: 'create_plan',
  review_answer: 'review',
};

function outcomeOf(said: Said): ModelOutcome {
  const usage = {inputTokens: 10, outputTokens: 5, cachedTokens: 0};
  if (said === 'hang' || 'status' in said) return {kind: 'auth', message: 'the key is revoked'};
  if ('text' in said) return {kind: 'ok', text: said.text, usage, calls: []};
  const calls = said.calls.map(({name, args}, index) => ({
    id: `c${index}`,
    name,
    args: asJson(Object(args)),
  }));
  return {kind: 'ok', text: '', usage, calls};
}

interface Leading {
  readonly runtime: Runtime;
  readonly journal: Journal;
  readonly received: readonly ReceivedRequest[];
  readonly start: () => Run;
}

const byModels: ConfigInput = {interview: {model: 'test/leader', reviewer: 'test/judge'}};
const byRules: ConfigInput = {interview: {model: 'offline'}};

function leading(
  config: ConfigInput,
  cast: Partial<Cast> = {},
  journal: Journal = createMemoryJournal(),
): Leading {
  const received: ReceivedRequest[] = [];
  const model = (name: string) =>
    createFunctionModel(name, (request) => {
      const each = receivedFrom(request);
      received.push(each);
      return outcomeOf({...willing, ...cast}[roleOf(each)](each));
    });
  const runtime = createRuntime({
    config,
    journal,
    models: ['test/leader', 'test/judge', 'test/new'].map(model),
    env: {},
  });
  const workspace = import.meta.dirname;
  return {
    runtime,
    journal,
    received,
    start: () =>
      runtime.start({form: 'interview', request: 'shirt', questionnaire: form, workspace}),
  };
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
    const whole = leading(config);
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
      const {runtime} = leading(config, {}, cutJournal(interaction, before));
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
      const {runtime, start} = leading(byModels, broken);
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
      const uncut = await lead(leading(byModels).start(), person());
      expect([...first.talk, ...last.talk]).toEqual(uncut.talk);
    });

    test('it continues with another model that replaces it', async () => {
      const broken = {
        [role]: (received: ReceivedRequest) =>
          received.model === 'test/new' ? willing[role](received) : {status: 401},
      };
      const {runtime, start} = leading(byModels, broken);
      const hesitating = person();
      const {result} = await lead(start(), hesitating);
      const settings = {interview: {model: 'test/new', reviewer: 'test/new'}};
      const resumed = await runtime.resume(result.interaction, {settings});
      expect((await lead(resumed, hesitating)).result).toMatchObject({
        status: 'completed',
        answers: {status: 'submitted'},
      });
    });
  },
);
