/** Interactions that models and rules spawn, over the wire: their context, their result, and their nesting to depth 3. */

import {existsSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterAll, beforeAll, describe, expect, test} from 'vitest';

import {type ConfigInput, createRuntime} from '../../actors/index.ts';
import type {Run, Runtime} from '../../actors/runtime-api.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {act, ballot, call, isBallot, isPlanBallot} from '../support/agent-models.ts';
import {isDeep} from '../support/depth.ts';
import {putManyFiles} from '../support/many-files.ts';
import {
  type MockOpenAi,
  type ReceivedRequest,
  type Said,
  startMockOpenAi,
} from '../support/mock-openai.ts';
import {
  follow,
  ofType,
  setWireStage,
  type WireStage,
  type WireStageOptions,
} from '../support/stage.ts';

type ChainForm = 'agent' | 'ask' | 'discuss';

/** The request of an interaction in a chain: the name of the chain, and the forms to begin below it. */
function chainRequest(name: string, below: readonly ChainForm[]): string {
  return `chain ${name}:${below.join('>')}.`;
}

interface Link {
  readonly name: string;
  readonly below: readonly ChainForm[];
}

function linkIn(text: string): Link {
  const [, name = '', forms = ''] = /chain (\w+):([\w>]*)\./.exec(text) ?? [];
  const below = forms.split('>').filter((form) => form !== '');
  return {
    name,
    below: below.map((form) => (form === 'agent' || form === 'ask' ? form : 'discuss')),
  };
}

/** The request of the interaction that a model works for. */
function askedOf({text}: ReceivedRequest): string {
  return /^# (?:Question|Request)\n(chain .*)$/m.exec(text)?.[1] ?? '';
}

interface Chains {
  readonly answer: (received: ReceivedRequest) => Said | Promise<Said>;
  /** Spawns, as a person, the interaction below a discussion. */
  readonly follow: (run: Run, event: ProgressEvent) => void;
}

function createChains(): Chains {
  /** By the request of a discussion: resolved once a person has spawned for it. */
  const begun = new Map<string, PromiseWithResolvers<Said>>();
  const beginning = (request: string) => {
    const known = begun.get(request) ?? Promise.withResolvers<Said>();
    begun.set(request, known);
    return known;
  };
  const meet = (run: Run, id: string, form: string, request: string): void => {
    if (form !== 'discuss') return;
    const {name, below} = linkIn(request);
    const [next, ...rest] = below;
    if (next !== undefined) {
      run.send({
        type: 'interaction.spawn',
        form: next,
        request: chainRequest(name, rest),
        parent: id,
      });
    }
    beginning(request).resolve({text: 'discussed'});
  };
  return {
    answer: (received) => {
      const asked = askedOf(received);
      const closes = /^# Results\n/m.test(received.text);
      if (received.tools.length > 0 || !asked || closes) return byTools(received, linkIn(asked));
      return beginning(asked).promise;
    },
    follow: (run, event) => {
      if (event.type === 'interaction.started') meet(run, run.id, event.form, event.request);
      if (event.type === 'interaction.spawned') meet(run, event.child, event.form, event.request);
    },
  };
}

