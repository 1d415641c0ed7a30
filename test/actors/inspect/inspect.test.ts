/** Runs as an inspector shows them: plain texts, calls of models, traces, and a run that is followed. */

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest';
import {createActor, createMachine} from 'xstate';

import {momentAfter} from '../../../actors/history/record.ts';
import {
  createMemoryJournal,
  createRuntime,
  createSqliteJournal,
  type Entry,
  type Journal,
  type Runtime,
} from '../../../actors/index.ts';
import type {TraceBatch} from '../../../actors/inspect/inspection-api.ts';
import {brief, plain, plainEvent, wide} from '../../../actors/inspect/recorder.ts';
import {RunTrace} from '../../../actors/inspect/run-trace.ts';
import type {JsonObject} from '../../../machines/domain/json.ts';
import {readQuestionnaire} from '../../../machines/questionnaire/questionnaire-reading.ts';
import {Moments} from '../../../machines/trace/moments.ts';
import type {Step} from '../../../machines/trace/step.ts';
import {openRuntime, requests, speak} from '../../fixtures/journals/recorded-models.ts';
import {beforeForms, unpackBefore} from '../../fixtures/journals/recorded.ts';
import {type MockOpenAi, startMockOpenAi} from '../../support/mock-openai.ts';
import {folderWith} from '../../support/stage.ts';
import {sentSteps} from '../../support/traces.ts';

test('a value that JSON can hold stays as it is', () => {
  const value = {a: [1, 'x', null, true, {b: {}}]};
  expect(plain(value, wide)).toEqual(value);
});

test('everything else becomes a short text', () => {
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  const actor = createActor(createMachine({id: 'm'}), {id: 'me'});
  const throwing = {
    get broken(): never {
      throw new Error('no');
    },
  };
  expect(
    plain(
      {
        actor,
        bytes: new Uint8Array(5_000_000),
        circle,
        date: new Date(0),
        error: new TypeError('oh'),
        fn: () => 1,
        invalid: new Date(Number.NaN),
        map: new Map([['k', 1]]),
        nan: Number.NaN,
        nothing: undefined,
        set: new Set([1]),
        throwing,
        url: new URL('https://example.com/a'),
        big: 10n,
      },
      wide,
    ),
  ).toEqual({
    actor: '[actor me]',
    bytes: '[Uint8Array 5000000]',
    circle: {self: '[circular]'},
    date: '1970-01-01T00:00:00.000Z',
    error: {name: 'TypeError', message: 'oh'},
    fn: '[function]',
    invalid: '[invalid date]',
    map: {'[Map]': [['k', 1]]},
    nan: '[NaN]',
    set: {'[Set]': [1]},
    throwing: {broken: '[unreadable]'},
    url: 'https://example.com/a',
    big: '[10n]',
  });
});

test('a graph that holds the same objects many times is bounded', () => {
  let graph: object = {};
  for (let depth = 0; depth < 40; depth += 1) graph = {one: graph, other: graph};
  const text = JSON.stringify(plain(graph, {...wide, depth: 100}));
  expect(text.length).toBeLessThan(2_000_000);
});

test('long texts, lists and objects of an event are cut, and say so', () => {
  const event = {type: 'ADD', text: 'x'.repeat(500), list: Array.from({length: 50}, () => 0)};
  const shown = plainEvent(event, brief);
  expect(shown.type).toBe('ADD');
  expect(shown['text']).toBe(`${'x'.repeat(120)}… [380 more]`);
  expect(shown['list']).toEqual([0, 0, 0, 0, 0, 0, 0, 0, '[42 more]']);
});

async function startWire() {
  const mock = await startMockOpenAi(speak);
  onTestFinished(mock.close);
  return mock;
}

