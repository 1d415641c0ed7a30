/** Mastra: the same worker, the same tool, in an agent without memory. */

import {createOpenAICompatible} from '@ai-sdk/openai-compatible';
import {Agent} from '@mastra/core/agent';
import {createTool} from '@mastra/core/tools';
import {z} from 'zod';

import {wait} from './measure.mjs';

const tick = createTool({
  id: 'tick',
  description: 'Does nothing.',
  inputSchema: z.strictObject({turn: z.number()}),
  execute: async () => ({ok: true}),
});

const usage = {
  inputTokens: {total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0},
  outputTokens: {total: 1, text: 1, reasoning: 0},
};

function createWorker({turns, latencyMs, onCall}) {
  const said = async ({prompt}) => {
    onCall();
    await wait(latencyMs);
    const turn = prompt.filter(({role}) => role === 'assistant').length;
    return turn < turns ? called(turn) : answered;
  };
  return {
    specificationVersion: 'v4',
    provider: 'bench',
    modelId: 'worker',
    supportedUrls: {},
    doGenerate: async (options) => {
      const {content, finishReason} = await said(options);
      return {content, finishReason, usage, warnings: []};
    },
    doStream: async (options) => {
      const {parts, finishReason} = await said(options);
      return {
        stream: ReadableStream.from([
          {type: 'stream-start', warnings: []},
          ...parts,
          {type: 'finish', finishReason, usage},
        ]),
      };
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
  return {content: [call], parts: [call], finishReason: {unified: 'tool-calls', raw: 'tool_calls'}};
}

const answered = {
  content: [{type: 'text', text: 'counted'}],
  parts: [
    {type: 'text-start', id: 't'},
    {type: 'text-delta', id: 't', delta: 'counted'},
    {type: 'text-end', id: 't'},
  ],
  finishReason: {unified: 'stop', raw: 'stop'},
};

export function createWorld({turns, latencyMs = 0, url, onCall = () => {}}) {
  const model =
    url === undefined
      ? createWorker({turns, latencyMs, onCall})
      : createOpenAICompatible({name: 'mock', baseURL: `${url}/${turns}/v1`})('worker');
  const agent = new Agent({
    id: 'worker',
    name: 'worker',
    instructions: 'Count.',
    model,
    tools: {tick},
  });
  return {
    run: async () => {
      const {text} = await agent.generate('count', {maxSteps: turns + 1});
      if (text !== 'counted') throw new Error(`the peer's run ended with: ${text}`);
    },
  };
}
