/** Messages to a running interaction reach the models that take no turns: planner, panel, judge, discussion. */

import {expect, test} from 'vitest';

import type {Run} from '../../actors/runtime-api.ts';
import type {ModelOutcome, ModelPurpose, ModelRequest} from '../../machines/domain/model.ts';
import {answer, createScenario, reply, work} from '../support/scenario.ts';

const word = 'Leave the door alone.';
const found = 'The door was painted in May.';

interface Prompt {
  readonly purpose: ModelPurpose;
  readonly text: string;
}

type Models = (request: ModelRequest, run: Run) => ModelOutcome | Promise<ModelOutcome>;

/** Runs a form whose models may send to the run; resolves with the first message of each call made by the form itself. */
async function promptsOf(form: 'agent' | 'discuss', strategy: 'quorum' | 'debate', models: Models) {
  const prompts: Prompt[] = [];
  const runs: Run[] = [];
  const {runtime} = createScenario({
    config: {
      ask: {model: 'test/x'},
      discuss: {participants: ['test/x', 'test/y'], moderator: 'test/z', strategy},
    },
    work: (request) => {
      const text = request.transcript.messages[0]?.text ?? '';
      if (!isBelow(request)) prompts.push({purpose: request.purpose, text});
      const [run] = runs;
      if (!run) throw new Error('there is no run');
      return models(request, run);
    },
  });
  const run = runtime.start({form, request: 'Change the thing', workspace: import.meta.dirname});
  runs.push(run);
  const result = await run.result;
  await runtime.close();
  expect(result).toMatchObject({status: 'completed'});
  return prompts;
}

function isBelow({transcript}: ModelRequest): boolean {
  return transcript.messages[0]?.text.startsWith(`# Question\n${word}`) ?? false;
}

/** Replies on behalf of a question or a discussion below. */
function inBelow({purpose}: ModelRequest): ModelOutcome {
  const nothing = {key_points: [], agreements: [], disagreements: []};
  return purpose === 'conclude'
    ? reply('conclude', {conclusion: found, ...nothing})
    : answer(found);
}

/** Spawns an interaction and waits for its end. */
async function spawnAndWait(run: Run, form: 'ask' | 'discuss' = 'discuss'): Promise<void> {
  run.send({type: 'interaction.spawn', form, request: word});
  for await (const event of run.events) {
    if (event.type === 'interaction.settled' && event.child !== undefined) return;
  }
}

/**
 * For each prompt: its purpose, `asked` with the person's message as part of the request, `found` with the child's finding as
 * data.
 */
function newsIn(prompts: readonly Prompt[]): readonly string[] {
  return prompts.map(({purpose, text}) => {
    const isAsked = new RegExp(
      `# (?:Request\\nChange the thing\\n\\n|Said meanwhile .*\\n)${word}`,
    ).test(text);
    const isFound =
      /# Found meanwhile \(.*data.*\)\n> \[(?:Ask Result|Discuss Result \(2 models\))\]: The door/.test(
        text,
      );
    return [purpose, ...(isAsked ? ['asked'] : []), ...(isFound ? ['found'] : [])].join(' ');
  });
}

test('messages and findings that arrive during the vote on a plan are read by the later planner, panel, judge and closing author', async () => {
  let spawned: Promise<void> | undefined;
  const prompts = await promptsOf('agent', 'quorum', async (request, run) => {
    if (isBelow(request)) return inBelow(request);
    if (request.purpose === 'review-plan') {
      if (!spawned) run.send({type: 'user.said', text: word});
      spawned ??= spawnAndWait(run);
      await spawned;
    }
    return work(request);
  });
  const read = newsIn(prompts.filter(({purpose}) => purpose !== 'act'));
  expect(read.slice(0, 5)).toEqual([
    'explore',
    'plan',
    'review-plan',
    'review-plan',
    'review-plan',
  ]);
  expect(new Set(read.slice(5))).toEqual(
    new Set([
      'plan asked found',
      'review-plan asked found',
      'review-action asked',
      'evaluate asked found',
      'close asked found',
    ]),
  );
});

test('a discussion continues with messages: its readers and the chair read them', async () => {
  let spawned: Promise<void> | undefined;
  const prompts = await promptsOf('discuss', 'quorum', async (request, run) => {
    if (isBelow(request)) return inBelow(request);
    const {purpose, model} = request;
    if (purpose === 'discuss') {
      if (!spawned) run.send({type: 'user.said', text: word});
      spawned ??= spawnAndWait(run);
      await spawned;
      return answer(model === 'test/x' ? 'yes' : 'no');
    }
    const review = {label: 'Response A', assessment: 'well', score: 5};
    if (purpose === 'conclude') return inBelow(request);
    return reply('rank_answers', {ranking: ['Response A'], reviews: [review]});
  });
  expect(newsIn(prompts)).toEqual([
    'discuss',
    'discuss',
    'rank-answers asked found',
    'rank-answers asked found',
    'conclude asked found',
  ]);
});

test('a debate continues with messages: the later speakers read them', async () => {
  const prompts = await promptsOf('discuss', 'debate', async (request, run) => {
    if (isBelow(request)) return inBelow(request);
    const {purpose} = request;
    if (purpose === 'take-position') {
      return reply('take_position', {position: 'Move it.', arguments: ['backups']});
    }
    if (purpose === 'raise-objections') {
      run.send({type: 'user.said', text: word});
      await spawnAndWait(run, 'ask');
      return reply('raise_objections', {objections: [{severity: 'minor', objection: 'a fault'}]});
    }
    if (purpose === 'answer-objections') {
      return reply('answer_objections', {answers: [{id: 'O1', answer: 'met'}]});
    }
    const rulings = [{id: 'O1', ruling: 'resolved', reason: 'so'}];
    return purpose === 'conclude' ? inBelow(request) : reply('rule_on_objections', {rulings});
  });
  expect(newsIn(prompts)).toEqual([
    'take-position',
    'raise-objections',
    'answer-objections asked found',
    'rule-on-objections asked found',
    'conclude asked found',
  ]);
});
