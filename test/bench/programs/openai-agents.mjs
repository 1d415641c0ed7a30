/** The OpenAI Agents SDK: the same worker, the same tool. */

import {
  Agent,
  OpenAIChatCompletionsModel,
  run,
  setTracingDisabled,
  tool,
  Usage,
} from '@openai/agents';
import OpenAI from 'openai';
import {z} from 'zod';

import {wait} from './measure.mjs';

setTracingDisabled(true);

const tick = tool({
  name: 'tick',
  description: 'Does nothing.',
  parameters: z.strictObject({turn: z.number()}),
  execute: async () => 'ok',
});

function createWorker({turns, latencyMs, onCall}) {
  return {
    getResponse: async ({input}) => {
      onCall();
      await wait(latencyMs);
      const turn = Array.isArray(input)
        ? input.filter(({type}) => type === 'function_call').length
        : 0;
      return {usage: new Usage(), output: [turn < turns ? called(turn) : answered]};
    },
  };
}

function called(turn) {
  return {
    type: 'function_call',
    callId: `c${turn}`,
    name: 'tick',
    status: 'completed',
    arguments: JSON.stringify({turn}),
  };
}

const answered = {
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{type: 'output_text', text: 'counted'}],
};

export function createWorld({turns, latencyMs = 0, url, onCall = () => {}}) {
  const model =
    url === undefined
      ? createWorker({turns, latencyMs, onCall})
      : new OpenAIChatCompletionsModel(
          new OpenAI({apiKey: 'none', baseURL: `${url}/${turns}/v1`}),
          'worker',
        );
  const agent = new Agent({name: 'worker', instructions: '', model, tools: [tick]});
  return {
    run: async () => {
      const {finalOutput} = await run(agent, 'count', {maxTurns: turns + 2});
      if (finalOutput !== 'counted') throw new Error(`the peer's run ended with: ${finalOutput}`);
    },
  };
}
