/** One server and one model with several calls: at once, and in the order of a conversation with a tool. */

import {afterAll, beforeAll, describe, expect, test} from 'vitest';

import type {ModelCallContext} from '../../../../actors/model/model.ts';
import {appendMessages, openTranscript} from '../../../../machines/prompts/transcript.ts';
import {
  type FaultServer,
  replies,
  startFaultServer,
  streams,
} from '../../../support/fault-server.ts';
import {plainRequest, testKey} from '../../../support/model-call.ts';
import {wires} from '../../../support/wires.ts';

const readFile = {
  name: 'read_file',
  description: 'Reads a file.',
  schema: {type: 'object', properties: {path: {type: 'string'}}, required: ['path']},
};

function contextOf(deltas: string[] = []): ModelCallContext {
  const {signal} = new AbortController();
  return {tools: [readFile], signal, onDelta: (text) => void deltas.push(text)};
}

const look = {id: 'call_look', name: 'read_file', args: '{"path":"a.txt"}'};

describe.each(wires)('$name', (wire) => {
  let server: FaultServer;
  const model = (): ReturnType<typeof wire.create> =>
    wire.create({baseUrl: server.url, apiKey: testKey});

  beforeAll(async () => {
    server = await startFaultServer(async (response, request) => {
      const {body} = request;
      const isAnswered = body.includes('content of a');
      const reply = isAnswered ? {text: 'It says: content of a.'} : {calls: [look]};
      const play = body.includes('busy')
        ? replies(429, wire.errorBody('rate_limit_error', 'Slow down'), {'retry-after': '7'})
        : streams(wire.reply(body.includes('look') ? reply : {text: 'Hello, 世界!'}));
      await play(response, request);
    });
  });
  afterAll(async () => await server.stop());

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
    expect(server.received.at(-1)?.body).toContain('call_look');
  });
});
