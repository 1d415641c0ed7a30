/** The HTTP interface of the inspector, over the wire, also for a run that is erased or damaged meanwhile. */

import {mkdtempSync, rmSync} from 'node:fs';
import {request} from 'node:http';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {afterEach, beforeEach, describe, expect, onTestFinished, test} from 'vitest';

import {
  type Run,
  type Runtime,
  createMemoryJournal,
  createRuntime,
  createSqliteJournal,
} from '../../../actors/index.ts';
import {silentLogger} from '../../../actors/logger.ts';
import {eraseRun} from '../../../actors/sessions/erase.ts';
import {type Inspector, startInspector} from '../../../cli/inspect/inspector.ts';
import {type RunTraces, createRunTraces} from '../../../cli/inspect/run-traces.ts';
import type {Step} from '../../../machines/trace/step.ts';
import {type Answered, askAt, temporaryFolder} from '../../support/serving.ts';
import {type StreamEvent, listenTo} from '../../support/sse.ts';
import {TraceReader} from '../../support/traces.ts';

interface Reading {
  readonly steps: Step[];
  readonly heads: Readonly<Record<string, unknown>>[];
  isReady: boolean;
}

const isReady = (reading: Reading) => reading.isReady;

const hasClosed = ({steps}: Reading) => {
  const cause = steps.at(-1)?.cause;
  return cause?.kind === 'entry' && cause.entry.type === 'closed';
};

