/** Traces of runs that are at work. */

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {expect, onTestFinished, test} from 'vitest';

import {createMemoryJournal, createRuntime, type Runtime} from '../../../actors/index.ts';
import type {TraceBatch} from '../../../actors/inspect/inspection-api.ts';
import type {JsonObject} from '../../../machines/domain/json.ts';
import {readQuestionnaire} from '../../../machines/questionnaire/questionnaire-reading.ts';

function open(journal = createMemoryJournal()): Runtime {
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
  const [working, watching] = [open(journal), open(journal)];
  const folder = mkdtempSync(join(tmpdir(), 'quorate-follow-'));
  onTestFinished(() => rmSync(folder, {recursive: true}));
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
  const runtime = open();
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
  const runtime = open();
  const run = runtime.agent('Create a.txt with the text: hello', {workspace: tmpdir()});
  for await (const {type} of run.events) if (type === 'human.requested') break;
  const seqs: number[] = [];
  for await (const {steps} of runtime.trace(run.id, {isFollowed: false}))
    seqs.push(...steps.map(({seq}) => seq));
  expect(seqs).toEqual((await runtime.entries(run.id)).map(({seq}) => seq));
  await run.suspend('interrupted');
});

test('a run that does not exist has no trace', async () => {
  await expect(open().trace('nobody').next()).rejects.toMatchObject({code: 'not_found'});
});

test('a trace ends with an error when its run is erased', async () => {
  const journal = createMemoryJournal();
  const runtime = open(journal);
  const run = runtime.agent('Create a.txt with the text: hello', {workspace: tmpdir()});
  for await (const {type} of run.events) if (type === 'human.requested') break;
  const batches = runtime.trace(run.id);
  await readOn(batches);
  await run.suspend('interrupted');
  await readOn(batches);
  journal.erase(run.id);
  await expect(batches.next()).rejects.toMatchObject({code: 'not_found'});
});

test('the calls of a run that does not exist are not found', async () => {
  await expect(open().modelCalls('nobody')).rejects.toMatchObject({code: 'not_found'});
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
  const runtime = open(journal);
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
  const runtime = open();
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
