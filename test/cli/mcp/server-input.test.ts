/** A server that a run calls asks a person for values, and the client of `quorate mcp` asks its person for them. */

import {afterEach, beforeEach, expect, it} from 'vitest';

import {call} from '../../support/agent-models.ts';
import {useAskingServer} from '../../support/asking-server.ts';
import {createLauncher, type Launcher} from '../../support/launch.ts';
import {type MockOpenAi, startMockOpenAi} from '../../support/mock-openai.ts';
import {connectMcp, type Elicited, type Reply} from './mcp-client.ts';

const form = {
  message: 'How deep is it?',
  requestedSchema: {
    type: 'object',
    properties: {
      level: {type: 'integer', minimum: 1, maximum: 9},
      unit: {type: 'string', enum: ['m', 'ft'], default: 'm'},
      note: {type: 'string', description: 'Anything else', maxLength: 20},
      sides: {type: 'array', items: {type: 'string', enum: ['left', 'right']}},
      sure: {type: 'boolean'},
    },
    required: ['level'],
  },
};

let launcher: Launcher;
let models: MockOpenAi;

beforeEach(async () => {
  launcher = createLauncher();
  models = await startMockOpenAi(({turn, text}) =>
    turn === 0
      ? call('hand__ask', {questions: [form]})
      : {text: `It was said: ${/\{"action[^\n]*/.exec(text)?.[0] ?? 'nothing'}`},
  );
  useAskingServer(launcher, models);
});

afterEach(async () => {
  await models.close();
  launcher.remove();
});

async function asked(mode: 'auto' | 'legacy', reply: Reply) {
  const questions: Elicited[] = [];
  await using server = await connectMcp(launcher, {
    mode,
    answer: (elicited) => {
      questions.push(elicited);
      return reply;
    },
  });
  const {structuredContent} = await server.client.callTool({
    name: 'ask',
    arguments: {question: 'How deep is the pool?'},
  });
  return {questions, structuredContent};
}

it.for(['auto', 'legacy'] as const)('receives the values (%s)', async (mode) => {
  const content = {level: 3, unit: 'm', sides: ['left']};
  const {questions, structuredContent} = await asked(mode, {action: 'accept', content});
  expect(structuredContent).toMatchObject({
    status: 'completed',
    answer: `It was said: ${JSON.stringify({action: 'accept', content})}`,
  });
  expect(questions).toMatchObject([
    {
      message: expect.stringMatching(/The MCP server hand asks[^]*> How deep is it\?/),
      requestedSchema: {
        properties: {
          level: {type: 'integer', minimum: 1, maximum: 9},
          unit: {type: 'string', oneOf: [{const: 'm'}, {const: 'ft'}], default: 'm'},
          note: {type: 'string', description: 'Anything else', maxLength: 20},
          sides: {type: 'array', items: {anyOf: [{const: 'left'}, {const: 'right'}]}},
          sure: {type: 'boolean'},
        },
        required: ['level'],
      },
    },
  ]);
});

it('is told that the person declines', async () => {
  const {structuredContent} = await asked('auto', {action: 'decline'});
  expect(structuredContent).toMatchObject({
    status: 'completed',
    answer: 'It was said: {"action":"decline"}',
  });
});

it('waits after values that its form does not allow', async () => {
  const {structuredContent} = await asked('legacy', {action: 'accept', content: {level: 12}});
  expect(structuredContent).toMatchObject({status: 'waiting', waiting: {kind: 'server-input'}});
});
