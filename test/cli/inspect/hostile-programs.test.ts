/** Programs that an inspector must survive, and that must survive the inspector. */

import {cpSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

import {execa} from 'execa';
import {expect, onTestFinished, test} from 'vitest';
import {type AnyActorLogic, createActor, createMachine} from 'xstate';

import {inspect} from '../../../cli/inspect/index.ts';
import {Moments} from '../../../machines/trace/moments.ts';
import type {ActorState} from '../../../machines/trace/step.ts';
import {type Ask, askAt} from '../../support/serving.ts';
import {listenTo} from '../../support/sse.ts';
import {TraceReader} from '../../support/traces.ts';

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-programs-'));
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  return folder;
}

async function open() {
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
  const {inspector, rootOf: root} = await open();
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
  const {inspector, rootOf: root} = await open();
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
  const {inspector, ask, rootOf: root} = await open();
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
  const {inspector, rootOf: root} = await open();
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
