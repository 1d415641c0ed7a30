/** Following a run: the same events as in its own process, live and afterwards, and messages to it. */

import {join} from 'node:path';

import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest';

import type {Position} from '../../../actors/engine/actor-tree.ts';
import {createMemoryJournal, createRuntime} from '../../../actors/index.ts';
import type {Host} from '../../../actors/journal/journal.ts';
import {createPostgresJournal} from '../../../actors/journal/postgres/postgres.ts';
import {createSigner, makePublicKey} from '../../../actors/journal/signing-key.ts';
import {createProgress, isAfter} from '../../../actors/run/progress.ts';
import type {Run} from '../../../actors/runtime-api.ts';
import type {ProgressEvent} from '../../../machines/facts/progress.ts';
import {type PostgresServer, startPostgres} from '../../support/postgres.ts';
import {folderWith, setStage, type Stage, type StageOptions} from '../../support/stage.ts';

let server: PostgresServer;
let schemas = 0;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(async () => await server.remove());

const write = (id: string) => ({
  id,
  description: `Make ${id}`,
  tool: 'write_file',
  args: {path: id, content: id},
});

interface Placed {
  readonly place: Position;
}

/** Only the process of the run has the event. */
function isOfProcess(event: ProgressEvent): boolean {
  const isLeft = event.type === 'result' && event.resumable === true;
  return isLeft || ['warning', 'model.delta', 'tool.output'].includes(event.type);
}

/** The events that a replay repeats, each with its place, until the last one. */
async function placedEvents(run: Run): Promise<readonly Placed[]> {
  const placed: Placed[] = [];
  for await (const event of run.events) {
    const {seq: _, ...shown} = event;
    const position = run.positionOf(event);
    if (!position) {
      if (isOfProcess(event)) continue;
      throw new Error(`${event.type} has no place`);
    }
    // The program tells the time of the result.
    placed.push({place: position, ...shown, ...(event.type === 'result' ? {at: position.at} : {})});
  }
  return placed;
}

const atGates = {agent: {confirm_execution: true, hil_mode: 'interactive' as const}};

test.each([
  ['an agent', {form: 'agent', config: {}}],
  ['an agent that a person confirms', {form: 'agent', config: atGates}],
  ['a question', {form: 'ask', config: {}}],
  ['a discussion', {form: 'discuss', config: {}}],
] as const)('%s has the same events in every process', async (_, {form, config}) => {
  const {runtime, start} = setStage({tasks: [write('a'), write('b')], config});
  const run = start('Make the files', {form});
  const live = placedEvents(run);
  if ((await run.quiet()) === 'asked') run.send({type: 'human.decided', decision: 'approve'});
  const {status} = await run.result;
  const followed = await runtime.follow(run.id);

  expect(await placedEvents(followed)).toEqual(await live);
  expect(await followed.result).toMatchObject({status});
  expect((await live).length).toBeGreaterThan(3);
});

test('an interview has the same events in every process, with private answers masked', async () => {
  const journal = createMemoryJournal();
  const runtime = createRuntime({journal, env: {}});
  const fields = [
    {
      id: 'email',
      label: 'E-mail',
      type: 'email',
      required: true,
      order: 0,
      sensitivity: 'personal',
    },
    {id: 'size', label: 'Size', type: 'text', required: true, order: 1, sensitivity: 'none'},
  ] as const;
  const questionnaire = {id: 'order', title: 'Order', fields, facts: []};
  const run = runtime.start({form: 'interview', request: 'order', questionnaire});
  const live = placedEvents(run);
  for (const text of ['yes', 'me@example.org', 'large']) {
    expect(await run.quiet()).toBe('asked');
    run.send({type: 'person.replied', text});
  }
  expect(await run.quiet()).toBe('asked');
  const followed = await runtime.follow(run.id);
  expect(followed.asks()).toMatchObject([{state: 'confirming'}]);
  expect(followed.interview()?.order).toEqual(['email', 'size']);
  run.send({type: 'person.replied', confirms: true});
  await run.result;

  expect(await placedEvents(followed)).toEqual(await live);
  expect(JSON.stringify((await live).slice(0, -1))).not.toContain('me@example.org');
  await runtime.close();
});

test('the places of the events rise, also where a run was resumed', async () => {
  const {runtime, start} = setStage({tasks: [write('a')], config: atGates});
  const first = start();
  await first.quiet();
  const early = placedEvents(first);
  await first.suspend('waiting');
  const run = await runtime.resume(first.id);
  const late = placedEvents(run);
  await run.quiet();
  run.send({type: 'human.decided', decision: 'approve'});
  await run.result;
  const all = [...(await early), ...(await late)];

  expect(await placedEvents(await runtime.follow(run.id))).toEqual(all);
  for (const [index, {place}] of all.entries())
    expect(isAfter(place, all[index - 1]?.place)).toBe(true);
});

test('an event after one that a crash has lost counts as new', () => {
  expect(isAfter({entry: 7, nth: 1, at: 20}, {entry: 8, nth: 1, at: 12})).toBe(true);
  expect(isAfter({entry: 7, nth: 1, at: 11}, {entry: 8, nth: 1, at: 12})).toBe(false);
  expect(isAfter({entry: 8, nth: 1, at: 12}, {entry: 8, nth: 1, at: 12})).toBe(false);
  expect(isAfter({entry: 8, nth: 2, at: 12}, {entry: 8, nth: 1, at: 12})).toBe(true);
});

const place = (entry: number): Position => ({entry, nth: 1, at: entry});

