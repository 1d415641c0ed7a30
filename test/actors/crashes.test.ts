/**
 * One suite for every run: killed at every kind of entry (in a deep search, at every entry), it reaches the same end, and
 * repeats nothing whose outcome is recorded.
 */

import {describe, expect, test, vi} from 'vitest';

import type {Journal} from '../../actors/index.ts';
import type {Entry} from '../../actors/journal/journal.ts';
import type {Run, Runtime} from '../../actors/runtime-api.ts';
import type {ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import {createAsking, turnOf, use} from '../support/asking.ts';
import {sampled} from '../support/depth.ts';
import {
  answer,
  createScenario,
  cutJournal,
  cutsOf,
  reply,
  replyOfAgent,
  type Scenario,
  type ScenarioOptions,
  work,
} from '../support/scenario.ts';

// As many runs as a run has entries.
vi.setConfig({testTimeout: 240_000, hookTimeout: 120_000});

interface World {
  readonly runtime: Runtime;
  /** Calls of models and runs of tools, up to now. */
  readonly count: () => number;
}

interface Scene {
  readonly open: (journal?: Journal) => World;
  readonly request?: string;
  readonly form?: 'agent' | 'ask';
  /** The part of a result that a crash does not change. */
  readonly essence: (result: RunResult) => object;
  /** A part of the essence of a run that is not killed. */
  readonly whole: (id: string) => object;
  /** The keys of the calls that must not be repeated, and their number. */
  readonly once?: readonly [keys: RegExp, count: number];
  /** The recorded entries as the resuming process finds them. */
  readonly altered?: (entry: Entry) => Entry;
}

function worldOf({runtime, performed}: Scenario): World {
  return {runtime, count: () => performed.models.length + performed.tools.length};
}

function votesIn({reviews}: RunResult) {
  return reviews?.map(({kind, title, verdict}) => ({kind, title, verdict}));
}

const onJournal = (journal?: Journal) => (journal ? {journal} : {});

/** The scenario's only tool that must not be repeated is `prove`, task d. */
const agent: Scene = {
  open: (journal) => worldOf(createScenario(onJournal(journal))),
  essence: (result) => {
    const {status, exitCode, tasks, denied, plan} = result;
    return {status, exitCode, tasks, denied, plan, votes: votesIn(result)};
  },
  whole: () => ({status: 'completed', exitCode: 0, denied: [{tool: 'change'}]}),
  once: [/\/task:d\/.*\/run#/, 1],
};

/** Every prompt quotes the request. */
const reworded: Scene = {
  ...agent,
  essence: ({status}) => ({status}),
  whole: () => ({status: 'completed'}),
  altered: (entry) =>
    entry.type === 'opened'
      ? {...entry, input: {...entry.input, request: 'Please see to the thing'}}
      : entry,
};

/** The first message to a model; its request names the interaction. */
function firstMessageTo({transcript}: ModelRequest): string {
  return transcript.messages[0]?.text ?? '';
}

const none = {key_points: [], agreements: [], disagreements: []};
const proving = {id: 'z', description: 'prove it', tool: 'prove', args: {what: 'it'}};

/** The root spawns a question, which spawns `third`, and runs `prove` afterwards. */
function planOf(request: ModelRequest): object {
  const isRoot = firstMessageTo(request).startsWith('# Request\nChange the thing');
  const asking = {id: 'q', description: 'ask', tool: 'spawn_ask', args: {request: 'How deep?'}};
  const changing = {id: 'a', description: 'change it', tool: 'change', args: {what: 'a little'}};
  const tasks = isRoot ? [asking, {...proving, depends_on: ['q']}] : [changing, proving];
  return {objective: isRoot ? 'Know it' : 'Change it', reasoning: '', tasks};
}

function talkOf(third: 'agent' | 'discuss') {
  return (request: ModelRequest): ModelOutcome => {
    const {purpose} = request;
    if (purpose === 'ask' && turnOf(request) === 0)
      return reply(`spawn_${third}`, {request: 'Change a little'});
    if (purpose === 'rank-answers') {
      const reviews = [{label: 'Response A', assessment: 'clear', score: 7}];
      return reply('rank_answers', {ranking: ['Response A'], reviews});
    }
    if (purpose === 'conclude')
      return reply('conclude', {conclusion: 'It is deep enough.', ...none});
    return /^(?:plan|evaluate|review)/.test(purpose)
      ? replyOfAgent(request, planOf(request))
      : answer(`so it is, says ${request.model}`);
  };
}

/** With a gate before each plan. */
function createTree(options: ScenarioOptions, journal?: Journal): Scenario {
  return createScenario({
    config: {
      agent: {confirm_execution: true},
      ask: {model: 'test/x'},
      discuss: {participants: ['test/y', 'test/z'], moderator: 'test/y'},
    },
    ...options,
    ...onJournal(journal),
  });
}

function treeDownTo(third: 'agent' | 'discuss'): Scene {
  return {
    open: (journal) => worldOf(createTree({work: talkOf(third)}, journal)),
    request: 'Change the thing a little, and prove it',
    essence: (result) => ({
      status: result.status,
      said: result.answer,
      tasks: result.tasks?.map(({id, status, output}) => ({id, status, output})),
      denied: result.denied,
      interactions: result.interactions,
      votes: votesIn(result),
    }),
    whole: (id) => ({
      status: 'completed',
      interactions: [
        {id: `${id}.1`, form: 'ask', parent: id, depth: 1, by: 'model', status: 'completed'},
        {id: `${id}.1.1`, form: third, parent: `${id}.1`, depth: 2, status: 'completed'},
      ],
    }),
    once: [/\/task:z\/.*\/run#/, third === 'agent' ? 2 : 1],
  };
}

const ruled: Scene = {
  open: (journal) =>
    worldOf(
      createScenario({
        ...onJournal(journal),
        config: {
          spawn: [
            {when: 'plan.rejected', form: 'ask', request: 'What do they want?'},
            {when: 'action.rejected', form: 'discuss', request: 'What would be less?'},
          ],
          ask: {model: 'test/worker'},
          discuss: {participants: ['test/x'], moderator: 'test/y'},
        },
        work: (request) => {
          const {purpose} = request;
          if (purpose === 'conclude') return reply('conclude', {conclusion: 'a little', ...none});
          return purpose === 'ask' || purpose === 'discuss' ? answer('a little') : work(request);
        },
      }),
    ),
  essence: ({status, interactions}) => ({status, interactions}),
  whole: () => ({
    status: 'completed',
    interactions: [
      {form: 'ask', by: 'rule', status: 'completed'},
      {form: 'discuss', by: 'rule', status: 'completed'},
    ],
  }),
  once: [/\/task:d\/.*\/run#/, 1],
};

const asked: Scene = {
  form: 'ask',
  request: 'How deep is it?',
  open: (journal) => {
    const {runtime, requests, probed} = createAsking({
      ...onJournal(journal),
      answer: (request) => {
        if (request.toolChoice === 'none') return answer('about 3 m');
        return turnOf(request) === 0 ? use('I look.', ['probe', {at: 'here'}]) : answer('3 m');
      },
      probe: () => ({kind: 'failed', code: 'io', message: 'the line is dead'}),
    });
    return {runtime, count: () => requests.length + probed.length};
  },
  essence: (result) => {
    const {usage: _, ...rest} = result;
    return rest;
  },
  whole: () => ({status: 'completed', stoppedReason: 'tool_failure_degraded'}),
};

/** Approves every question and answers each call in doubt with `retry`. Resolves with the number of retries. */
async function decide(run: Run): Promise<number> {
  let retries = 0;
  for await (const event of run.events) {
    if (event.type !== 'human.requested') continue;
    const isDoubt = event.question.kind === 'in-doubt';
    if (isDoubt) retries += 1;
    run.send({type: 'human.decided', gate: event.gate, decision: isDoubt ? 'retry' : 'approve'});
  }
  return retries;
}

interface Recorded {
  readonly id: string;
  readonly entries: readonly Entry[];
  readonly result: RunResult;
  readonly count: number;
}

async function record({open, form = 'agent', request = 'Change the thing'}: Scene) {
  const {runtime, count} = open();
  const run = runtime.start({form, request, workspace: import.meta.dirname});
  await decide(run);
  const entries = await runtime.entries(run.id);
  return {id: run.id, entries, result: await run.result, count: count()};
}

/** Model calls and tool runs whose outcomes the entries hold. */
function performedIn(entries: readonly Entry[]): number {
  return entries.filter(
    (entry) =>
      entry.type === 'settled' &&
      /\/(call|model|repair|run)#\d+$/.test(entry.key) &&
      !JSON.stringify(entry.outcome).includes('"cancelled"'),
  ).length;
}

/** The calls with such a key that have begun, or have an outcome. */
function countIn(entries: readonly Entry[], type: 'requested' | 'settled', keys: RegExp): number {
  return entries.filter((entry) => entry.type === type && keys.test(entry.key)).length;
}

/** A usual search tries every second one. */
const scenes: readonly (readonly [string, Scene])[] = [
  ['an agent', agent],
  ['an agent that was opened with differently worded prompts', reworded],
  ['an agent that waits for a question that waits for an agent', treeDownTo('agent')],
  ['an agent that waits for a question that waits for a discussion', treeDownTo('discuss')],
  ['an agent with rules that spawn interactions', ruled],
  ['a question whose tool fails', asked],
];

describe.each(sampled(scenes, 2))('%s', (_, scene) => {
  const {open, essence, whole, once: [keys, calls] = [/^$/, 0], altered} = scene;
  let recording: Promise<Recorded> | undefined;
  const recordOnce = async () => await (recording ??= record(scene));

  test('ends as its models reply', async () => {
    const recorded = await recordOnce();
    expect(essence(recorded.result)).toMatchObject(whole(recorded.id));
    expect(recorded.entries.length).toBeGreaterThan(6);
    expect(countIn(recorded.entries, 'settled', keys)).toBe(calls);
  });

  test('killed at any entry, it reaches the same end without repeating anything', async () => {
    const {id, entries, result, count} = await recordOnce();
    for (const cut of cutsOf(entries)) {
      const kept = entries.slice(0, cut);
      const world = open(cutJournal(id, altered ? kept.map(altered) : kept));
      const run = await world.runtime.resume(id);
      const retries = await decide(run);
      expect({cut, ...essence(await run.result)}).toEqual({cut, ...essence(result)});
      expect(world.count()).toBeLessThanOrEqual(count - performedIn(kept));
      expect(retries).toBe(countIn(kept, 'requested', keys) - countIn(kept, 'settled', keys));
    }
  });
});

test.each(['agent', 'discuss'] as const)(
  'an agent killed while it waits for a question and its %s waits again: only the interaction that it waits for continues',
  async (third) => {
    const {id, entries} = await record(treeDownTo(third));
    for (const child of ['root.1', 'root.1.1']) {
      const spawned = entries.findIndex(
        ({type, ...rest}) =>
          type === 'noted' &&
          JSON.stringify(rest).includes(`"interaction.spawned","child":"${child}"`),
      );
      const messages: string[] = [];
      const hanging = {
        work: (request: ModelRequest) => {
          messages.push(firstMessageTo(request));
          return new Promise<ModelOutcome>(() => {});
        },
      };
      const {runtime} = createTree(hanging, cutJournal(id, entries.slice(0, spawned + 1)));
      const run = await runtime.resume(id);
      await expect.poll(() => messages.length).toBeGreaterThan(0);
      const open = run.interactions().filter(({result}) => !result);
      expect(open.map((node) => node.id)).toEqual(
        [id, `${id}.1`, `${id}.1.1`].slice(0, child.split('.').length),
      );
      const own = child === 'root.1' ? 'How deep?' : 'Change a little';
      for (const text of messages) expect(text).toContain(own);
      await run.suspend('interrupted');
    }
  },
);