function byTools(received: ReceivedRequest, {name, below}: Link): Said {
  const {tools, text, turn} = received;
  const [next, ...rest] = below;
  const spawn = {tool: `spawn_${next}`, args: {request: chainRequest(name, rest)}};
  if (isBallot(received)) return ballot('approve');
  if (tools.includes('create_plan')) {
    const task = {id: 'only', description: 'Report', ...(next === undefined ? {} : spawn)};
    const plan = {objective: 'Report it', reasoning: '', asks_for_change: false, tasks: [task]};
    return call('create_plan', plan);
  }
  if (tools.includes('evaluate_result')) {
    return call('evaluate_result', {successful: true, problems: []});
  }
  if (tools.includes('conclude')) {
    const conclusion = {conclusion: 'concluded', key_points: [], agreements: [], disagreements: []};
    return call('conclude', conclusion);
  }
  const isQuestion = /^# Question\n/m.test(text);
  if (isQuestion && turn === 0 && next !== undefined) return call(spawn.tool, spawn.args);
  return {text: isQuestion ? 'answered' : 'reported'};
}

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
function requestsOn({received}: WireStage, question: string): readonly ReceivedRequest[] {
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
  expect(requestsOn(stage, 'Write how deep').at(-1)?.text).toContain(
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
  expect(requestsOn(stage, 'How deep').at(-1)?.text).toMatch(/Not allowed\. .*keep the water/);
  expect(result).toMatchObject({
    status: 'completed',
    answer: '3 m',
    denied: [{tool: 'spawn_ask', summary: 'spawn_ask Drain it: how deep?'}],
  });
  expect(result.interactions).toBeUndefined();
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
  expect(requestsOn(stage, 'How deep').at(-1)?.text).toContain('[Ask Result]: 5 m');
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

const forms: readonly ChainForm[] = ['agent', 'ask', 'discuss'];

const chains = createChains();

let nestingFolder: string;

let server: MockOpenAi;

let runtime: Runtime;

interface Followed {
  readonly result: RunResult;
  /** The error of a spawn below the interaction at depth 3. */
  readonly refusal: unknown;
}

async function followChain(run: Run): Promise<Followed> {
  let refusal: unknown;
  for await (const event of run.events) {
    chains.follow(run, event);
    if (event.type === 'interaction.spawned' && event.depth === 3) {
      refusal = refusedBelow(run, event.child);
    }
  }
  return {result: await run.result, refusal};
}

function refusedBelow(run: Run, parent: string): unknown {
  try {
    run.send({type: 'interaction.spawn', form: 'ask', request: 'Deeper?', parent});
    return 'not refused';
  } catch (error) {
    return error;
  }
}

/** Chains of forms, by their places in the list: each form below each one at each depth; in a deep search, every chain. */
const nested = forms.flatMap((root, top) =>
  forms.flatMap((one, first) =>
    forms.flatMap((two, second) =>
      forms
        .filter(
          (_, third) => isDeep || (isSum(second, top + first) && isSum(third, first + second)),
        )
        .map((three) => [root, one, two, three] as const),
    ),
  ),
);

function isSum(place: number, sum: number): boolean {
  return place === sum % forms.length;
}

const results: Readonly<Record<ChainForm, string>> = {
  agent: '[Agent Result (completed)]: Report it',
  ask: '[Ask Result]: answered',
  discuss: '[Discuss Result (1 models)]: concluded',
};

/** The requests of models on behalf of the interaction with this request. */
function receivedFor(request: string): readonly ReceivedRequest[] {
  return server.received.filter((each) => askedOf(each) === request);
}

describe('interactions below interactions', () => {
  beforeAll(async () => {
    nestingFolder = mkdtempSync(join(tmpdir(), 'quorate-nesting-'));
    server = await startMockOpenAi(chains.answer);
    runtime = createRuntime({
      config: {
        agent: {
          exploration_model: 'mock/worker',
          decision_model: 'mock/worker',
          review_models: ['mock/reviewer'],
        },
        ask: {model: 'mock/worker'},
        providers: {mock: {kind: 'openai-compatible', base_url: server.baseUrl}},
      },
      env: {},
    });
  });

  afterAll(async () => {
    await runtime.close();
    await server.close();
    rmSync(nestingFolder, {recursive: true});
  });

  test.each(nested)(
    'below %s, %s, %s and %s are nested, and nothing below them',
    async (root, ...chain) => {
      const name = [root, ...chain].join('');
      const run = runtime.start({
        form: root,
        request: chainRequest(name, chain),
        workspace: nestingFolder,
      });
      const {result, refusal} = await followChain(run);

      expect(result.status).toBe('completed');
      expect(
        result.interactions?.map(({form, depth, parent, status}) => [form, depth, parent, status]),
      ).toEqual(
        chain.map((form, index) => [
          form,
          index + 1,
          `${run.id}${'.1'.repeat(index)}`,
          'completed',
        ]),
      );
      expect(refusal).toMatchObject({code: 'maxDepthExceeded'});
      const deepest = receivedFor(chainRequest(name, []));
      expect(
        deepest.filter(({text, tools}) => `${text} ${tools.join()}`.includes('spawn_')),
      ).toEqual([]);
      // A discussion does not wait: it reads results that arrive while it still has models to call.
      const waiting = [...chain.entries()].filter(
        ([index]) => [root, ...chain][index] !== 'discuss',
      );
      for (const [index, form] of waiting) {
        const received = receivedFor(chainRequest(name, chain.slice(index)));
        expect(received.map(({text}) => text).join('\n')).toContain(results[form]);
      }
    },
  );
});

/** Five revisions; the events of the spawned interactions. */
async function ruled(say: NonNullable<WireStageOptions['say']>, spawn: ConfigInput['spawn']) {
  const {start, received} = await setWireStage({
    say,
    config: {
      agent: {max_plan_revisions: 5, hil_mode: 'auto_reject'},
      quorum: {feedback_grace_ms: 1},
      spawn,
    },
  });
  const {result, events} = await follow(start('Write a note to note.txt'));
  return {result, received, spawned: ofType(events, 'interaction.spawned')};
}

/** Replies of all models that do not reject. */
function speak(received: ReceivedRequest): Said {
  if (received.model === 'asker') return {text: 'Ask for a shorter one.'};
  if (received.tools.includes('rank_answers')) {
    const reviews = ['Response A', 'Response B'].map((label) => ({
      label,
      assessment: 'clear',
      strengths: [],
      weaknesses: [],
      score: 5,
    }));
    return call('rank_answers', {ranking: ['Response A', 'Response B'], reviews});
  }
  if (received.tools.includes('conclude')) {
    const conclusion = 'The note wants a date.';
    return call('conclude', {conclusion, key_points: [], agreements: [], disagreements: []});
  }
  if (received.tools.length === 0) return {text: `A date, says ${received.model}.`};
  return isBallot(received) ? ballot('approve') : act(received);
}

/** Each reviewer rejects `times` proposals for which `isBad` is true. */
function rejecting(
  times: number,
  isBad: (received: ReceivedRequest) => boolean,
): (received: ReceivedRequest) => Said {
  const left = new Map<string, number>();
  return (received) => {
    const more = left.get(received.model) ?? times;
    if (!isBallot(received) || !isBad(received) || more === 0) return speak(received);
    left.set(received.model, more - 1);
    return ballot('reject', 'not yet');
  };
}

describe('over the wire', () => {
  test('two rejected plans spawn one discussion, whose conclusion the planner reads before its next plan', async () => {
    const {result, spawned, received} = await ruled(rejecting(4, isPlanBallot), [
      {when: 'plan.rejected:2', form: 'discuss', request: 'What is wrong with these plans?'},
    ]);
    expect(result).toMatchObject({
      status: 'completed',
      interactions: [
        {id: `${result.interaction}.1`, form: 'discuss', by: 'rule', status: 'completed'},
      ],
    });
    expect(spawned).toMatchObject([
      {
        form: 'discuss',
        by: 'rule',
        contextMode: 'full',
        request: 'What is wrong with these plans?',
      },
    ]);
    const conclusion = '[Discuss Result (3 models)]: The note wants a date.';
    const drafts = received.filter(({tools}) => tools.includes('create_plan'));
    const isRead = drafts.map(({text}) => text.includes(conclusion));
    expect(isRead).toEqual([false, false, true, true, true]);
  });
});
