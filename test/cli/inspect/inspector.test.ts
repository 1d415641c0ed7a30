/** The HTTP interface of the inspector, over the wire: runs, also erased or damaged meanwhile, and programs of a user, which it does not disturb. */

import {mkdtempSync, rmSync, cpSync, writeFileSync} from 'node:fs';
import {request} from 'node:http';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {pathToFileURL} from 'node:url';

import {execa} from 'execa';
import {afterEach, beforeEach, describe, expect, onTestFinished, test} from 'vitest';
import {type AnyActorLogic, assign, createActor, createMachine, fromPromise, setup} from 'xstate';

import {
  type Run,
  type Runtime,
  createMemoryJournal,
  createRuntime,
  createSqliteJournal,
  type TraceBatch,
} from '../../../actors/index.ts';
import {silentLogger} from '../../../actors/logger.ts';
import {eraseRun} from '../../../actors/sessions/retention.ts';
import {inspect} from '../../../cli/inspect/index.ts';
import {type Inspector, startInspector} from '../../../cli/inspect/inspector.ts';
import {ProgramTrace} from '../../../cli/inspect/program-trace.ts';
import type {Chart} from '../../../cli/inspect/replies.ts';
import {type RunTraces, createRunTraces} from '../../../cli/inspect/run-traces.ts';
import {Moments} from '../../../machines/trace/moments.ts';
import type {Step, ActorState} from '../../../machines/trace/step.ts';
import {type Answered, askAt, temporaryFolder, type Ask} from '../../support/serving.ts';
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
    const {promise, resolve: found} = Promise.withResolvers<number | undefined>();
    request(`${url}/`, {headers: {host: 'example.com'}}, (reply) => {
      reply.resume();
      found(reply.statusCode);
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
  await eraseRun(id, {journal, host: journal.host});
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

const walk = createMachine({
  id: 'walk',
  initial: 'waiting',
  states: {waiting: {on: {GO: 'walking'}}, walking: {type: 'final'}},
});

const light = setup({
  actors: {walk, load: fromPromise(async () => await Promise.resolve(42))},
}).createMachine({
  id: 'light',
  context: ({self}) => ({count: 0, self, since: new Date(0), run: () => {}}),
  initial: 'red',
  states: {
    red: {
      on: {
        NEXT: {
          target: 'green',
          actions: assign({count: ({context}) => Number(context['count']) + 1}),
        },
      },
    },
    green: {invoke: {src: 'load', id: 'load', onDone: 'yellow'}},
    yellow: {invoke: {src: 'walk', id: 'walk', onDone: 'red'}},
  },
});

async function openInspector() {
  const inspector = inspect({onAddress: () => {}});
  onTestFinished(inspector.close);
  const [url = '', token = ''] = (await inspector.address).split('/#token=');
  const ask: Ask = async (path, sent) => await askAt(url)(`/v1/traces${path}`, {token, ...sent});
  /** The moments of a trace and its gaps, until `isEnough`, or until its present. */
  const read = async (id: string, isEnough?: (moments: Moments) => boolean) => {
    const {events, leave} = await listenTo(`${url}/v1/traces/${id}/steps`, token);
    const [moments, reader] = [new Moments(), new TraceReader()];
    const gaps: unknown[] = [];
    for await (const {event, data} of events) {
      if (event === 'ready' && !isEnough) break;
      if (event !== 'steps') continue;
      const batch = reader.read(data);
      moments.add(batch.steps);
      gaps.push(...batch.gaps);
      if (isEnough?.(moments) === true) break;
    }
    leave();
    return {moments, gaps};
  };
  /** The root actor of a trace at its present. */
  const root = async (id: string): Promise<ActorState | undefined> => {
    const actors = now((await read(id)).moments);
    return [...actors.values()].find(({parent}) => parent === undefined);
  };
  return {inspector, ask, read, root};
}

const now = (moments: Moments) => moments.at(moments.steps.length - 1).actors;

test('the actors of a program are shown with states and contexts', async () => {
  const {inspector, ask, read} = await openInspector();
  const actor = createActor(light, {id: 'crossing', inspect: inspector}).start();
  onTestFinished(() => void actor.stop());
  expect((await ask('')).json['traces']).toMatchObject([
    {id: '1', kind: 'program', form: 'light', title: 'crossing', state: 'running'},
  ]);
  actor.send({type: 'NEXT'});
  const {moments} = await read('1', (each) => now(each).has('crossing/walk'));
  expect(now(moments).get('crossing')).toEqual({
    path: 'crossing',
    machine: 'light',
    logic: 'light',
    status: 'active',
    state: 'yellow',
    context: {
      count: 1,
      self: '[actor crossing]',
      since: '1970-01-01T00:00:00.000Z',
      run: '[function]',
    },
    last: {
      event: 'xstate.done.actor.load',
      transitions: ['light.green xstate.done.actor.load → yellow'],
    },
  });
  expect(moments.at(0).actors.get('crossing')).toMatchObject({state: 'red', context: {count: 0}});
});

test('the chart of a machine of the program is drawn', async () => {
  const {inspector, ask} = await openInspector();
  const actor = createActor(light, {inspect: inspector}).start();
  onTestFinished(() => void actor.stop());
  const {json} = await ask('/1/charts/light');
  const {positions, states}: Chart = JSON.parse(JSON.stringify(json));
  expect(positions.nodes.map(({state}) => state)).toContain('light.green');
  expect(states.find(({id}) => id === 'light.red')?.transitions[0]?.event).toBe('NEXT');
});

test('a run is shown as a program', async () => {
  const {inspector, ask, read} = await openInspector();
  const runtime = createRuntime({journal: createMemoryJournal(), inspect: inspector});
  onTestFinished(async () => await runtime.close());
  const run = runtime.ask('How much is 6 * 7?');
  await run.result;
  expect((await ask('/1')).json).toMatchObject({form: 'tree'});
  const {moments} = await read('1', ({steps}) => steps.length > 5);
  const paths = moments.steps.flatMap(({changes}) => changes.map((change) => change.path));
  expect(paths).toContain('i/interaction');
});

test('a step that comes while the reader holds another one is read without a further event', async () => {
  const {inspector} = await openInspector();
  const trace = new ProgramTrace('1', createActor(walk));
  const actor = createActor(walk, {inspect: (event) => trace.take(event)}).start();
  onTestFinished(inspector.close);
  const ending = new AbortController();
  const batches = trace.follow(ending.signal);
  const seen = async () => {
    const {value} = await batches.next();
    const batch: TraceBatch = value ?? {steps: [], gaps: []};
    return batch.steps.map(({cause}) => cause);
  };
  await Promise.resolve();
  expect(await seen()).toMatchObject([{event: {type: 'xstate.init'}}]);
  actor.send({type: 'GO'});
  await Promise.resolve();
  expect(await seen()).toMatchObject([{event: {type: 'GO'}}]);
  ending.abort();
});

test('systems that have ended are forgotten, except the last ones, and a closed page takes no more', async () => {
  const {inspector, ask} = await openInspector();
  for (let count = 0; count < 60; count += 1)
    createActor(walk, {inspect: inspector}).start().stop();
  const {json} = await ask('');
  const ids = Object(json['traces']).map(({id}: {id: string}) => Number(id));
  expect(ids.length).toBeLessThanOrEqual(21);
  expect(ids[0]).toBe(60);
  expect((await ask('/60')).status).toBe(200);
  expect((await ask('/1')).status).toBe(404);
});

test('a long run of a program keeps its last steps, and says that the first ones are missing', async () => {
  const {inspector, read} = await openInspector();
  const counter = createMachine({
    id: 'counter',
    context: {n: 0},
    on: {ADD: {actions: assign({n: ({context}) => context['n'] + 1})}},
  });
  const actor = createActor(counter, {id: 'counter', inspect: inspector}).start();
  for (let count = 0; count < 20_500; count += 1) actor.send({type: 'ADD'});
  const {moments, gaps} = await read('1');
  actor.stop();
  const [first] = moments.steps;
  expect(gaps).toEqual([{from: 0, to: (first?.seq ?? 0) - 1, reason: expect.any(String)}]);
  expect(moments.at(0).actors.get('counter')?.context).toEqual({n: first?.seq});
  expect(now(moments).get('counter')?.context).toEqual({n: 20_500});
  expect(moments.steps.length).toBeLessThanOrEqual(20_000);
});

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-programs-'));
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  return folder;
}

const toggle = createMachine({
  id: 'toggle',
  initial: 'off',
  states: {off: {on: {FLIP: 'on'}}, on: {on: {FLIP: 'off'}}},
});

function refuse(): never {
  throw new Error('not for you');
}

test('a context and an event that can not be read do not disturb the program', async () => {
  const {inspector, root} = await openInspector();
  const closed = new Proxy({}, {has: refuse, ownKeys: refuse, getPrototypeOf: refuse});
  const machine = createMachine({
    context: {closed},
    initial: 'off',
    states: {off: {on: {FLIP: 'on'}}, on: {}},
  });
  const actor = createActor(machine, {inspect: inspector}).start();
  onTestFinished(() => void actor.stop());
  actor.send({type: 'FLIP', closed});
  expect(await root('1')).toMatchObject({state: 'on', context: {closed: '[unreadable]'}});
});

test('actor logic whose state is not JSON is shown', async () => {
  const {inspector, root} = await openInspector();
  const value: Record<string, unknown> = {turns: 5n};
  value['self'] = value;
  const snapshot = {status: 'active', value, output: undefined, error: undefined} as const;
  const logic: AnyActorLogic = {
    transition: () => snapshot,
    getInitialSnapshot: () => snapshot,
    getPersistedSnapshot: () => snapshot,
  };
  const actor = createActor(logic, {inspect: inspector}).start();
  onTestFinished(() => void actor.stop());
  expect(await root('1')).toMatchObject({state: {turns: '[5n]', self: '[circular]'}});
});

test('two copies of XState in one program have traces of their own', async () => {
  const {inspector, ask, root} = await openInspector();
  const copy = join(temporary(), 'xstate');
  cpSync(resolve('node_modules/xstate'), copy, {recursive: true});
  const file = pathToFileURL(join(copy, 'dist/xstate.cjs.js')).href;
  const other: {readonly createActor: typeof createActor} = await import(file);
  const one = createActor(toggle, {inspect: inspector}).start();
  const two = other.createActor(toggle, {inspect: inspector}).start();
  onTestFinished(() => void one.stop());
  onTestFinished(() => void two.stop());
  two.send({type: 'FLIP'});
  expect((await ask('')).json['traces']).toMatchObject([{id: '2'}, {id: '1'}]);
  expect(await root('1')).toMatchObject({state: 'off'});
  expect(await root('2')).toMatchObject({state: 'on'});
});

test('a reader that has left does not keep the next one busy', async () => {
  const {inspector, root} = await openInspector();
  const actor = createActor(toggle, {inspect: inspector}).start();
  onTestFinished(() => void actor.stop());
  expect(await root('1')).toMatchObject({state: 'off'});
  expect(await root('1')).toMatchObject({state: 'off'});
  actor.send({type: 'FLIP'});
  expect(await root('1')).toMatchObject({state: 'on'});
});

test('a program ends when its work is done, also while a page follows it', async () => {
  const folder = temporary();
  const module = pathToFileURL(resolve('cli/inspect/index.ts')).href;
  const xstate = import.meta.resolve('xstate');
  writeFileSync(
    join(folder, 'program.mjs'),
    `import {inspect} from ${JSON.stringify(module)};
     import {createActor, createMachine} from ${JSON.stringify(xstate)};
     const inspector = inspect({onAddress: (address) => console.log(address)});
     createActor(createMachine({}), {inspect: inspector}).start();
     await inspector.address;
     process.stdin.once('data', () => process.stdin.destroy());`,
  );
  const child = execa(process.execPath, [join(folder, 'program.mjs')], {timeout: 10_000});
  const {promise, resolve: found} = Promise.withResolvers<string>();
  child.stdout.once('data', (piece: Buffer) => found(piece.toString().trim()));
  const [url = '', token = ''] = (await promise).split('/#token=');
  const {events, leave} = await listenTo(`${url}/v1/traces/1/steps`, token);
  for await (const {event} of events) if (event === 'ready') break;
  onTestFinished(leave);
  child.stdin.write('end\n');
  expect(await child).toMatchObject({exitCode: 0});
});