test('events after a place are those that a process still has, or none when one of them is gone', async () => {
  const {report, after, end} = createProgress('run');
  for (let entry = 0; entry < 600; entry += 1)
    report({type: 'thought', text: `${entry}`}, '', entry, place(entry));
  end();
  expect(after()).toBeUndefined();
  expect(after(place(90))).toBeUndefined();
  const texts: string[] = [];
  for await (const event of after(place(500)) ?? [])
    if (event.type === 'thought') texts.push(event.text);
  expect(texts).toEqual(Array.from({length: 99}, (_, index) => `${index + 501}`));
});

type Machine = Stage & {readonly host: Host};

/** A machine with its own key, and a folder that only it has. */
async function machine(id: string, options: StageOptions = {}): Promise<Machine> {
  const keys = join(folderWith(), 'keys');
  const {id: keyId, pem} = makePublicKey(keys);
  const schema = `follow_${schemas}`;
  const sign = createSigner(keys);
  const journal = await createPostgresJournal({url: server.url, schema, host: id, sign});
  await journal.hosts?.enroll({id: keyId, name: id, key: pem});
  const host = {...createMemoryJournal({sign}).host, id};
  const stage = setStage({tasks: [write('a')], journal, host, ...options});
  onTestFinished(async () => {
    await stage.runtime.close();
    await journal.close();
  });
  return {...stage, host};
}

async function twoMachines(options: StageOptions = {}): Promise<readonly [Machine, Machine]> {
  schemas += 1;
  return [await machine('here', options), await machine('there', options)];
}

test('a run at work on another machine is followed, told something, and decided', async () => {
  const called = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<undefined>();
  const [here, there] = await twoMachines({
    config: atGates,
    say: async ({purpose}) => {
      if (purpose !== 'plan') return undefined;
      called.resolve();
      return await answer.promise;
    },
  });
  const run = here.start();
  const live = placedEvents(run);
  await called.promise;
  const followed = await there.runtime.follow(run.id);
  const events = placedEvents(followed);

  expect(followed.gates()).toEqual([]);
  expect(followed.atWork()).toHaveLength(1);
  followed.send({type: 'user.said', text: 'in English'});
  await expect
    .poll(async () => await here.journal.log.read(run.id))
    .toContainEqual(
      expect.objectContaining({event: expect.objectContaining({text: 'in English'})}),
    );
  answer.resolve(undefined);
  expect(await followed.quiet()).toBe('asked');
  const [gate] = followed.gates();
  expect(gate).toEqual(run.gates()[0]);
  expect(() => followed.send({type: 'human.decided', decision: 'done'})).toThrow(/does not answer/);
  expect(() => followed.send({type: 'human.decided', decision: 'always'})).toThrow(
    /does not answer/,
  );
  await run.quiet();
  followed.send({type: 'human.decided', decision: 'approve', reason: 'from there'});
  expect(await followed.result).toMatchObject({
    status: 'completed',
    decisions: [{by: 'panel'}, {by: 'person', reason: 'from there'}],
  });
  expect(await events).toEqual(await live);
  expect(here.text('a')).toBe('a');
});

test('a run that is left while a message arrives is claimed again', async () => {
  schemas += 1;
  const options = {config: atGates};
  const there = await machine('there', options);
  const {journal} = there;
  // The message arrives before the entry that leaves the run to a person.
  const append: typeof journal.log.append = async (batch) => {
    const isLeft = JSON.stringify(batch).includes('"run.suspended"');
    if (isLeft) await there.runtime.relay(String(batch[0]?.interaction), decision);
    await journal.log.append(batch);
  };
  const log = {...journal.log, append, lineFor: () => log};
  const decision = {type: 'human.decided', decision: 'approve'} as const;
  const here = setStage({tasks: [write('a')], ...options, journal: {...journal, log}});
  const run = here.start();
  await run.quiet();
  await run.suspend('waiting');
  expect((await journal.sharing?.())?.unclaimed.runs).toBe(1);
});

test('a message is applied once, however often it is left', async () => {
  const answer = Promise.withResolvers<undefined>();
  const [here, there] = await twoMachines({say: async () => await answer.promise});
  const run = here.start();
  await run.opened;
  const {inbox} = there.journal;
  const left: Parameters<typeof inbox.post>[1][] = [];
  const watched = {...there.journal, inbox: {...inbox, post: posting}};
  async function posting(...[id, event]: Parameters<typeof inbox.post>): Promise<void> {
    left.push(event);
    await inbox.post(id, event);
  }
  const {followRun} = await import('../../../actors/run/followed-run.ts');
  const followed = await followRun(run.id, {
    journal: watched,
    host: there.host,
    priceOf: () => undefined,
  });
  await followed.relay({type: 'user.said', text: 'once'});
  const said = async (): Promise<number> =>
    JSON.stringify(await here.journal.log.read(run.id)).split('"text":"once"').length - 1;
  await expect.poll(said).toBe(1);
  const [message] = left;
  if (!message) throw new Error('nothing was left');
  await inbox.post(run.id, message);
  await expect.poll(async () => await inbox.read(run.id)).toEqual([]);
  expect(await said()).toBe(1);
  await followed.suspend('interrupted');
  expect(await followed.result).toMatchObject({exitCode: 130, resumable: true});
  await run.suspend('interrupted');

  // Nor by the process that continues the run.
  const next = await here.runtime.resume(run.id);
  await inbox.post(run.id, message);
  await expect.poll(async () => await inbox.read(run.id)).toEqual([]);
  expect(await said()).toBe(1);
  await next.suspend('interrupted');
});
