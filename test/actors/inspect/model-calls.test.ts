/** The prompts that an inspector shows are those that were sent over the wire. */

import {mkdtempSync, rmSync} from 'node:fs';
import {createServer} from 'node:http';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {expect, onTestFinished, test} from 'vitest';

import {createMemoryJournal, createRuntime, type Journal} from '../../../actors/index.ts';
import {openRuntime, requests, speak} from '../../fixtures/journals/recorded-models.ts';
import {startMockOpenAi} from '../../support/mock-openai.ts';

interface Wire {
  readonly baseUrl: string;
  /** The bodies of all requests. */
  readonly bodies: readonly object[];
}

/** Records what passes on its way to the mock server. */
async function startWire(): Promise<Wire> {
  const mock = await startMockOpenAi(speak);
  const bodies: object[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(Buffer.from(part));
      const body = Buffer.concat(parts).toString();
      bodies.push(JSON.parse(body));
      const url = new URL(request.url ?? '', mock.baseUrl);
      const reply = await fetch(url, {method: 'POST', body});
      response.writeHead(reply.status, {'content-type': reply.headers.get('content-type') ?? ''});
      response.end(Buffer.from(await reply.arrayBuffer()));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await mock.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {baseUrl: `http://127.0.0.1:${port}/v1`, bodies};
}

async function recordedRun(wire: Wire, journal: Journal): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-prompts-'));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  const runtime = openRuntime(journal, wire.baseUrl);
  const run = runtime.agent(requests.contested, {
    workspace: folder,
    settings: {agent: {hil_mode: 'auto_reject'}},
  });
  await run.result;
  await runtime.close();
  return run.id;
}

const asText = (bodies: readonly unknown[]) =>
  bodies.map((body) => JSON.stringify(body)).toSorted();

test('each prompt is, byte by byte, the body that was sent, recomputed by another process', async () => {
  const journal = createMemoryJournal();
  const wire = await startWire();
  const id = await recordedRun(wire, journal);
  const later = openRuntime(journal, wire.baseUrl);
  const calls = await later.modelCalls(id);
  await later.close();
  expect(calls.length).toBeGreaterThan(5);
  expect(asText(calls.map(({body}) => body))).toEqual(asText(wire.bodies));
});

test('a call has its texts in the order in which the model reads them, its tools, its outcome, its usage', async () => {
  const journal = createMemoryJournal();
  const id = await recordedRun(await startWire(), journal);
  const runtime = createRuntime({journal});
  const calls = await runtime.modelCalls(id);
  const entries = await runtime.entries(id);
  await runtime.close();
  const ballot = calls.find(({purpose}) => purpose === 'review-plan');
  if (!ballot) throw new Error('no ballot was asked for');
  expect(ballot.prompt.map(({role}) => role)).toEqual(['system', 'user', 'tools']);
  expect(ballot.prompt.at(-1)?.name).toBe('cast_ballot');
  expect(ballot.outcome).toMatchObject({kind: 'ok', calls: [{name: 'cast_ballot'}]});
  expect(ballot.usage).toMatchObject({inputTokens: 10, outputTokens: 5});
  const settled = entries[ballot.settled ?? -1];
  expect(settled).toMatchObject({type: 'settled', key: ballot.key, ms: ballot.ms});
  expect(ballot.requested).toBeLessThan(ballot.settled ?? 0);
});

test('a model without a provider has a prompt, and no body', async () => {
  const runtime = createRuntime();
  const run = runtime.ask('How much is 6 * 7?');
  await run.result;
  const [call] = await runtime.modelCalls(run.id);
  await runtime.close();
  expect(call?.model).toBe('offline/offline');
  expect(call?.prompt.some(({text}) => text.includes('6 * 7'))).toBe(true);
  expect(call).not.toHaveProperty('body');
});
