/** Names that are members of every object: ordinary names of providers, models, seats and tasks. */

import {expect, onTestFinished, test} from 'vitest';

import {ballot, call, revised} from '../support/agent-models.ts';
import {type ReceivedRequest, type Said, startMockOpenAi} from '../support/mock-openai.ts';
import {setStage} from '../support/stage.ts';

const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
const plan = {
  objective: 'Write four notes',
  reasoning: 'they are asked for',
  tasks: names.map((id, at) => ({
    id,
    description: `Write the note ${id}`,
    tool: 'write_file',
    args: {path: `${at}.txt`, content: `${id}\n`},
    depends_on: names.slice(0, at),
  })),
};

function speak({tools, text, model}: ReceivedRequest): Said {
  if (tools.includes('create_plan')) return call('create_plan', revised(plan, text));
  if (tools.includes('cast_ballot')) return ballot('approve', model);
  return call('evaluate_result', {successful: true, problems: []});
}

test('a run has them as names of its provider, its seats and its tasks', async () => {
  const reviewers = names.map((name) => `constructor/${name}`);
  const models = await startMockOpenAi(speak);
  onTestFinished(models.close);
  const {run, text} = setStage({
    config: {
      agent: {
        exploration_model: 'constructor/worker',
        decision_model: 'constructor/worker',
        review_models: reviewers,
      },
      discuss: {participants: reviewers.slice(0, 3), moderator: 'constructor/worker'},
      quorum: {feedback_grace_ms: 1, rule: 'unanimous'},
      providers: {constructor: {base_url: models.baseUrl}},
    },
  });
  const wish = 'Write four notes to 0.txt, 1.txt, 2.txt and 3.txt';
  const {status, tasks, reviews} = await run(wish);
  expect({status, tasks}).toMatchObject({
    status: 'completed',
    tasks: names.map((id) => ({id, status: 'succeeded'})),
  });
  expect(names.map((_, at) => text(`${at}.txt`))).toEqual(names.map((name) => `${name}\n`));
  const [round] = reviews ?? [];
  expect(round).toMatchObject({approved: true, seats: names, degraded: false});
  expect(round?.votes).toHaveLength(names.length);
  for (const name of names)
    expect(round?.votes).toContainEqual(
      expect.objectContaining({verdict: 'approve', reasons: [name]}),
    );
});
