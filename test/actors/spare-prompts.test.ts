/** A prompt has no parts that its reader cannot use. */

import {expect, test} from 'vitest';

import {purposeTool} from '../../actors/performers/purpose-tools.ts';
import {isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import {agentTools} from '../../machines/forms/interview/agents/agent-tools.ts';
import {questionNames} from '../../machines/questions/questions.ts';
import {ballot, call, isBallot} from '../support/agent-models.ts';
import type {Said} from '../support/mock-openai.ts';
import {setWireStage, type WireStageOptions} from '../support/stage.ts';

async function requestsOf(say: NonNullable<WireStageOptions['say']>) {
  const {run, received} = await setWireStage({
    files: {'README.md': 'The survey of the pool.\n'},
    say,
    config: {
      agent: {review_models: ['mock/a-seat', 'mock/b-seat', 'mock/c-seat']},
      discuss: {participants: ['mock/one', 'mock/two']},
    },
  });
  await run('Look at the pool');
  return received;
}

function planOf(...tasks: readonly object[]): Said {
  return call('create_plan', {objective: 'Look', reasoning: 'r', tasks});
}

const fieldsIn = (tool?: {readonly parameters?: unknown}): string[] =>
  isJsonObject(tool?.parameters) ? Object.keys(tool.parameters['properties'] ?? {}) : [];

const fields = (name: string) => {
  const tool = purposeTool(name);
  return [tool?.name, ...fieldsIn({parameters: tool?.schema})];
};

test('a ballot on a diff can comment on lines, any other cannot, and none has a field for its round', () => {
  const ballotFields = ['cast_ballot', 'verdict', 'reasons', 'confidence', 'suggested_change'];
  expect(fields('cast_ballot')).toEqual(ballotFields);
  expect(fields('review_diff')).toEqual([...ballotFields, 'comments']);
});

/** The members of a schema, at any depth, each with its path. */
function membersIn(schema: unknown, path: string): (readonly [string, JsonObject])[] {
  if (!isJsonObject(schema)) return [];
  const {properties = {}, items} = schema;
  const own = isJsonObject(properties) ? Object.entries(properties) : [];
  const named = own.map(
    ([name, member]) => [`${path}.${name}`, isJsonObject(member) ? member : {}] as const,
  );
  return [
    ...named,
    ...named.flatMap(([name, member]) => membersIn(member, name)),
    ...membersIn(items, path),
  ];
}

test('every field of a structured tool has a description in one line, and a plain type', () => {
  const names = [...questionNames, ...Object.keys(agentTools)];
  const members = names.flatMap((name) => membersIn(purposeTool(name)?.schema, name));
  expect(members.length).toBeGreaterThan(60);
  for (const [path, {description, type}] of members) {
    expect([path, description]).toEqual([path, expect.stringMatching(/^.{2,}$/)]);
    expect([path, type]).toEqual([path, expect.stringMatching(/^\w+$/)]);
  }
});

test('only a planner that plans again is offered redoes and drops', async () => {
  const received = await requestsOf((one) => {
    const isAgain = one.text.includes('# Done so far');
    if (one.tools.includes('create_plan')) {
      const redoes = isAgain ? {redoes: ['look']} : {};
      return planOf({id: isAgain ? 'again' : 'look', description: 'read it', ...redoes});
    }
    const problems = one.text.includes('again (succeeded)') ? [] : [{problem: 'too short'}];
    return one.tools.includes('evaluate_result')
      ? call('evaluate_result', {successful: problems.length === 0, problems})
      : undefined;
  });
  const planners = received.filter(({tools}) => tools.includes('create_plan'));
  expect(planners.map(({definitions}) => fieldsIn(definitions[0]))).toEqual([
    ['objective', 'reasoning', 'asks_for_change', 'parameters', 'tasks'],
    ['objective', 'reasoning', 'asks_for_change', 'parameters', 'tasks', 'drops'],
  ]);
  expect(JSON.stringify(planners[0]?.definitions)).not.toContain('redoes');
});

test('the rule on quotations is left out where nothing is quoted', async () => {
  const received = await requestsOf(({tools}) =>
    tools.includes('create_plan')
      ? planOf({id: 'think', description: 'think about it', context_mode: 'fresh'})
      : undefined,
  );
  const rule = 'quote what others wrote';
  const workers = received.filter(({text}) => text.includes('You carry out one task'));
  expect(workers.map(({text}) => text.includes(rule))).toEqual([false]);
  const planner = received.find(({tools}) => tools.includes('create_plan'));
  expect(planner?.text).toContain(rule);
});

test('only a task without a tool is offered other interactions, and a planner reads one line about them', async () => {
  const received = await requestsOf(({tools}) =>
    tools.includes('create_plan')
      ? planOf(
          {id: 'free', description: 'think about it'},
          {id: 'bound', description: 'read about it', tool: 'read_file'},
          {id: 'nested', description: 'ask about it', tool: 'spawn_ask'},
        )
      : undefined,
  );
  const offered = (task: string) => {
    const worker = received.find(
      ({text, tools}) => text.includes(`# Task\n${task}:`) && !isVote(tools),
    );
    const finder = worker?.definitions.find(({name}) => name === 'find_tools')?.description ?? '';
    const named = [...finder.matchAll(/^- (\w+): /gm)].map(([, name]) => name);
    const all = new Set([...(worker?.tools ?? []), ...named]);
    return [...all].filter((name) => name?.startsWith('spawn_'));
  };
  expect(offered('free')).toHaveLength(4);
  expect(offered('bound')).toEqual([]);
  expect(offered('nested')).toEqual(['spawn_ask']);
  const planner = received.find(({tools}) => tools.includes('create_plan'))?.text ?? '';
  expect(planner).toContain('spawn_agent, spawn_ask, spawn_discuss, spawn_interview');
  expect(planner).not.toContain('spawn_ask: ');
});

test('a discussion below an agent reads the survey once and no name of a seat, and a projected question reads no votes', async () => {
  let drafts = 0;
  const received = await requestsOf((one) => {
    if (one.tools.includes('create_plan')) {
      drafts += 1;
      const spawns = ['discuss', 'ask'].map((form) => ({
        id: form,
        description: `have it answered, draft ${drafts}`,
        tool: `spawn_${form}`,
        args: {request: `What of the pool, ${form}?`},
      }));
      return planOf(...spawns);
    }
    if (isBallot(one) && drafts === 1) return ballot('reject', `${one.model} says no`);
    return undefined;
  });
  const below = (form: string) =>
    received.find(
      ({text, tools}) => text.includes(`# Question\nWhat of the pool, ${form}?`) && !isVote(tools),
    );
  const discussion = below('discuss')?.text ?? '';
  expect(discussion).toContain('a reviewer: ');
  expect(discussion).not.toMatch(/[abc]-seat/);
  expect(discussion.split('File README.md')).toHaveLength(2);
  expect(below('ask')).toBeDefined();
  expect(below('ask')?.text).not.toContain('Votes:');
});

function isVote(tools: readonly string[]): boolean {
  return tools.includes('cast_ballot');
}
