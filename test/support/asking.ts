/** Questions to function models, with tools that fail on request. */

import {z} from 'zod';

import {
  type ConfigInput,
  createFunctionModel,
  createMemoryJournal,
  createRuntime,
  type Journal,
  type Runtime,
} from '../../actors/index.ts';
import {asJson} from '../../machines/domain/json.ts';
import type {ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import type {ToolOutcome} from '../../machines/domain/tool.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {type AnyTool, defineTool} from '../../tools/index.ts';

const usage = {inputTokens: 10, outputTokens: 5, cachedTokens: 0, costUsd: 0.001};

export function say(text: string): ModelOutcome {
  return {kind: 'ok', text, usage, calls: []};
}

/** A thought and calls; each is `[tool, args]`. */
export function use(
  thought: string,
  ...calls: readonly (readonly [string, object])[]
): ModelOutcome {
  return {
    kind: 'ok',
    text: thought,
    usage,
    calls: calls.map(([name, args], index) => ({id: `c${index}`, name, args: asJson(args)})),
  };
}

/** How many replies the model has given in this conversation. */
export function turnOf({transcript}: ModelRequest): number {
  return transcript.messages.filter(({role}) => role === 'assistant').length;
}

export function lastText({transcript}: ModelRequest): string {
  return transcript.messages.at(-1)?.text ?? '';
}

export interface Asking {
  readonly runtime: Runtime;
  readonly journal: Journal;
  readonly requests: ModelRequest[];
  /** Arguments of the counting tool `probe`, in order. */
  readonly probed: string[];
  readonly ask: (question?: string) => Promise<{result: RunResult; events: ProgressEvent[]}>;
}

export interface AskingOptions {
  readonly answer: (request: ModelRequest) => ModelOutcome | Promise<ModelOutcome>;
  /** The outcome of the tool `probe`, by how often it has run before. */
  readonly probe?: (times: number) => ToolOutcome;
  readonly tools?: readonly AnyTool[];
  readonly config?: ConfigInput;
  readonly journal?: Journal;
  readonly workspace?: string;
}

export function createAsking(options: AskingOptions): Asking {
  const requests: ModelRequest[] = [];
  const probed: string[] = [];
  const journal = options.journal ?? createMemoryJournal();
  const probe = defineTool({
    name: 'probe',
    description: 'Probes.',
    parameters: z.strictObject({at: z.string()}),
    risk: 'low',
    repeatability: 'repeatable',
    run: async ({at}): Promise<ToolOutcome> => {
      probed.push(at);
      const outcome = options.probe?.(probed.length - 1);
      return await Promise.resolve(outcome ?? {kind: 'succeeded', text: `probed ${at}`});
    },
  });
  const runtime = createRuntime({
    config: {...options.config, ask: {model: 'test/asker', ...options.config?.ask}},
    models: [
      createFunctionModel('test/asker', (request) => {
        requests.push(request);
        return options.answer(request);
      }),
    ],
    tools: [probe, ...(options.tools ?? [])],
    journal,
    env: {},
  });
  return {
    runtime,
    journal,
    requests,
    probed,
    ask: async (question = 'How deep is it?') => {
      const run = runtime.ask(question, {workspace: options.workspace ?? import.meta.dirname});
      const events: ProgressEvent[] = [];
      for await (const event of run.events) events.push(event);
      return {result: await run.result, events};
    },
  };
}
