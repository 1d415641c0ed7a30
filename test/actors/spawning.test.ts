/**
 * Interactions that models spawn by their tools, over the wire: their context from the parent, and their part in the result.
 */

import {existsSync} from 'node:fs';

import {expect, test} from 'vitest';

import type {ConfigInput} from '../../actors/index.ts';
import {act, ballot, call, isBallot} from '../support/agent-models.ts';
import {putManyFiles} from '../support/many-files.ts';
import type {ReceivedRequest, Said} from '../support/mock-openai.ts';
import {follow, setWireStage, type WireStage, type WireStageOptions} from '../support/stage.ts';

/** A runtime of its own for each stage; `journal` keeps that of an earlier one. */
async function openStage(
  say: NonNullable<WireStageOptions['say']>,
  more: Pick<WireStageOptions, 'journal' | 'folder'> = {},
  limits: ConfigInput['limits'] = {},
): Promise<WireStage> {
  return await setWireStage({
    ...more,
    say: (received) => (isBallot(received) ? voteOn(received) : say(received)),
    config: {limits, agent: {review_models: ['mock/reviewer'], hil_mode: 'auto_reject'}},
  });
}

function voteOn({text}: ReceivedRequest): Said {
  return /Drain/.test(text.split('# Proposal')[1] ?? '')
    ? ballot('reject', 'keep the water')
    : ballot('approve');
}

/** The requests to the model of an ask, by its question, in order. */
function askedOf({received}: WireStage, question: string): readonly ReceivedRequest[] {
  return received.filter(({text}) => text.includes(`# Question\n${question}`));
}

const noted = {path: 'pool.md', content: '3 m\n'};

/** An agent that plans one task: without a tool for a worker, or with an exact call. */
function agentWith(task: object): (received: ReceivedRequest) => Said {
  return (received) => {
    if (received.tools.includes('create_plan')) {
      const tasks = [{id: 'only', description: 'Do it', ...task}];
      return call('create_plan', {objective: 'Get it done', reasoning: 'one step', tasks});
    }
    return received.text.includes('# Task\n') ? {text: 'done'} : act(received);
  };
}

test('a question spawns an agent that writes the requested file, which counts as a change of the whole run', async () => {
  const writing = agentWith({tool: 'write_file', args: noted});
  const stage = await openStage((received) => {
    if (received.model !== 'asker') return writing(received);
    return received.turn === 0
      ? call('spawn_agent', {request: 'Write 3 m to pool.md', context_mode: 'fresh'})
      : {text: 'It is written.'};
  });
  const result = await stage.run('Write how deep the pool is to pool.md?', {form: 'ask'});
  expect(stage.text('pool.md')).toBe('3 m\n');
  expect(result).toMatchObject({
    status: 'completed',
    answer: 'It is written.',
    changes: [{path: 'pool.md', added: 1, removed: 0}],
    interactions: [{form: 'agent', by: 'model', contextMode: 'fresh', status: 'completed'}],
  });
  expect(askedOf(stage, 'Write how deep').at(-1)?.text).toContain(
    '[Agent Result (completed)]: Get it done',
  );
  const onPlan = stage.received.find((each) => isBallot(each) && each.text.includes('(plan,'));
  expect(onPlan?.text).toContain('# Request\nWrite how deep the pool is to pool.md?\n');
  expect(onPlan?.text).toContain(
    '# Task (the request as a model rewrote it for the proposer)\n> Write 3 m to pool.md\n',
  );
  expect(result.reviews?.map(({kind, title}) => `${kind}: ${title}`)).toEqual([
    'action: spawn_agent Write 3 m to pool.md',
    'plan: Get it done',
    'action: write_file pool.md',
  ]);
});

test('an agent spawned by a question that only asks for information changes nothing', async () => {
  const writing = agentWith({tool: 'write_file', args: noted});
  const stage = await openStage((received) => {
    if (received.model !== 'asker') return writing(received);
    return received.turn === 0
      ? call('spawn_agent', {request: 'The note on how deep the pool is, in pool.md'})
      : {text: 'Nobody wrote it.'};
  });
  const result = await stage.run('How deep is the pool?', {form: 'ask'});
  expect(existsSync(stage.at('pool.md'))).toBe(false);
  expect(result).toMatchObject({status: 'completed', interactions: [{status: 'rejected'}]});
  expect(JSON.stringify(result.reviews)).toContain('scope/read-only-request');
});

