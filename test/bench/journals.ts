/**
 * `npm run bench -- --journals`: appends a second and their latency, of runs that append at the same time, each one entry of 1.5 kB
 * after the other, durable; on SQLite and on a PostgreSQL server of this machine. Then what machines do that share a journal. Asserts nothing.
 */

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {schedulerOf} from '../../actors/engine/scheduler.ts';
import {createSqliteJournal} from '../../actors/index.ts';
import type {Journal} from '../../actors/journal/journal.ts';
import {createPostgresJournal} from '../../actors/journal/postgres/postgres.ts';
import {startPostgres} from '../support/postgres.ts';
import {printSharing} from './sharing.ts';

const spanMs = 4_000;
const body = {
  type: 'settled',
  key: 'i/interaction/form/execution/task:t0/turns/call:1.0/run#1',
  request: 'dzuyxiiv60',
  outcome: {kind: 'succeeded', text: 'x'.repeat(1_350)},
  ms: 3,
} as const;

export async function printJournals(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-bench-'));
  const server = await startPostgres({isDurable: true});
  const sqlite = createSqliteJournal(join(folder, 'journal.db'));
  const postgres = await createPostgresJournal({url: server.url});
  try {
    print('| journal | runs | appends a second | p50, ms | p99, ms |');
    print('| --- | ---: | ---: | ---: | ---: |');
    await [1, 10, 100].reduce(async (before, runs) => {
      await before;
      print(rowOf('SQLite', runs, await measure(sqlite, `s${runs}`, runs)));
      print(rowOf('PostgreSQL', runs, await measure(postgres, `p${runs}`, runs)));
    }, Promise.resolve());
    await printSharing(postgres, server.url);
  } finally {
    await sqlite.close();
    await postgres.close();
    await server.remove();
    rmSync(folder, {recursive: true});
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function rowOf(journal: string, runs: number, latencies: readonly number[]): string {
  const sorted = latencies.toSorted((one, other) => one - other);
  const at = (part: number): string => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(2);
  const perSecond = Math.round(sorted.length / (spanMs / 1_000));
  return `| ${journal} | ${runs} | ${perSecond} | ${at(0.5)} | ${at(0.99)} |`;
}

/** The latencies of all appends, through the group commit of the engines. */
async function measure(
  {log, owners}: Journal,
  name: string,
  runs: number,
): Promise<readonly number[]> {
  const until = performance.now() + spanMs;
  const ids = Array.from({length: runs}, (_, at) => `${name}-${at}`);
  const all = await Promise.all(
    ids.map(async (interaction) => {
      await owners.own(interaction);
      const line = log.lineFor?.(interaction) ?? log;
      return await appendUntil(until, async (seq) => {
        const done = Promise.withResolvers<void>();
        const addition = {interaction, bodies: [body], at: Date.now(), seq};
        schedulerOf(line).enqueue({
          prepare: () => [addition],
          commit: done.resolve,
          fail: done.reject,
        });
        await done.promise;
      });
    }),
  );
  return all.flat();
}

async function appendUntil(
  until: number,
  append: (seq: number) => Promise<void>,
): Promise<readonly number[]> {
  const latencies: number[] = [];
  for await (const seq of counting(until)) {
    const since = performance.now();
    await append(seq);
    latencies.push(performance.now() - since);
  }
  return latencies;
}

async function* counting(until: number): AsyncGenerator<number> {
  for (let seq = 0; performance.now() < until; seq += 1) {
    yield seq;
    await Promise.resolve();
  }
}