describe('the HTTP interface', () => {
  let place: ReturnType<typeof temporaryFolder>;

  let runtime: Runtime;

  let traces: RunTraces;

  let inspector: Inspector;

  beforeEach(async () => {
    place = temporaryFolder();
    const journal = createMemoryJournal();
    runtime = createRuntime({journal, config: {agent: {confirm_execution: true}}});
    traces = createRunTraces(runtime);
    inspector = await startInspector({traces, port: 0, logger: silentLogger});
  });

  afterEach(async () => {
    await inspector.close();
    await runtime.close();
    place.remove();
  });

  async function ask(path: string): Promise<Answered> {
    const {token, url} = inspector;
    return await askAt(url)(`/v1/traces${path}`, {token});
  }

  /** A run that waits at its gate. */
  async function waiting(): Promise<Run> {
    const run = runtime.agent('Create a.txt with the text: hello', {workspace: place.folder});
    for await (const {type} of run.events) if (type === 'human.requested') break;
    return run;
  }

  /** Reads a trace until `isEnough`. */
  async function follow(
    id: string,
    isEnough: (reading: Reading) => boolean,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Reading> {
    const url = `${inspector.url}/v1/traces/${id}/steps`;
    const {events, leave} = await listenTo(url, inspector.token, headers);
    const reader = new TraceReader();
    const reading: Reading = {steps: [], heads: [], isReady: false};
    for await (const {event, data} of events) {
      if (event === 'head') reading.heads.push(data);
      if (event === 'ready') reading.isReady = true;
      if (event === 'steps') reading.steps.push(...reader.read(data).steps);
      if (isEnough(reading)) break;
    }
    leave();
    return reading;
  }

  test('only the owner of the token has access, from this machine, and changes nothing', async () => {
    const {url, token} = inspector;
    for (const path of ['', '/x', '/x/steps', '/x/calls', '/x/charts/quorum']) {
      const {status} = await askAt(url)(`/v1/traces${path}`, {token: `${token}x`});
      expect([path, status]).toEqual([path, 401]);
    }
    for (const path of ['/x/events', '/x/fork', '/x/rewind']) {
      const {status} = await askAt(url)(`/v1/traces${path}`, {token, body: {}});
      expect([path, status]).toEqual([path, 404]);
    }
    const {promise, resolve} = Promise.withResolvers<number | undefined>();
    request(`${url}/`, {headers: {host: 'example.com'}}, (reply) => {
      reply.resume();
      resolve(reply.statusCode);
    }).end();
    expect(await promise).toBe(403);
  });

  test('a run is listed, and its trace has its head, its steps and its charts', async () => {
    const run = await waiting();
    traces.adopt(run);
    const {json} = await ask('');
    expect(json['traces']).toMatchObject([
      {id: run.id, kind: 'run', form: 'agent', state: 'running'},
    ]);
    const {steps, heads} = await follow(run.id, isReady);
    expect(heads.at(-1)).toMatchObject({id: run.id, state: 'waiting', isThisVersion: true});
    expect(steps.map(({seq}) => seq)).toEqual((await runtime.entries(run.id)).map(({seq}) => seq));
    const {json: chart} = await ask(`/${run.id}/charts/human-gate`);
    expect(chart).toMatchObject({positions: {machine: 'human-gate'}, states: expect.any(Array)});
    expect((await ask(`/${run.id}/charts/nothing`)).status).toBe(404);
    expect((await ask('/nobody')).status).toBe(404);
    expect((await ask('/nobody/steps')).status).toBe(404);
  });

  test('a reader follows the run to its end', async () => {
    const run = await waiting();
    const reading = follow(run.id, hasClosed);
    run.send({type: 'human.decided', decision: 'approve'});
    const {steps} = await reading;
    expect((await run.result).status).toBe('completed');
    expect(steps.map(({seq}) => seq)).toEqual(steps.map((_, index) => index));
  });

  test('a reader that comes back receives what it has not seen', async () => {
    const run = await waiting();
    const {steps} = await follow(run.id, isReady, {'last-event-id': '3'});
    expect(steps[0]?.seq).toBe(4);
  });

  test('the page is served with a policy that lets it load and contact only its own server', async () => {
    const {url} = inspector;
    for (const path of ['/', '/page/icon.svg', '/page/style.css', '/page/main.js']) {
      const {status, headers} = await askAt(url)(path);
      expect([path, status]).toEqual([path, 200]);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      const again = await fetch(url + path, {
        headers: {'if-none-match': headers.get('etag') ?? ''},
      });
      expect(again.status).toBe(304);
    }
    expect((await askAt(url)('/page/../package.json')).status).toBe(404);
    expect((await askAt(url)('/page/nothing.js')).status).toBe(404);
  });
});

/** A suspended run in a file, and a reader that has all of its steps. */
async function followSuspended() {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-lost-'));
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  const file = join(folder, 'journal.db');
  const journal = createSqliteJournal(file);
  onTestFinished(async () => await journal.close());
  const runtime = createRuntime({journal, env: {}, config: {agent: {confirm_execution: true}}});
  onTestFinished(runtime.close);
  const run = runtime.agent('Create a.txt with the text: hello', {workspace: folder});
  for await (const {type} of run.events) if (type === 'human.requested') break;
  await run.suspend('waiting');
  const traces = createRunTraces(runtime);
  const inspector = await startInspector({traces, port: 0, logger: silentLogger});
  onTestFinished(inspector.close);
  const {url, token} = inspector;
  const {events} = await listenTo(`${url}/v1/traces/${run.id}/steps`, token);
  for (;;) {
    const {value} = await events.next();
    if (value?.event === 'ready') break;
  }
  const head = async () => await askAt(url)(`/v1/traces/${run.id}`, {token});
  return {id: run.id, file, journal, events, head};
}

/** Rejects when the connection is broken off. */
async function rest(events: AsyncGenerator<StreamEvent>): Promise<StreamEvent[]> {
  const received: StreamEvent[] = [];
  for await (const event of events) received.push(event);
  return received;
}

test('the stream of a run that is erased ends, and a new connection is told why', async () => {
  const {id, journal, events, head} = await followSuspended();
  await eraseRun(id, journal);
  expect(await rest(events)).toEqual([]);
  expect(await head()).toMatchObject({status: 404, json: {error: {code: 'not_found'}}});
});

test('the stream of a run that is damaged ends with its next entry, and a new connection is told why', async () => {
  const {id, file, events, head} = await followSuspended();
  const database = new DatabaseSync(file);
  database.exec(`UPDATE entries SET body = body || ' ' WHERE seq = 2`);
  database.exec(`UPDATE interactions SET entries = entries + 1 WHERE id = '${id}'`);
  database.close();
  expect((await rest(events)).filter(({event}) => event === 'steps')).toEqual([]);
  expect(await head()).toMatchObject({status: 503, json: {error: {code: 'journal_corrupt'}}});
});
