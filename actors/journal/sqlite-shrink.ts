/** Gives the space of erased interactions back to the disk. */

import {statSync} from 'node:fs';

import type {Journal} from './journal.ts';
import type {Store} from './sqlite-store.ts';
import type {Turns} from './sqlite-turns.ts';

/** Rewrites the database without its free pages, which needs room for a copy of the rest. */
export function createShrink(
  {path, db, attempt, emptyLog}: Store,
  writers: Turns,
): NonNullable<Journal['shrink']> {
  return () =>
    writers.take(() => {
      const before = journalBytes(path);
      attempt(() => db.exec('VACUUM'));
      emptyLog();
      return {before, after: journalBytes(path)};
    }, []);
}

/** Bytes of a database with its write-ahead log; 0 if it does not exist. */
export function journalBytes(path: string): number {
  return ['', '-wal']
    .map((part) => statSync(path + part, {throwIfNoEntry: false})?.size ?? 0)
    .reduce((sum, size) => sum + size);
}
