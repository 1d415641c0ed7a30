/**
 * One part of the work of one side. Order: `side`, `part`, `folder`; by part: `turns`, `warmUps`, `rounds`, `agents`, `latenciesMs`,
 * `runs`, `suspends` (ours only), `url` (absent: no network).
 */

import {statSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {cpuUsATurn, cpuUsOf, heapKb, median, order, peakMb, tell} from './measure.mjs';

const {side, turns, rounds, folder, url} = order;

let files = 0;
const nextFile = () => join(folder, `${(files += 1)}.db`);

/** Of the sides that keep a record, and of those that a program adds one to. */
const records = {
  ours: async () => {
    const {createMemoryJournal, createSqliteJournal} = await import('quorate');
    const {createWorld, cut} = await import('./ours.mjs');
    return {
      durably: async (file, count) => {
        const journal = createSqliteJournal(file);
        await createWorld({turns: count, journal}).run();
        await journal.close();
      },
      /** A function that opens the recorded run again before its last model call, and calls back at it. */
      record: async () => {
        const recorded = createMemoryJournal();
        const id = await createWorld({turns, journal: recorded}).run();
        const whole = await recorded.log.read(id);
        const lastCall = whole.findLastIndex(({key = ''}) => key.includes('/model#'));
        const entries = cut(id, whole.slice(0, lastCall + 2));
        return async (onCall) => {
          const journal = createMemoryJournal();
          await journal.log.append(entries);
          const run = await createWorld({turns, journal, onCall}).runtime.resume(id);
          await run.result;
        };
      },
    };
  },
  /** The SDK keeps no record: a durable run stores the messages of each step in one transaction. */
  'ai-sdk': async () => {
    const {createWorld} = await import('./ai-sdk.mjs');
    return {
      durably: async (file, count) => {
        const database = new DatabaseSync(file);
        database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
        database.exec('CREATE TABLE steps (n INTEGER PRIMARY KEY, messages TEXT)');
        const insert = database.prepare('INSERT INTO steps (messages) VALUES (?)');
        const onStep = (messages) => insert.run(JSON.stringify(messages));
        await createWorld({turns: count, onStep}).run();
        database.close();
      },
      record: async () => {
        const texts = [];
        await createWorld({
          turns,
          onStep: (messages) => texts.push(JSON.stringify(messages)),
        }).run();
        const kept = texts.slice(0, -1);
        return async (onCall) => {
          const messages = kept.flatMap((text) => JSON.parse(text));
          await createWorld({turns, messages, onCall}).run();
        };
      },
    };
  },
};

const {createPanel, createWaiting, createWorld} = await import(`./${side}.mjs`);
const {durably, record} = (await records[side]?.()) ?? {};
const run = async (count) => await createWorld({turns: count, url}).run();

async function bytesOf(count) {
  const file = nextFile();
  await durably(file, count);
  const database = new DatabaseSync(file);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  return statSync(file).size;
}

async function msToResume(resume) {
  let calledAt;
  const before = performance.now();
  await resume(() => (calledAt ??= performance.now()));
  return calledAt - before;
}

async function msOf(work) {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

const parts = {
  turns: async () => ({cpuUs: await cpuUsATurn(run)}),
  http: async () => ({cpuUs: await cpuUsATurn(run)}),
  durable: async () => ({
    cpuUs: await cpuUsATurn(async (count) => await durably(nextFile(), count)),
    bytes: ((await bytesOf(turns)) - (await bytesOf(0))) / turns,
  }),
  resume: async () => {
    const resume = await record();
    const spent = [];
    for (let round = 0; round < 2 * rounds; round += 1) spent.push(await msToResume(resume));
    return {ms: median(spent.slice(rounds))};
  },
  /** All at once, each call of 20 ms. */
  crowd: async () => {
    let calls = 0;
    const world = createWorld({turns, latencyMs: 20, onCall: () => (calls += 1)});
    const spent = await cpuUsOf(
      async () => await Promise.all(Array.from({length: order.agents}, world.run)),
    );
    return {cpuUs: spent / calls, mb: peakMb(), calls};
  },
  panel: async () => {
    const decide = createPanel(order.latenciesMs);
    await decide();
    return {ms: await msOf(decide)};
  },
  waiting: async () => {
    const journal = order.suspends && (await import('quorate')).createSqliteJournal(nextFile());
    const begin = createWaiting({journal: journal || undefined, suspends: order.suspends});
    for (let count = 0; count < 20; count += 1) await begin();
    const before = heapKb();
    for (let count = 0; count < order.runs; count += 1) await begin();
    const kb = (heapKb() - before) / order.runs;
    // Whatever the wait holds must be alive until here.
    await begin();
    return {kb};
  },
};

tell(await parts[order.part]());
