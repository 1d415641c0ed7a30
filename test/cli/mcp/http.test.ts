import {StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import {describe, expect, it, onTestFinished} from 'vitest';

import {requests, settingsFor, speak} from '../../fixtures/journals/recorded-models.ts';
import {type MockOpenAi, startMockOpenAi} from '../../support/mock-openai.ts';
import {ownerToken} from '../../support/serving.ts';
import {setServer} from '../serve/stage.ts';
import {type ClientOptions, createClient} from './mcp-client.ts';

const contested = {name: 'plan', arguments: {task: requests.contested}};

let models: MockOpenAi;
let isHanging = false;

const {server: serving} = setServer(async () => {
  isHanging = false;
  models = await startMockOpenAi((received) => (isHanging ? 'hang' : speak(received)));
  onTestFinished(models.close);
  return {runtime: {config: settingsFor(models.baseUrl)}};
});

async function connect(options: ClientOptions = {}, token = ownerToken) {
  const client = createClient(options);
  const headers = {authorization: `Bearer ${token}`};
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${serving.url}/mcp`), {requestInit: {headers}}),
  );
  return {client, [Symbol.asyncDispose]: async () => await client.close()};
}

async function statuses(): Promise<readonly (string | undefined)[]> {
  return (await serving.journal.log.list()).map(({status}) => status);
}

describe('quorate serve, at /mcp', () => {
  it.for(['auto', 'legacy'] as const)('answers, with progress (%s)', async (mode) => {
    await using server = await connect({mode});
    const texts: (string | undefined)[] = [];
    const {structuredContent} = await server.client.callTool(
      {name: 'ask', arguments: {question: requests.question}},
      {onprogress: ({message}) => texts.push(message)},
    );
    expect(structuredContent).toMatchObject({status: 'completed'});
    expect(texts).toContain('▸ working');
  });

  it('has a person of the client decide, across requests', async () => {
    const messages: string[] = [];
    await using server = await connect({
      answer: ({message}) => {
        messages.push(message);
        return {action: 'accept', content: {decision: 'approve'}};
      },
    });
    const {structuredContent} = await server.client.callTool(contested);
    expect(structuredContent).toMatchObject({status: 'completed'});
    expect(messages).toEqual([expect.stringContaining('it needs a date')]);
  });

  it('returns the open question to a client without sessions, which can not be asked', async () => {
    await using server = await connect({mode: 'legacy', answer: () => ({action: 'cancel'})});
    const {structuredContent} = await server.client.callTool(contested);
    expect(structuredContent).toMatchObject({status: 'waiting', waiting: {kind: 'plan'}});
  });

  it('suspends the run of a client that has hung up', async () => {
    await using server = await connect();
    isHanging = true;
    const stop = new AbortController();
    const call = server.client.callTool(
      {name: 'ask', arguments: {question: requests.question}},
      {signal: stop.signal},
    );
    await expect.poll(() => models.received.length).toBe(1);
    stop.abort();
    await expect(call).rejects.toThrow('abort');
    await models.hangUp;
    expect(await statuses()).toEqual([undefined]);
  });

  it('is for the owner, of this machine only, by POST', async () => {
    const {ask} = serving;
    const body = {jsonrpc: '2.0', id: 1, method: 'tools/list', params: {}};
    expect(await ask('/mcp', {body})).toMatchObject({status: 401});
    expect(await ask('/mcp', {body, token: 'guessed'})).toMatchObject({status: 401});
    const foreign = {origin: 'https://example.com'};
    expect(await ask('/mcp', {body, token: ownerToken, headers: foreign})).toMatchObject({
      status: 403,
    });
    expect(await ask('/mcp', {token: ownerToken})).toMatchObject({status: 405});
    expect(await ask('/mcp', {token: ownerToken, method: 'DELETE'})).toMatchObject({status: 405});
    const headers = {accept: 'application/json, text/event-stream'};
    expect(await ask('/mcp', {token: ownerToken, headers, body: '{'})).toMatchObject({status: 400});
  });
});