test('reviewers read the request of a spawn, and the model reads why it was rejected', async () => {
  const stage = await openStage(({turn}) =>
    turn === 0 ? call('spawn_ask', {request: 'Drain it: how deep?'}) : {text: '3 m'},
  );
  const result = await stage.run('How deep is the pool?', {form: 'ask'});
  const voter = stage.received.find(isBallot);
  expect(voter?.text).toContain('Tool: spawn_ask');
  expect(voter?.text).toContain(
    '> Begins a question to a model with read-only tools:\n> > Drain it: how deep?',
  );
  expect(askedOf(stage, 'How deep').at(-1)?.text).toMatch(/Not allowed\. .*keep the water/);
  expect(result).toMatchObject({
    status: 'completed',
    answer: '3 m',
    denied: [{tool: 'spawn_ask', summary: 'spawn_ask Drain it: how deep?'}],
  });
  expect(result.interactions).toBeUndefined();
});

test('a cancelled child is reported to its parent, which continues', async () => {
  const stage = await openStage(({text, turn}) => {
    if (text.includes('# Question\nHow wide')) return 'hang';
    return turn === 0 ? call('spawn_ask', {request: 'How wide is it?'}) : {text: '3 m'};
  });
  const run = stage.start('How deep is the pool?', {form: 'ask'});
  const {result} = await follow(run, (event) => {
    const isBelow = event.type === 'phase.changed' && event.interaction !== run.id;
    if (isBelow && event.phase === 'working') {
      run.send({type: 'interaction.cancel', interaction: event.interaction});
    }
  });
  expect(askedOf(stage, 'How deep').at(-1)?.text).toContain('did not complete (cancelled)');
  expect(result).toMatchObject({
    status: 'completed',
    answer: '3 m',
    interactions: [{status: 'cancelled'}],
  });
});

test('a run that stops while one interaction waits for another waits for it again after a resume', async () => {
  let isLeft = false;
  const asked = Promise.withResolvers<void>();
  const answer = ({text, turn}: ReceivedRequest): Said => {
    if (text.includes('# Question\nHow wide')) {
      asked.resolve();
      return isLeft ? {text: '5 m'} : 'hang';
    }
    return turn === 0 ? call('spawn_ask', {request: 'How wide is it?'}) : {text: '3 m'};
  };
  const first = await openStage(answer);
  const run = first.start('How deep is the pool?', {form: 'ask'});
  await asked.promise;
  isLeft = true;
  await first.runtime.close();
  const stage = await openStage(answer, {journal: first.journal, folder: first.workspace});
  const {result} = await follow(await stage.runtime.resume(run.id));
  expect(askedOf(stage, 'How deep').at(-1)?.text).toContain('[Ask Result]: 5 m');
  expect(result).toMatchObject({status: 'completed', interactions: [{status: 'completed'}]});
});

test('a plan may spawn an agent by an exact call, and the task fails with the agent', async () => {
  const exact = {tool: 'spawn_agent', args: {request: 'Fill the pool'}};
  const outer = agentWith(exact);
  const inner = agentWith({tool: 'read_file', args: {path: 'no-such-file'}});
  const stage = await openStage((received) =>
    received.text.includes('# Request\nFill the pool') ? inner(received) : outer(received),
  );
  const result = await stage.run('Have the pool filled');
  expect(result.tasks).toMatchObject([
    {id: 'only', status: 'failed', failure: {code: 'child_failed'}},
  ]);
  expect(result.tasks?.[0]?.output).toContain('[Agent Result (failed)]:');
  expect(result.status).toBe('failed');
});

test('the explorer is offered no tool that spawns', async () => {
  const {workspace, run, received} = await openStage(agentWith({}));
  putManyFiles(workspace);
  await run('Find out about the pool');
  const explored = received.filter(({model}) => model === 'explorer');
  expect(explored.length).toBeGreaterThan(0);
  expect(explored.flatMap(({tools}) => tools).filter((name) => name.startsWith('spawn_'))).toEqual(
    [],
  );
});

function asksBelow(received: ReceivedRequest): Said {
  const isAbove = received.text.includes('# Question\nWhat is the depth?');
  return isAbove && received.turn === 0
    ? call('spawn_ask', {request: 'How deep is the pond?'})
    : {text: 'three metres'};
}

test('the usage of a child counts against the limits of the whole tree', async () => {
  const {run} = await openStage(asksBelow, {}, {max_model_calls: 3});
  const result = await run('What is the depth?', {form: 'ask'});
  expect(result).toMatchObject({
    status: 'limited',
    exitCode: 3,
    resumable: true,
    usage: {modelCalls: 3},
    interactions: [{form: 'ask', status: 'completed'}],
  });
});
