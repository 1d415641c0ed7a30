/** The cost of durability: time and bytes a turn, and the time to replay. */

import {mkdirSync} from 'node:fs';
import {join} from 'node:path';

import type {Figures, Place} from './place.ts';
import {median, type Row} from './table.ts';

/** A turn on SQLite is a turn in memory and one append: each is measured by itself, and both in turn. */
export async function measureDurableTurns({folder, run}: Place): Promise<Row[]> {
  const taken: Figures[] = [];
  for (let time = 0; time < 5; time += 1) {
    const own = join(folder, `durable-${time}`);
    mkdirSync(own);
    taken.push(await run('durable', {folder: own, turns: 50, warmUps: 20, rounds: 20}));
  }
  const middleOf = (name: string): number => median(taken.map((figures) => figures[name] ?? NaN));
  const [memory, append] = [middleOf('memoryUs'), middleOf('appendUs')];
  const [sqlite, waiting] = [middleOf('sqliteUs'), middleOf('waitingUs')];
  return [
    {label: 'CPU a turn in memory', ours: memory, unit: 'µs'},
    {label: 'CPU of one bare append (SQLite, WAL, FULL)', ours: append, unit: 'µs'},
    {label: 'CPU a turn in memory with a bare append in it', ours: waiting, unit: 'µs'},
    {label: 'CPU a turn on SQLite', ours: sqlite, unit: 'µs'},
    {label: 'the same', ours: sqlite / (memory + append), unit: 'times the sum of both', aim: 1},
    {label: 'the same', ours: sqlite / waiting, unit: 'times one with a bare append in it'},
  ];
}

export async function measureDisk({folder, run}: Place): Promise<Row[]> {
  const own = join(folder, 'disk');
  mkdirSync(own);
  const {bytes = NaN} = await run('disk', {folder: own, turns: 200});
  return [{label: 'on disk a turn, after a checkpoint', ours: bytes, unit: 'bytes', aim: 600}];
}

/** In a warm process, from `resume` to the next model call. */
export async function measureResume({run}: Place): Promise<Row[]> {
  const {ms = NaN} = await run('resume', {tasks: 1, turns: 200, times: 30});
  return [{label: 'resume of a run of 200 turns, warm', ours: ms, unit: 'ms', aim: 30}];
}

/** A run of 50 turns has one signature, at its end. */
export async function measureVerify({folder, run}: Place): Promise<Row[]> {
  const own = join(folder, 'verify');
  mkdirSync(own);
  const order = {folder: own, turns: 50, times: 30};
  const {ms = NaN, entries = NaN, plainBytes = NaN, signedBytes = NaN} = await run('verify', order);
  return [
    {label: `verify of a run of ${entries} entries, warm`, ours: 1_000 / ms, unit: 'a second'},
    {label: 'entries a turn, as stored', ours: plainBytes, unit: 'bytes'},
    {label: 'the same with signatures', ours: signedBytes, unit: 'bytes'},
  ];
}

/** In a fresh process: 50 tasks of 1,000 turns, two entries per turn. */
export async function measureLongResume({folder, run}: Place): Promise<Row[]> {
  const file = join(folder, 'long.db');
  const size = {file, tasks: 50, turns: 999};
  const {entries = NaN} = await run('record', size);
  const {ms = NaN, peakMb = NaN} = await run('resume-long', size);
  const label = `resume of ${entries} entries`;
  return [
    {label, ours: ms / 1_000, unit: 's', aim: 5},
    {label: `${label}: peak memory`, ours: peakMb, unit: 'MB', aim: 500},
  ];
}

/** In a fresh process each: runs of about 1,000 and 100,000 entries. */
export async function measureHistory({run}: Place): Promise<Row[]> {
  const sizes = [
    {tasks: 1, turns: 499},
    {tasks: 50, turns: 999},
  ];
  const rows: Row[] = [];
  for (const size of sizes) {
    const {entries = NaN, replayUs = NaN, atMs = NaN, forkMs = NaN} = await run('history', size);
    rows.push(
      {label: `replay of ${entries} entries`, ours: replayUs, unit: 'µs an entry'},
      {label: `the run after entry ${Math.floor(entries / 2)}`, ours: atMs, unit: 'ms'},
      {label: 'a fork there', ours: forkMs, unit: 'ms'},
    );
  }
  return rows;
}
