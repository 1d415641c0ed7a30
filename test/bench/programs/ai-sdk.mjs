/** The AI SDK: the same worker, the same tool, in its own loop of tool calls. */

import {createOpenAICompatible} from '@ai-sdk/openai-compatible';
import {generateText, isStepCount, tool} from 'ai';
import {z} from 'zod';

import {wait} from './measure.mjs';

const usage = {
  inputTokens: {total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0},
  outputTokens: {total: 1, text: 1, reasoning: 0},
};

const tools = {
  tick: tool({
    description: 'Does nothing.',
    inputSchema: z.strictObject({turn: z.number()}),
    execute: async () => 'ok',
  }),
};

function createWorker({turns, latencyMs, onCall}) {
  return {
    specificationVersion: 'v4',
    provider: 'bench',
    modelId: 'worker',
    supportedUrls: {},
    doGenerate: async ({prompt}) => {
      onCall();
      await wait(latencyMs);
      const last = prompt.findLast(({role}) => role === 'assistant');
      const turn = last === undefined ? 0 : last.content[0].input.turn + 1;
      return turn < turns ? called(turn) : answered();
    },
  };
}

function called(turn) {
  const call = {
    type: 'tool-call',
    toolCallId: `c${turn}`,
    toolName: 'tick',
    input: JSON.stringify({turn}),
  };
  const finishReason = {unified: 'tool-calls', raw: 'tool_calls'};
  return {content: [call], finishReason, usage, warnings: []};
}

function answered() {
  const finishReason = {unified: 'stop', raw: 'stop'};
  return {content: [{type: 'text', text: 'counted'}], finishReason, usage, warnings: []};
}

/**
 * `url`: the worker is asked over HTTP, as a Chat Completions server. `messages`: the run continues after them. `onStep` is
 * called with the new messages of each step.
 */
export function createWorld({turns, latencyMs = 0, url, messages = [], onCall = () => {}, onStep}) {
  const model =
    url === undefined
      ? createWorker({turns, latencyMs, onCall})
      : createOpenAICompatible({name: 'mock', baseURL: `${url}/${turns}/v1`})('worker');
  return {
    run: async () => {
      const {text} = await generateText({
        model,
        tools,
        stopWhen: isStepCount(turns + 1),
        messages: [{role: 'user', content: 'count'}, ...messages],
        onStepEnd: ({response}) => onStep?.(response.messages),
      });
      if (text !== 'counted') throw new Error(`the peer's run ended with: ${text}`);
    },
  };
}

/** Reviewers that answer after these times, all awaited: the SDK has no panel. */
export function createPanel(latenciesMs) {
  const models = latenciesMs.map((latencyMs) =>
    createWorker({turns: 0, latencyMs, onCall: () => {}}),
  );
  return async () => {
    await Promise.all(models.map(async (model) => await generateText({model, prompt: 'approve?'})));
  };
}

/** Runs that wait for a person: the program keeps their messages. */
export function createWaiting() {
  const guarded = {tick: tool({...tools.tick, needsApproval: true})};
  const model = createWorker({turns: 1, onCall: () => {}});
  const waiting = [];
  return async () => {
    const messages = [{role: 'user', content: 'count'}];
    const {content, response} = await generateText({model, tools: guarded, messages});
    if (!content.some(({type}) => type === 'tool-approval-request'))
      throw new Error('the call does not wait');
    waiting.push([...messages, ...response.messages]);
  };
}