async function recordedRun({baseUrl}: MockOpenAi, journal: Journal): Promise<string> {
  const runtime = openRuntime(journal, baseUrl);
  const settings = {agent: {hil_mode: 'auto_reject'}} as const;
  const run = runtime.agent(requests.contested, {workspace: folderWith(), settings});
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
  expect(asText(calls.map(({body}) => body))).toEqual(asText(wire.bodies()));
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

let traceFolder: string;

let traceJournal: Journal;

function traced(entries: readonly Entry[]): readonly Step[] {
  const {steps, gaps} = new RunTrace(entries).add(entries);
  expect(gaps).toEqual([]);
  return steps;
}

function byPath(one: {readonly path: string}, other: {readonly path: string}): number {
  return one.path < other.path ? -1 : 1;
}

describe('the trace of a run', () => {
  beforeAll(() => {
    traceFolder = mkdtempSync(join(tmpdir(), 'quorate-trace-'));
    unpackBefore(join(traceFolder, 'journal.db'));
    traceJournal = createSqliteJournal(join(traceFolder, 'journal.db'));
  });

  afterAll(async () => {
    await traceJournal.close();
    rmSync(traceFolder, {recursive: true});
  });

  describe.each(Object.entries(beforeForms))('%s', (_name, {id}) => {
    let entries: readonly Entry[];

    beforeAll(async () => {
      ({entries} = await traceJournal.log.salvage(id));
    });

    test('has at every entry the actors, states and contexts that a replay up to there has', async () => {
      const moments = new Moments();
      moments.add(sentSteps(traced(entries)));
      for (const {seq} of entries) {
        const {actors} = await momentAfter(entries.slice(0, seq + 1));
        const shown = [...moments.at(moments.indexOf(seq)).actors.values()]
          .filter(({machine}) => machine !== undefined)
          .map(({path, machine, state, context}) => ({path, machine, state, context}));
        expect(shown.toSorted(byPath), `entry ${seq}`).toEqual(
          JSON.parse(JSON.stringify(actors.toSorted(byPath))),
        );
      }
    });

    test('has one step for each entry, and takes entries in any portions', () => {
      const whole = traced(entries);
      expect(whole.map(({seq}) => seq)).toEqual(entries.map(({seq}) => seq));
      const trace = new RunTrace(entries.slice(0, 1));
      expect(entries.flatMap((entry) => trace.add([entry]).steps)).toEqual(whole);
    });

    test('has an open effect for each requested call until its outcome', () => {
      const moments = new Moments();
      moments.add(traced(entries));
      for (const [index, {cause}] of moments.steps.entries()) {
        const {entry} = cause.kind === 'entry' ? cause : {};
        if (entry?.type !== 'settled') continue;
        const open = (at: number) => [...moments.at(at).open.values()].map(({key}) => key);
        expect(open(index), `entry ${index}`).not.toContain(entry['key']);
      }
    });
  });

  test('a run that the charts do not follow has its entries, and a gap that says why', async () => {
    const {id = ''} = beforeForms['agent-ended'] ?? {};
    const {entries} = await traceJournal.log.salvage(id);
    const strange = entries.map((entry) =>
      entry.type === 'settled' && entry.seq > 8 ? {...entry, request: 'another'} : entry,
    );
    const {steps, gaps} = new RunTrace(strange).add(strange);
    const first = strange.find((entry) => entry.type === 'settled' && entry.seq > 8)?.seq ?? -1;
    expect(gaps).toEqual([
      {from: first, reason: expect.stringContaining(`entry ${first} (settled)`)},
    ]);
    expect(steps.length).toBe(entries.length);
    expect(steps.slice(0, first).some(({changes}) => changes.length > 0)).toBe(true);
    for (const {changes, messages} of steps.slice(first))
      expect([changes, messages]).toEqual([[], []]);
    const votes = entries.filter(
      ({seq, ...entry}) =>
        seq > first && entry.type === 'noted' && entry.note['type'] === 'quorum.decided',
    );
    expect(votes.length).toBeGreaterThan(0);
    const decided = steps
      .slice(first)
      .flatMap(({reports}) => reports.filter(({report}) => report.type === 'quorum.decided'));
    expect(decided.length).toBe(votes.length);
    for (const {actor} of decided) expect(actor).toMatch(/^i\/.*quorum$/);
  });
});

function openFollowed(journal = createMemoryJournal()): Runtime {
  const runtime = createRuntime({journal, config: {agent: {confirm_execution: true}}});
  onTestFinished(async () => await runtime.close());
  return runtime;
}

/** Reads until there is no more for now. */
async function readOn(batches: AsyncGenerator<TraceBatch, void>): Promise<TraceBatch['steps']> {
  const {value: batch} = await batches.next();
  if (!batch || batch.steps.length === 0) return [];
  return [...batch.steps, ...(await readOn(batches))];
}

test('a run is followed, by a process that does not run it, until it ends', async () => {
  const journal = createMemoryJournal();
  const [working, watching] = [openFollowed(journal), openFollowed(journal)];
  const folder = folderWith();
  const run = working.agent('Create a.txt with the text: hello', {workspace: folder});
  for await (const {type} of run.events) if (type === 'human.requested') break;
  const batches = watching.trace(run.id);
  const before = await readOn(batches);
  expect(before.at(-1)?.cause).toMatchObject({
    entry: {type: 'noted', note: {type: 'human.requested'}},
  });

  run.send({type: 'human.decided', decision: 'approve'});
  const after = await readOn(batches);
  const rest: (typeof after)[number][] = [];
  for await (const {steps} of batches) rest.push(...steps);
  const all = [...before, ...after, ...rest];
  expect(all.map(({seq}) => seq)).toEqual(all.map((_, index) => index));
  expect(all.at(-1)?.cause).toMatchObject({entry: {type: 'closed', result: {status: 'completed'}}});
});

test('an aborted signal ends the trace of a run that waits', async () => {
  const runtime = openFollowed();
  const run = runtime.agent('Create a.txt with the text: hello', {workspace: tmpdir()});
  for await (const {type} of run.events) if (type === 'human.requested') break;
  const ending = new AbortController();
  const batches = runtime.trace(run.id, {signal: ending.signal});
  await readOn(batches);
  const next = batches.next();
  ending.abort();
  expect(await next).toEqual({done: true, value: undefined});
  await run.suspend('interrupted');
});

test('a trace that is not followed ends with the last entry', async () => {
  const runtime = openFollowed();
  const run = runtime.agent('Create a.txt with the text: hello', {workspace: tmpdir()});
  for await (const {type} of run.events) if (type === 'human.requested') break;
  const seqs: number[] = [];
  for await (const {steps} of runtime.trace(run.id, {isFollowed: false}))
    seqs.push(...steps.map(({seq}) => seq));
  expect(seqs).toEqual((await runtime.entries(run.id)).map(({seq}) => seq));
  await run.suspend('interrupted');
});

test('a run that does not exist has no trace', async () => {
  await expect(openFollowed().trace('nobody').next()).rejects.toMatchObject({code: 'not_found'});
});

test('a trace ends with an error when its run is erased', async () => {
  const journal = createMemoryJournal();
  const runtime = openFollowed(journal);
  const run = runtime.agent('Create a.txt with the text: hello', {workspace: tmpdir()});
  for await (const {type} of run.events) if (type === 'human.requested') break;
  const batches = runtime.trace(run.id);
  await readOn(batches);
  await run.suspend('interrupted');
  await readOn(batches);
  await journal.erase(run.id);
  await expect(batches.next()).rejects.toMatchObject({code: 'not_found'});
});

test('the calls of a run that does not exist are not found', async () => {
  await expect(openFollowed().modelCalls('nobody')).rejects.toMatchObject({code: 'not_found'});
});

const form: JsonObject = {
  id: 'visa',
  title: 'Visa',
  fields: [
    {id: 'passport', label: 'Passport number', required: true, sensitivity: 'secret'},
    {id: 'income', label: 'Income', type: 'integer', required: true, sensitivity: 'personal'},
    {id: 'name', label: 'Name', required: true},
  ],
};
const canaries = ['X7777777', '4815162'];

test('a reply that has not been read yet is not shown', async () => {
  const journal = createMemoryJournal();
  const runtime = openFollowed(journal);
  const reading = readQuestionnaire(form);
  if (!reading.ok) throw new Error(reading.problems.join());
  const run = runtime.start({form: 'interview', request: 'Visa', questionnaire: reading.value});
  const replies = ['English', 'Japan', ...canaries, 'Bob'];
  for await (const {type} of run.events) {
    const text = replies.shift();
    if (type !== 'interview.asked' && type !== 'interview.submitted') replies.unshift(text ?? '');
    else if (text === undefined) break;
    else run.send({type: 'person.replied', text});
    if (replies.length === 0) break;
  }
  await run.suspend('interrupted');
  const entries = await runtime.entries(run.id);
  for (const {seq, type} of entries) {
    const past = entries.slice(0, seq + 1);
    const text = JSON.stringify(await runtime.inspectEntries(run.id, past));
    for (const canary of canaries)
      expect([seq, type, text.includes(canary)]).toEqual([seq, type, false]);
  }
});

test('private answers are masked, also in the steps of an interview that is followed', async () => {
  const runtime = openFollowed();
  const reading = readQuestionnaire(form);
  if (!reading.ok) throw new Error(reading.problems.join());
  const respondent = {language: 'English', country: 'Japan', timezone: 'Asia/Tokyo'};
  const run = runtime.start({
    form: 'interview',
    request: 'Visa',
    questionnaire: reading.value,
    respondent,
  });
  await run.opened;
  const shown: TraceBatch[] = [];
  const following = (async () => {
    for await (const batch of runtime.trace(run.id)) shown.push(batch);
  })();
  const replies = [...canaries, 'Bob', undefined];
  let asked = 0;
  for await (const {type} of run.events) {
    if (type !== 'interview.asked') continue;
    const text = replies[asked];
    asked += 1;
    run.send(
      text === undefined
        ? {type: 'person.replied', confirms: true}
        : {type: 'person.replied', text},
    );
  }
  await following;
  expect(asked).toBe(4);
  const text = JSON.stringify([shown, await runtime.modelCalls(run.id)]);
  expect(text).toContain('Bob');
  for (const canary of canaries) expect(text).not.toContain(canary);
});
