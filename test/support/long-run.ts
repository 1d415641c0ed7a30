/** A long run: tasks in each of which a model calls a tool in 100 turns. A task has about 200 entries. */

import {z} from 'zod';

import {
  createFunctionModel,
  createMemoryJournal,
  createRuntime,
  type Runtime,
} from '../../actors/index.ts';
import type {ToolCall} from '../../machines/prompts/transcript.ts';
import {defineTool} from '../../tools/index.ts';

const turns = 100;

const usage = {inputTokens: 1, outputTokens: 1, cachedTokens: 0, costUsd: 0};

const tick = defineTool({
  name: 'tick',
  description: 'Does nothing.',
  parameters: z.strictObject({turn: z.number()}),
  risk: 'low',
  repeatability: 'repeatable',
  run: async () => await Promise.resolve({kind: 'succeeded', text: 'ok'}),
});

const planOf = (tasks: number) => ({
  objective: 'count',
  reasoning: 'to have a long run',
  tasks: Array.from({length: tasks}, (_, index) => ({id: `t${index}`, description: 'count'})),
});

const calling = (name: string, args: ToolCall['args']) =>
  ({kind: 'ok', text: '', usage, calls: [{id: 'c', name, args}]}) as const;

const counting = (tasks: number) =>
  createFunctionModel('long/worker', ({purpose, transcript: {messages}}) => {
    if (purpose === 'plan') return calling('create_plan', planOf(tasks));
    if (purpose === 'evaluate') return calling('evaluate_result', {successful: true, problems: []});
    const turn = messages.filter(({role}) => role === 'assistant').length;
    if (purpose !== 'explore' && turn < turns) return calling('tick', {turn});
    return {kind: 'ok', text: 'counted', usage, calls: []};
  });

/** Resolves when the run has completed. The caller closes the runtime. */
export async function longRun(
  tasks: number,
): Promise<{readonly runtime: Runtime; readonly id: string}> {
  const runtime = createRuntime({
    config: {
      agent: {
        exploration_model: 'long/worker',
        decision_model: 'long/worker',
        review_models: ['policy/safety'],
        max_tool_turns: turns + 1,
        max_parallel_tasks: 1,
      },
      limits: {max_model_calls: (turns + 1) * tasks + 10, timeout_ms: 2_000_000_000},
    },
    models: [counting(tasks)],
    tools: [tick],
    journal: createMemoryJournal(),
    env: {},
  });
  const run = runtime.start({form: 'agent', request: 'count', workspace: '.'});
  const {status, summary} = await run.result;
  if (status !== 'completed') throw new Error(`the run ${status}: ${summary}`);
  return {runtime, id: run.id};
}
