/** The HTTP interface of the inspector, over the wire. */

import {existsSync} from 'node:fs';
import {request} from 'node:http';
import {join} from 'node:path';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {createMemoryJournal, createRuntime, type Run, type Runtime} from '../../../actors/index.ts';
import {silentLogger} from '../../../actors/logger.ts';
import {type Inspector, startInspector} from '../../../cli/inspect/inspector.ts';
import {createRunTraces, type RunTraces} from '../../../cli/inspect/run-traces.ts';
import type {Step} from '../../../machines/trace/step.ts';
import {type Answered, askAt, temporaryFolder} from '../../support/serving.ts';
import {listenTo} from '../../support/sse.ts';
import {TraceReader} from '../../support/traces.ts';

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

async function ask(path: string, body?: object): Promise<Answered> {
  const {token, url} = inspector;
  return await askAt(url)(`/v1/traces${path}`, body ? {token, body} : {token});
}

/** A run that waits at its gate. */
async function waiting(): Promise<Run> {
  const run = runtime.agent('Create a.txt with the text: hello', {workspace: place.folder});
  for await (const {type} of run.events) if (type === 'human.requested') break;
  return run;
}

interface Reading {
  readonly steps: Step[];
  readonly heads: Readonly<Record<string, unknown>>[];
  isReady: boolean;
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

const isReady = (reading: Reading) => reading.isReady;
const isIn = (state: string) => (reading: Reading) => reading.heads.at(-1)?.['state'] === state;
const hasClosed = ({steps}: Reading) => {
  const cause = steps.at(-1)?.cause;
  return cause?.kind === 'entry' && cause.entry.type === 'closed';
};

test('only the owner of the token has access, from this machine, and from no other site', async () => {
  const {url, token} = inspector;
  for (const path of ['', '/x', '/x/steps', '/x/calls', '/x/charts/quorum']) {
    const {status} = await askAt(url)(`/v1/traces${path}`, {token: `${token}x`});
    expect([path, status]).toEqual([path, 401]);
  }
  const elsewhere = {origin: 'https://example.com'};
  const body = {event: {type: 'user.cancel'}};
  for (const path of ['/x/events', '/x/fork', '/x/rewind']) {
    const {status} = await askAt(url)(`/v1/traces${path}`, {token, headers: elsewhere, body});
    expect([path, status]).toEqual([path, 403]);
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
  expect(heads.at(-1)).toMatchObject({
    id: run.id,
    state: 'waiting',
    isThisVersion: true,
    control: {isPossible: true},
  });
  expect(steps.map(({seq}) => seq)).toEqual((await runtime.entries(run.id)).map(({seq}) => seq));
  const {json: chart} = await ask(`/${run.id}/charts/human-gate`);
  expect(chart).toMatchObject({positions: {machine: 'human-gate'}, states: expect.any(Array)});
  expect((await ask(`/${run.id}/charts/nothing`)).status).toBe(404);
  expect((await ask('/nobody')).status).toBe(404);
  expect((await ask('/nobody/steps')).status).toBe(404);
});

test('a decision by its digest opens the gate, and a reader follows the run to its end', async () => {
  const run = await waiting();
  traces.adopt(run);
  const [gate] = run.gates();
  const digest = gate?.question.proposalHash.slice(0, 12);
  const wrong = await ask(`/${run.id}/events`, {
    event: {type: 'human.decided', digest: '000000000000', decision: 'approve'},
  });
  expect(wrong.status).toBe(409);
  const reading = follow(run.id, hasClosed);
  const event = {type: 'human.decided', gate: gate?.gate, digest, decision: 'approve'};
  expect((await ask(`/${run.id}/events`, {event})).status).toBe(200);
  const {steps} = await reading;
  expect((await run.result).status).toBe('completed');
  expect(steps.map(({seq}) => seq)).toEqual(steps.map((_, index) => index));
  expect(existsSync(join(place.folder, 'a.txt'))).toBe(true);
  const {entries} = await runtime.salvage(run.id);
  expect(entries.filter(({type}) => type === 'received')).toMatchObject([
    {event: {type: 'human.decided', decision: 'approve', by: 'person'}},
  ]);
});

test('a reader that comes back receives what it has not seen', async () => {
  const run = await waiting();
  const {steps} = await follow(run.id, isReady, {'last-event-id': '3'});
  expect(steps[0]?.seq).toBe(4);
});

test('an open run that no process has is continued when an event is sent to it', async () => {
  const run = await waiting();
  await run.suspend('waiting');
  const {json} = await ask(`/${run.id}`);
  expect(json).toMatchObject({state: 'waiting', control: {isPossible: true}});
  const event = {type: 'human.decided', decision: 'reject', reason: 'not now'};
  expect((await ask(`/${run.id}/events`, {event})).status).toBe(200);
  await follow(run.id, isIn('rejected'));
  expect(existsSync(join(place.folder, 'a.txt'))).toBe(false);
});

test('a run of another process is shown, cannot be controlled, and can be cancelled', async () => {
  const run = await waiting();
  const {json} = await ask(`/${run.id}`);
  expect(json).toMatchObject({control: {isPossible: false, why: 'elsewhere'}});
  const decision = {event: {type: 'human.decided', decision: 'approve'}};
  expect((await ask(`/${run.id}/events`, decision)).status).toBe(409);
  expect((await ask(`/${run.id}/events`, {event: {type: 'user.cancel'}})).status).toBe(200);
  expect((await run.result).status).toBe('cancelled');
});

test('a run is held before an effect, shown as held, and goes on when it is released', async () => {
  const run = await waiting();
  traces.adopt(run);
  const send = async (event: object) => await ask(`/${run.id}/events`, {event});
  expect((await send({type: 'breakpoints.changed', before: ['dance']})).status).toBe(400);
  expect((await send({type: 'run.released'})).status).toBe(409);
  expect((await send({type: 'breakpoints.changed', before: ['runTool']})).status).toBe(200);
  const held = follow(run.id, isIn('held'));
  await send({type: 'human.decided', decision: 'approve'});
  const {heads} = await held;
  expect(heads.at(-1)).toMatchObject({breakpoints: ['runTool']});
  expect(existsSync(join(place.folder, 'a.txt'))).toBe(false);
  await send({type: 'breakpoints.changed', before: []});
  await send({type: 'run.released'});
  expect((await run.result).status).toBe('completed');
});

test('a run is forked and rewound at the shown moment', async () => {
  const run = await waiting();
  run.send({type: 'human.decided', decision: 'approve'});
  await run.result;
  const entries = await runtime.entries(run.id);
  const asked = entries.findIndex(
    (entry) => entry.type === 'noted' && entry.note['type'] === 'human.requested',
  );
  const refused = await ask(`/${run.id}/fork`, {at: asked});
  expect(refused).toMatchObject({
    status: 400,
    json: {error: {message: expect.stringContaining('folder')}},
  });
  const dry = await ask(`/${run.id}/rewind`, {to: asked, dryRun: true});
  expect(dry.json).toEqual({files: [{path: 'a.txt', outcome: 'removed'}]});
  expect(existsSync(join(place.folder, 'a.txt'))).toBe(true);
  const {json} = await ask(`/${run.id}/rewind`, {to: asked, dryRun: false});
  expect(existsSync(join(place.folder, 'a.txt'))).toBe(false);
  const id = String(json['id']);
  expect((await ask(`/${id}`)).json).toMatchObject({origin: {id: run.id, seq: asked}});
  const {status, json: forked} = await ask(`/${id}/fork`, {at: asked, say: 'In lower case'});
  expect([status, forked]).toEqual([201, {id: expect.any(String)}]);
});

test('an event without a type, a fork without an entry, and an unknown member are refused', async () => {
  const run = await waiting();
  for (const [path, body] of [
    ['events', {event: {}}],
    ['events', {event: {type: 'x'}, more: 1}],
    ['fork', {}],
    ['fork', {at: -1}],
    ['rewind', {to: 1}],
  ] as const) {
    const {status, json} = await ask(`/${run.id}/${path}`, body);
    expect([path, status, json['error']]).toEqual([
      path,
      400,
      expect.objectContaining({code: 'malformed'}),
    ]);
  }
});

test('the page is served with a policy that lets it load and contact only its own server', async () => {
  const {url} = inspector;
  for (const path of ['/', '/page/icon.svg', '/page/style.css', '/page/main.js']) {
    const {status, headers} = await askAt(url)(path);
    expect([path, status]).toEqual([path, 200]);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    const again = await fetch(url + path, {headers: {'if-none-match': headers.get('etag') ?? ''}});
    expect(again.status).toBe(304);
  }
  expect((await askAt(url)('/page/../package.json')).status).toBe(404);
  expect((await askAt(url)('/page/nothing.js')).status).toBe(404);
});
