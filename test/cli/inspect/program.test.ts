/** Programs of a user, with XState alone: shown, and undisturbed by the inspector. */

import {cpSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

import {execa} from 'execa';
import {expect, onTestFinished, test} from 'vitest';
import {type AnyActorLogic, assign, createActor, createMachine, fromPromise, setup} from 'xstate';

import {type TraceBatch, createMemoryJournal, createRuntime} from '../../../actors/index.ts';
import {inspect} from '../../../cli/inspect/index.ts';
import {ProgramTrace} from '../../../cli/inspect/program-trace.ts';
import type {Chart} from '../../../cli/inspect/replies.ts';
import {Moments} from '../../../machines/trace/moments.ts';
import type {ActorState} from '../../../machines/trace/step.ts';
import {type Ask, askAt} from '../../support/serving.ts';
import {listenTo} from '../../support/sse.ts';
import {TraceReader} from '../../support/traces.ts';

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
  return {inspector, url, token, ask};
}

/** Reads until the root of the trace is in a state. */
async function readUntil(url: string, token: string, isEnough: (moments: Moments) => boolean) {
  const {events, leave} = await listenTo(`${url}/v1/traces/1/steps`, token);
  const [moments, reader] = [new Moments(), new TraceReader()];
  for await (const {event, data} of events) {
    if (event !== 'steps') continue;
    moments.add(reader.read(data).steps);
    if (isEnough(moments)) break;
  }
  leave();
  return moments;
}

const now = (moments: Moments) => moments.at(moments.steps.length - 1).actors;

test('the actors of a program are shown with states and contexts', async () => {
  const {inspector, url, token, ask} = await openInspector();
  const actor = createActor(light, {id: 'crossing', inspect: inspector}).start();
  onTestFinished(() => void actor.stop());
  expect((await ask('')).json['traces']).toMatchObject([
    {id: '1', kind: 'program', form: 'light', title: 'crossing', state: 'running'},
  ]);
  actor.send({type: 'NEXT'});
  const moments = await readUntil(url, token, (each) => now(each).has('crossing/walk'));
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
  const {inspector, url, token, ask} = await openInspector();
  const runtime = createRuntime({journal: createMemoryJournal(), inspect: inspector});
  onTestFinished(async () => await runtime.close());
  const run = runtime.ask('How much is 6 * 7?');
  await run.result;
  expect((await ask('/1')).json).toMatchObject({form: 'tree'});
  const moments = await readUntil(url, token, ({steps}) => steps.length > 5);
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
  const {inspector, url, token} = await openInspector();
  const counter = createMachine({
    id: 'counter',
    context: {n: 0},
    on: {ADD: {actions: assign({n: ({context}) => context['n'] + 1})}},
  });
  const actor = createActor(counter, {id: 'counter', inspect: inspector}).start();
  for (let count = 0; count < 20_500; count += 1) actor.send({type: 'ADD'});
  const {events, leave} = await listenTo(`${url}/v1/traces/1/steps`, token);
  const [moments, reader] = [new Moments(), new TraceReader()];
  const gaps: unknown[] = [];
  for await (const {event, data} of events) {
    if (event === 'ready') break;
    if (event !== 'steps') continue;
    const batch = reader.read(data);
    moments.add(batch.steps);
    gaps.push(...batch.gaps);
  }
  leave();
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

async function openWithRoots() {
  const inspector = inspect({onAddress: () => {}});
  onTestFinished(inspector.close);
  const [url = '', token = ''] = (await inspector.address).split('/#token=');
  const ask: Ask = async (path, sent) => await askAt(url)(`/v1/traces${path}`, {token, ...sent});
  return {inspector, ask, rootOf: async (id: string) => await rootOf(id, url, token)};
}

/** The root actor at the last present step. */
async function rootOf(id: string, url: string, token: string): Promise<ActorState | undefined> {
  const {events, leave} = await listenTo(`${url}/v1/traces/${id}/steps`, token);
  const [moments, reader] = [new Moments(), new TraceReader()];
  for await (const {event, data} of events) {
    if (event === 'steps') moments.add(reader.read(data).steps);
    if (event === 'ready') break;
  }
  leave();
  const {actors} = moments.at(moments.steps.length - 1);
  return [...actors.values()].find(({parent}) => parent === undefined);
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
  const {inspector, rootOf: root} = await openWithRoots();
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
  const {inspector, rootOf: root} = await openWithRoots();
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
  const {inspector, ask, rootOf: root} = await openWithRoots();
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
  const {inspector, rootOf: root} = await openWithRoots();
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
