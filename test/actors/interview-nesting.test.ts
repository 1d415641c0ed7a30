/** Interviews in a tree: below a task by a rule, below each other by a person, and interactions below one. */

import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {expect, onTestFinished, test} from 'vitest';

import {createFunctionModel, createRuntime} from '../../actors/index.ts';
import type {Runtime} from '../../actors/runtime-api.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {act, ballot, isBallot, isPlanBallot} from '../support/agent-models.ts';
import {known, lead, type Person, saying} from '../support/interviewing.ts';
import {startMockOpenAi} from '../support/mock-openai.ts';

const question = 'What should the note say?';
const answering = (): Person =>
  saying({
    answer: ['That lunch is at noon'],
    confirming: ['submit'],
  });

function workspace(): string {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-nested-'));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  return folder;
}

function byRule(): Runtime {
  const runtime = createRuntime({
    config: {ask: {model: 'test/asker'}, interview: {model: 'offline'}},
    models: [createFunctionModel('test/asker', () => ({kind: 'ok', text: '3 m', calls: []}))],
    env: {},
  });
  onTestFinished(async () => await runtime.close());
  return runtime;
}

/** The error code of a refusal; undefined when there is none. */
function refusalOf(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

test('a rule interviews the person after a rejected plan, and the planner reads their answers', async () => {
  let rejections = 0;
  const server = await startMockOpenAi((received) => {
    if (!isBallot(received)) return act(received);
    rejections += isPlanBallot(received) ? 1 : 0;
    return ballot(rejections === 1 && isPlanBallot(received) ? 'reject' : 'approve', 'say why');
  });
  const runtime = createRuntime({
    config: {
      agent: {
        exploration_model: 'mock/worker',
        decision_model: 'mock/worker',
        review_models: ['mock/a'],
      },
      interview: {model: 'offline'},
      providers: {mock: {base_url: server.baseUrl}},
      spawn: [{when: 'plan.rejected', form: 'interview', request: question}],
    },
    env: {},
  });
  onTestFinished(async () => {
    await runtime.close();
    await server.close();
  });
  const run = runtime.start({form: 'agent', request: 'Write a note', workspace: workspace()});
  const {result, talk} = await lead(run, answering());
  expect(talk).toHaveLength(2);
  expect(result).toMatchObject({
    status: 'completed',
    interactions: [{form: 'interview', by: 'rule', status: 'completed'}],
  });
  const drafts = server.received.filter(({tools}) => tools.includes('create_plan'));
  expect(drafts.at(-1)?.text).toContain(
    `[Interview Result (submitted)]: Submitted: ${question}, 1 of 1 answers.`,
  );
  expect(drafts.at(-1)?.text).toContain(`- ${question}: That lunch is at noon`);
});

test('a question below an interview is answered while the interview waits, which then continues from the same field', async () => {
  const run = byRule().start({
    form: 'interview',
    request: question,
    respondent: known,
    workspace: workspace(),
  });
  let isSpawned = false;
  const {result, talk} = await lead(run, ({state}) => {
    if (!isSpawned) run.send({type: 'interaction.spawn', form: 'ask', request: 'How deep?'});
    isSpawned = true;
    return state === 'confirming' ? 'submit' : 'That lunch is at noon';
  });
  expect(talk).toHaveLength(2);
  expect(result).toMatchObject({
    status: 'completed',
    answers: {answers: {answer: {value: 'That lunch is at noon'}}},
    interactions: [{form: 'ask', by: 'person', status: 'completed', text: '[Ask Result]: 3 m'}],
  });
});

test('interviews nest to depth 3, each with answers of its own', async () => {
  const run = byRule().start({
    form: 'interview',
    request: 'Which is the first?',
    respondent: known,
    workspace: workspace(),
  });
  const spawn = (parent: string): void =>
    run.send({type: 'interaction.spawn', form: 'interview', request: `Below ${parent}?`, parent});
  const refusals: unknown[] = [];
  const {result} = await lead(run, ({interaction, state}) => {
    if (state === 'confirming') return 'submit';
    refusals.push(refusalOf(() => spawn(interaction)));
    return `I am ${interaction.slice(run.id.length)}`;
  });
  expect(refusals).toEqual([undefined, undefined, undefined, 'maxDepthExceeded']);
  expect(result.interactions).toMatchObject(
    [1, 2, 3].map((depth) => ({depth, form: 'interview', status: 'completed'})),
  );
  expect(result.interactions?.at(-1)?.text).toMatch(
    /^\[Interview Result \(submitted\)\]: Submitted: .*\n- Below .*\?: I am \.1\.1\.1$/,
  );
});

test('cancelling an interview below a task does not affect the task', async () => {
  const run = byRule().start({
    form: 'interview',
    request: question,
    respondent: known,
    workspace: workspace(),
  });
  const child = `${run.id}.1`;
  const {result, talk} = await lead(run, ({interaction, state}) => {
    if (interaction === run.id && state !== 'confirming') {
      run.send({type: 'interaction.spawn', form: 'interview', request: 'And this?'});
      return 'That lunch is at noon';
    }
    if (interaction === child) run.send({type: 'interaction.cancel', interaction: child});
    return 'submit';
  });
  expect(result).toMatchObject({
    status: 'completed',
    interactions: [
      {
        id: child,
        status: 'cancelled',
        text: expect.stringMatching(/^\[Interview Result \(cancelled\)\]/),
      },
    ],
  });
  expect(talk.length).toBeGreaterThanOrEqual(2);
});

test.each([
  ['What should it say?', 'text', [], {language: 'en'}],
  ['何と書きますか？', 'integer', [], {language: 'ja'}],
  ['What should it say?', 'phone', ['country'], {language: 'en', country: 'JP'}],
  ['What should it say?', 'date', ['country'], {country: 'JP', timezone: 'Asia/Tokyo'}],
])(
  'below “%s”, a form with a field of type %s first asks for %j',
  async (above, type, sections, settings) => {
    const folder = workspace();
    const form = `[[fields]]\nid = "answer"\nlabel = "Answer"\nrequired = true\ntype = "${type}"\n`;
    writeFileSync(join(folder, 'form.toml'), form);
    const run = byRule().start({
      form: 'interview',
      request: above,
      respondent: known,
      workspace: folder,
    });
    run.send({type: 'interaction.spawn', form: 'interview', request: 'form.toml'});
    const asked: (string | undefined)[] = [];
    let answers: object | undefined;
    await lead(run, ({interaction, section}) => {
      if (interaction === run.id) return 'pause';
      if (section === undefined) answers = run.interview(interaction)?.answers;
      else asked.push(section);
      return section === 'country' ? 'Japan' : undefined;
    });
    expect(asked).toEqual(sections);
    expect(answers).toMatchObject(settings);
  },
);
