/** Questions to function models, with tools that fail on request. */

import {z} from 'zod';

import {asJson} from '../../machines/domain/json.ts';
import type {ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import type {ToolOutcome} from '../../machines/domain/tool.ts';
import {defineTool} from '../../tools/index.ts';
import {follow, type Followed, setStage, type Stage, type StageOptions} from './stage.ts';

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

export interface AskingOptions extends Pick<StageOptions, 'config' | 'journal' | 'tools'> {
  readonly answer: (request: ModelRequest) => ModelOutcome | Promise<ModelOutcome>;
  /** The outcome of the tool `probe`, by how often it has run before. */
  readonly probe?: (times: number) => ToolOutcome;
  readonly workspace?: string;
}

export interface Asking extends Stage {
  /** Arguments of the counting tool `probe`, in order. */
  readonly probed: string[];
  readonly ask: (question?: string) => Promise<Followed>;
}

export function createAsking(options: AskingOptions): Asking {
  const {answer, probe: outcomeOf, tools = [], config, workspace, ...more} = options;
  const probed: string[] = [];
  const probe = defineTool({
    name: 'probe',
    description: 'Probes.',
    parameters: z.strictObject({at: z.string()}),
    risk: 'low',
    repeatability: 'repeatable',
    run: async ({at}): Promise<ToolOutcome> => {
      probed.push(at);
      const outcome = outcomeOf?.(probed.length - 1);
      return await Promise.resolve(outcome ?? {kind: 'succeeded', text: `probed ${at}`});
    },
  });
  const stage = setStage({
    ...more,
    folder: workspace ?? import.meta.dirname,
    say: answer,
    config: {...config, agent: {hil_mode: 'interactive', ...config?.agent}},
    tools: [probe, ...tools],
  });
  const ask = async (question = 'How deep is it?') =>
    await follow(stage.start(question, {form: 'ask'}));
  return {...stage, probed, ask};
}
