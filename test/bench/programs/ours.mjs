/** A run of the agent form whose worker calls a tool in each of its turns. Only what the package exports. */

import {createFunctionModel, createMemoryJournal, createRuntime} from 'quorate';
import {defineTool} from 'quorate/tools';
import {z} from 'zod';

import {wait} from './measure.mjs';

const usage = {inputTokens: 1, outputTokens: 1, cachedTokens: 0, costUsd: 0};

function reply(calls, text = '') {
  return {
    kind: 'ok',
    text,
    usage,
    calls: calls.map(([name, args], index) => ({id: `c${index}`, name, args})),
  };
}

const tick = defineTool({
  name: 'tick',
  description: 'Does nothing.',
  parameters: z.strictObject({turn: z.number()}),
  risk: 'low',
  repeatability: 'repeatable',
  run: async () => ({kind: 'succeeded', text: 'ok'}),
});

/** Plans one task, calls the tool in `turns` turns, then answers. */
function createWorker({turns, latencyMs, seatsMs, onCall}) {
  return async ({purpose, model, transcript}) => {
    onCall();
    await wait(seatsMs[model] ?? latencyMs);
    if (purpose === 'plan') return reply([['create_plan', plan]]);
    if (purpose === 'evaluate')
      return reply([['evaluate_result', {successful: true, problems: []}]]);
    if (purpose === 'explore') return reply([], 'nothing to know');
    if (purpose.startsWith('review')) return reply([['cast_ballot', approval]]);
    // A long conversation loses its oldest messages.
    const last = transcript.messages.findLast(({role}) => role === 'assistant');
    const turn = last === undefined ? 0 : last.calls[0].args.turn + 1;
    return turn < turns ? reply([['tick', {turn}]]) : reply([], 'counted');
  };
}

const approval = {verdict: 'approve', reasons: ['it counts'], confidence: 1};

const plan = {
  objective: 'count',
  reasoning: 'to measure',
  tasks: [{id: 't0', description: 'count'}],
};

/** `url`: the worker is asked over HTTP, as a Chat Completions server. `seats`: models that vote on the plan. */
export function createWorld({
  turns,
  seats = 0,
  latencyMs = 0,
  journal = createMemoryJournal(),
  url,
  agent = {},
  seatsMs = {},
  onCall = () => {},
}) {
  const worker = url === undefined ? 'bench/worker' : 'mock/worker';
  const names = Array.from({length: seats}, (_, index) => `bench/seat-${index}`);
  const work = createWorker({turns, latencyMs, seatsMs, onCall});
  const runtime = createRuntime({
    config: {
      agent: {
        exploration_model: worker,
        decision_model: worker,
        review_models: seats === 0 ? ['policy/safety'] : names,
        max_tool_turns: turns + 1,
        max_parallel_tasks: 1,
        ...agent,
      },
      limits: {max_model_calls: turns + 11, timeout_ms: 2_000_000_000},
      ...(url === undefined
        ? {}
        : {providers: {mock: {kind: 'openai-compatible', base_url: `${url}/${turns}/v1`}}}),
    },
    models: ['bench/worker', ...names].map((name) => createFunctionModel(name, work)),
    tools: [tick],
    journal,
    env: {},
  });
  return {
    runtime,
    /** Resolves with the id of a run that has completed. */
    run: async () => {
      const run = runtime.start({form: 'agent', request: 'count', workspace: '.'});
      const {status, summary} = await run.result;
      if (status !== 'completed') throw new Error(`the run ${status}: ${summary}`);
      return run.id;
    },
  };
}

/** An agent whose plan reviewers answer after these times: from the start of the run until they have decided. */
export function createPanel(latenciesMs) {
  const seatsMs = Object.fromEntries(latenciesMs.map((ms, seat) => [`bench/seat-${seat}`, ms]));
  return async () => {
    const {runtime} = createWorld({turns: 0, seats: latenciesMs.length, seatsMs});
    const run = runtime.start({form: 'agent', request: 'count', workspace: '.'});
    for await (const {type} of run.events) if (type === 'quorum.decided') return;
  };
}

/** Runs that wait for a person at a gate. `suspends`: they are left to the journal. */
export function createWaiting({journal, suspends}) {
  const {runtime} = createWorld({turns: 1, journal, agent: {confirm_execution: true}});
  const open = [];
  return async () => {
    const run = runtime.start({form: 'agent', request: 'count', workspace: '.'});
    for await (const {type} of run.events) if (type === 'human.requested') break;
    if (suspends) await run.suspend('waiting');
    else open.push(run);
  };
}

/** The entries of a run that has ended as a journal takes them, without the last two: the run is open again. */
export function cut(interaction, entries) {
  return entries.slice(0, -2).map((entry) => {
    const {seq: _, at, hash: __, ...body} = entry;
    return {interaction, bodies: [body], at};
  });
}
