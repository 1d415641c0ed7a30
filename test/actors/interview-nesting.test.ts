/** Interviews in a tree: below a task by a rule, below each other by a person, and interactions below one. */

import {expect, test} from 'vitest';

import type {Run} from '../../actors/runtime-api.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {ballot, isPlanBallot} from '../support/agent-models.ts';
import {known, lead, type Person, saying} from '../support/interviewing.ts';
import {type Files, setStage, setWireStage, type Stage} from '../support/stage.ts';

const question = 'What should the note say?';
const answering = (): Person =>
  saying({
    answer: ['That lunch is at noon'],
    confirming: ['submit'],
  });

function byRule(files: Files = {}): Stage {
  const said = {kind: 'ok', text: '3 m', calls: []} as const;
  return setStage({files, say: () => said, config: {interview: {model: 'offline'}}});
}

/** An interview led by rules of a person who speaks English, in Japan. */
function interviewing(request: string, files?: Files): Run {
  return byRule(files).start(request, {form: 'interview', respondent: known});
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
  const stage = await setWireStage({
    say: (received) => {
      if (!isPlanBallot(received)) return undefined;
      rejections += 1;
      return ballot(rejections === 1 ? 'reject' : 'approve', 'say why');
    },
    config: {
      agent: {review_models: ['mock/a']},
      interview: {model: 'offline'},
      spawn: [{when: 'plan.rejected', form: 'interview', request: question}],
    },
  });
  const run = stage.start('Write a note');
  const {result, talk} = await lead(run, answering());
  expect(talk).toHaveLength(2);
  expect(result).toMatchObject({
    status: 'completed',
    interactions: [{form: 'interview', by: 'rule', status: 'completed'}],
  });
  const drafts = stage.received.filter(({tools}) => tools.includes('create_plan'));
  expect(drafts.at(-1)?.text).toContain(
    `[Interview Result (submitted)]: Submitted: ${question}, 1 of 1 answers.`,
  );
  expect(drafts.at(-1)?.text).toContain(`- ${question}: That lunch is at noon`);
});

test('a question below an interview is answered while the interview waits, which then continues from the same field', async () => {
  const run = interviewing(question);
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
  const run = interviewing('Which is the first?');
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
  const run = interviewing(question);
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
    const form = `[[fields]]\nid = "answer"\nlabel = "Answer"\nrequired = true\ntype = "${type}"\n`;
    const run = interviewing(above, {'form.toml': form});
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
