/** Runs whose journal lost its end in a power cut, or with its write-ahead log: they continue, and repeat nothing silently. */

import {copyFileSync, cpSync, readFileSync, statSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {beforeEach, describe, expect, test, vi} from 'vitest';

import type {Journal} from '../../actors/index.ts';
import type {Begun, Entry} from '../../actors/journal/journal.ts';
import type {Run} from '../../actors/runtime-api.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import type {ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {isDeep, sampled} from '../support/depth.ts';
import {createDice} from '../support/dice.ts';
import {createScenario, type Performed, reply, vote, work} from '../support/scenario.ts';
import {chained, folderWith, journalIn} from '../support/stage.ts';

let folder: string;

// Each commit waits for the disk, which may be busy.
vi.setConfig({testTimeout: 120_000});

beforeEach(() => {
  folder = folderWith();
});

const openJournal = (name: string): Journal => journalIn(join(folder, name));

/** One command after another; `prove` is never repeated without a person's decision. */
function proving(...what: readonly string[]) {
  const tasks = chained(
    what.map((each) => ({description: `prove ${each}`, tool: 'prove', args: {what: each}})),
  );
  return (request: ModelRequest): ModelOutcome => {
    if (request.purpose.startsWith('review')) return vote('approve');
    if (request.purpose !== 'plan') return work(request);
    return reply('create_plan', {objective: 'Prove it', reasoning: 'one by one', tasks});
  };
}

/** A run with all commands done, before its evaluation; its files as a power cut leaves them. */
async function workedOut(): Promise<{readonly id: string; readonly tools: readonly string[]}> {
  const evaluating = Promise.withResolvers<undefined>();
  const decide = proving('one', 'two', 'three');
  const {start, performed} = createScenario({
    journal: openJournal('whole'),
    work: (request) => {
      if (request.purpose !== 'evaluate') return decide(request);
      evaluating.resolve(undefined);
      return new Promise(() => {});
    },
  });
  const run = start();
  await evaluating.promise;
  return {id: run.id, tools: [...performed.tools]};
}

/** Byte offsets of the frame ends in the write-ahead log: a header, which names the size of the pages, then frames with a page each. */
function cuts(): number[] {
  const log = readFileSync(join(folder, 'whole', 'journal.db-wal'));
  const {length: size} = log;
  const frame = 24 + log.readUInt32BE(8);
  return Array.from(
    {length: Math.floor((size - 32) / frame) + 1},
    (_, count) => 32 + count * frame,
  );
}

function cutAt(bytes: number): Journal {
  const name = `cut-${bytes}`;
  cpSync(join(folder, 'whole', 'heads'), join(folder, name, 'heads'), {recursive: true});
  for (const file of ['journal.db', 'journal.db-wal'])
    copyFileSync(join(folder, 'whole', file), join(folder, name, file));
  truncateSync(join(folder, name, 'journal.db-wal'), bytes);
  return openJournal(name);
}

interface Prefix {
  readonly journal: Journal;
  readonly entries: readonly Entry[];
  readonly lost: readonly Begun[];
}

/** All non-empty prefixes that a cut can leave, the shortest first. */
async function* prefixes(id: string): AsyncGenerator<Prefix> {
  let longest = 0;
  for (const bytes of cuts()) {
    const journal = cutAt(bytes);
    const {entries, lost = []} = await journal.log.salvage(id);
    if (entries.length > longest) yield {journal, entries, lost};
    longest = entries.length;
  }
}

/** Answers every question with the same decision, and resolves with the questions. */
async function answering(run: Run, decision: 'done' | 'retry' | 'fail') {
  const events: ProgressEvent[] = [];
  for await (const event of run.events) {
    events.push(event);
    if (event.type === 'human.requested')
      run.send({type: 'human.decided', gate: event.gate, decision});
  }
  const asked = events.flatMap((event) =>
    event.type === 'human.requested' ? [event.question] : [],
  );
  const warnings = events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
  return {asked, warnings, result: await run.result};
}

/** `what` changes the plan of the models. */
function scenarioOn(journal: Journal, ...what: readonly string[]) {
  const performed: Performed = {models: [], tools: []};
  const decide = proving(...(what.length > 0 ? what : ['one', 'two', 'three']));
  return {performed, runtime: createScenario({journal, performed, work: decide}).runtime};
}

/** The journal with nothing but the opening. */
async function opening(id: string): Promise<Journal> {
  for await (const {journal} of prefixes(id)) return journal;
  throw new Error('there is no cut behind the opening');
}

/** The number of commands with a recorded outcome. */
function known(entries: readonly Entry[]): number {
  return entries.filter((entry) => entry.type === 'settled' && entry.key.endsWith('/run#1')).length;
}

describe('a run whose journal lost its end', () => {
  test('continues to its end after any cut, and does not repeat an effect that had begun', async () => {
    const {id, tools} = await workedOut();
    expect(tools).toEqual(['prove one', 'prove two', 'prove three']);
    const lostAt = new Set<number>();
    for await (const {entries, lost, journal} of prefixes(id)) {
      const {runtime, performed} = scenarioOn(journal);
      const {asked, warnings, result} = await answering(await runtime.resume(id), 'done');

      expect(performed.tools).toEqual([]);
      expect(result).toMatchObject({status: 'completed'});
      expect(asked).toHaveLength(tools.length - known(entries));
      expect(warnings).toHaveLength(lost.length > 0 ? 1 : 0);
      expect((await journal.log.read(id)).at(-1)).toMatchObject({type: 'closed'});
      lostAt.add(lost.length);
    }
    expect(lostAt).toEqual(new Set([0, 1, 2, 3]));
  });

  test('cannot continue when nothing is left of it', async () => {
    const {id} = await workedOut();
    const {runtime} = scenarioOn(cutAt(32));

    await expect(runtime.resume(id)).rejects.toMatchObject({code: 'journal_corrupt'});
  });

  test('repeats the effect once when a person decides so', async () => {
    const {id} = await workedOut();
    const {runtime, performed} = scenarioOn(await opening(id));
    const {asked, warnings} = await answering(await runtime.resume(id), 'retry');

    expect(performed.tools).toEqual(['prove one', 'prove two', 'prove three']);
    expect(asked[0]).toMatchObject({
      kind: 'in-doubt',
      reason: expect.stringMatching(/^prove .*in doubt: .*the end of the journal.* is lost/),
    });
    expect(warnings).toEqual([expect.stringMatching(/3 calls that had begun/)]);
  });

  test('also asks when its models now word the call differently, or make it elsewhere', async () => {
    const {id} = await workedOut();
    const {runtime, performed} = scenarioOn(await opening(id), 'all three', 'one', 'four', 'five');
    const {asked} = await answering(await runtime.resume(id), 'done');

    expect(asked.map(({preview = ''}) => preview.split('\n')[0])).toEqual([
      expect.stringContaining('all three'),
      expect.stringContaining('one'),
      expect.stringContaining('four'),
    ]);
    expect(performed.tools).toEqual(['prove five']);
  });

  test('is sound again after it has continued', async () => {
    const {id} = await workedOut();
    const journal = await opening(id);
    const run = await scenarioOn(journal).runtime.resume(id);
    for await (const event of run.events) if (event.type === 'human.requested') break;
    await run.suspend('waiting');
    expect(await journal.log.read(id)).toMatchObject({length: expect.any(Number)});

    const {runtime, performed} = scenarioOn(journal);
    const {asked, warnings, result} = await answering(await runtime.resume(id), 'done');
    expect({asked: asked.length, warnings, status: result.status, tools: performed.tools}).toEqual({
      asked: 3,
      warnings: [],
      status: 'completed',
      tools: [],
    });
  });

  test('names the effects that had begun when it is cancelled', async () => {
    const {id} = await workedOut();
    const {runtime} = scenarioOn(await opening(id));

    expect(await runtime.cancel(id)).toMatchObject({
      status: 'cancelled',
      inDoubt: [
        expect.stringContaining('task:0'),
        expect.stringContaining('task:1'),
        expect.stringContaining('task:2'),
      ],
    });
  });
});

/** A run that has ended, with its journal left open: only the write-ahead log holds its end. */
async function ended(): Promise<string> {
  const {start} = createScenario({
    journal: openJournal('whole'),
    work: proving('one', 'two', 'three'),
  });
  const run = start();
  expect(await run.result).toMatchObject({status: 'completed'});
  return run.id;
}

/** The files of the run with a changed log. Undefined when the journal cannot be opened, and so nothing can be resumed. */
function spoilt(name: string, spoil: (log: Buffer) => Buffer): Journal | undefined {
  const place = join(folder, name);
  cpSync(join(folder, 'whole', 'heads'), join(place, 'heads'), {recursive: true});
  copyFileSync(join(folder, 'whole', 'journal.db'), join(place, 'journal.db'));
  const log = readFileSync(join(folder, 'whole', 'journal.db-wal'));
  writeFileSync(join(place, 'journal.db-wal'), spoil(log));
  try {
    return openJournal(name);
  } catch (error) {
    if (error instanceof AppError && error.code === 'journal_corrupt') return undefined;
    throw error;
  }
}

/** Expects that nothing of the run is performed again: it has ended, or is known to be damaged, or is gone. */
async function expectAtRest(id: string, journal: Journal | undefined): Promise<string> {
  if (!journal) return 'unreadable';
  const {runtime, performed} = scenarioOn(journal);
  const refusal = await runtime.resume(id).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(refusal).toMatchObject({code: expect.stringMatching(/^(?:not_found|journal_corrupt)$/)});
  expect(performed).toEqual({models: [], tools: []});
  return String(Object(refusal).code);
}

describe('a run that has ended', () => {
  test('is never resumed, after any cut of its write-ahead log', async () => {
    const id = await ended();
    const roll = createDice(1);
    const {size} = statSync(join(folder, 'whole', 'journal.db-wal'));
    const places = [
      ...sampled(cuts().slice(0, -1), 3),
      ...Array.from({length: isDeep ? 40 : 10}, () => roll(size)),
    ];
    const seen = new Set<string>();
    for (const bytes of places) {
      const journal = spoilt(`cut-${bytes}`, (log) => log.subarray(0, bytes));
      seen.add(await expectAtRest(id, journal));
    }

    expect(seen).toContain('journal_corrupt');
  });

  test('is never resumed, after the change of any bit of its write-ahead log', async () => {
    const id = await ended();
    const roll = createDice(2);
    const {size} = statSync(join(folder, 'whole', 'journal.db-wal'));
    const parts = isDeep ? 120 : 20;
    const seen = new Set<string>();
    for (let part = 0; part < parts; part += 1) {
      const at = Math.floor((part * size) / parts) + roll(Math.floor(size / parts));
      const journal = spoilt(`flip-${part}`, (log) => {
        log[at] = (log[at] ?? 0) ^ (1 << roll(8));
        return log;
      });
      seen.add(await expectAtRest(id, journal));
    }

    expect(seen).toContain('journal_corrupt');
  });
});
