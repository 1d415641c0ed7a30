/** The adapters against a third-party mock server, in all three wire formats. */

import {LLMock} from '@copilotkit/aimock';
import {afterAll, beforeAll, describe, expect, test, vi} from 'vitest';

import type {ModelCallContext} from '../../../../actors/model/model.ts';
import {appendMessages, openTranscript} from '../../../../machines/prompts/transcript.ts';
import {plainRequest, testKey} from '../../../support/model-call.ts';
import {wires} from '../../../support/wires.ts';

const mock = new LLMock({port: 0});

const readFile = {
  name: 'read_file',
  description: 'Reads a file.',
  schema: {type: 'object', properties: {path: {type: 'string'}}, required: ['path']},
};

beforeAll(async () => {
  vi.stubEnv('AIMOCK_STRICT_TURN_INDEX', '1');
  mock.on({userMessage: 'greet', turnIndex: 0}, {content: 'Hello, 世界!'});
  mock.on(
    {userMessage: 'look', turnIndex: 0, toolName: 'read_file'},
    {toolCalls: [{id: 'call_look', name: 'read_file', arguments: '{"path":"a.txt"}'}]},
  );
  mock.on(
    {userMessage: 'look', turnIndex: 1, toolCallId: 'call_look'},
    {content: 'It says: content of a.'},
  );
  mock.on({userMessage: 'busy'}, {error: {message: 'Slow down'}, status: 429, retryAfter: 7});
  mock.on({userMessage: 'down'}, {error: {message: 'Overloaded'}, status: 529});
  mock.on({userMessage: 'long'}, {content: 'cut', finishReason: 'length'});
  await mock.start();
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await mock.stop();
});

function contextOf(deltas: string[] = []): ModelCallContext {
  const {signal} = new AbortController();
  return {tools: [readFile], signal, onDelta: (text) => void deltas.push(text)};
}

describe.each(wires)('$name', (wire) => {
  const model = (): ReturnType<typeof wire.create> =>
    wire.create({baseUrl: mock.url, apiKey: testKey});

  test('an answer streams', async () => {
    const deltas: string[] = [];
    const request = {...plainRequest, transcript: openTranscript('greet')};
    const outcome = await model().call(request, contextOf(deltas));
    expect(outcome).toMatchObject({kind: 'ok', text: 'Hello, 世界!', calls: []});
    expect(deltas.join('')).toBe('Hello, 世界!');
  });

  test('concurrent calls of one model each have their own text, failure and end', async () => {
    const one = model();
    const received: string[][] = [[], []];
    const ask = (text: string, deltas?: string[]) =>
      one.call({...plainRequest, transcript: openTranscript(text)}, contextOf(deltas));
    const cancelled = one.call(plainRequest, {...contextOf(), signal: AbortSignal.abort()});
    const outcomes = await Promise.all([
      ask('greet', received[0]),
      ask('busy'),
      ask('greet', received[1]),
      cancelled,
    ]);
    expect(outcomes.map(({kind}) => kind)).toEqual(['ok', 'rateLimited', 'ok', 'cancelled']);
    expect(received.map((pieces) => pieces.join(''))).toEqual(['Hello, 世界!', 'Hello, 世界!']);
  });

  test('a tool call is made, and its result leads to the answer', async () => {
    const request = {...plainRequest, transcript: openTranscript('look')};
    const first = await model().call(request, contextOf());
    const calls = [{id: 'call_look', name: 'read_file', args: {path: 'a.txt'}}];
    expect(first).toMatchObject({kind: 'ok', calls});

    const transcript = appendMessages(
      request.transcript,
      {role: 'assistant', text: '', calls},
      {
        role: 'tool',
        callId: 'call_look',
        name: 'read_file',
        text: 'content of a',
        isError: false,
      },
    );
    const second = await model().call({...request, transcript}, contextOf());
    expect(second).toMatchObject({kind: 'ok', text: 'It says: content of a.', calls: []});
  });

  test.each([
    ['busy', {kind: 'rateLimited', retryAfterMs: 7_000}],
    ['down', {kind: 'overloaded'}],
  ])('a model that is %s has its own kind of failure', async (message, expected) => {
    const request = {...plainRequest, transcript: openTranscript(message)};
    expect(await model().call(request, contextOf())).toMatchObject(expected);
  });
});

// The mock has no way to cut off a response of the Responses API.
test.each(wires.filter(({name}) => name !== 'responses'))(
  '$name: a reply that is cut off is recognized',
  async (wire) => {
    const model = wire.create({baseUrl: mock.url, apiKey: testKey});
    const request = {...plainRequest, transcript: openTranscript('long')};
    expect(await model.call(request, contextOf())).toMatchObject({kind: 'truncated'});
  },
);
