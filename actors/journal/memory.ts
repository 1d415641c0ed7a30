/** A journal in memory: a database without a file. It is lost when its process ends. */

import type {Journal} from './journal.ts';
import type {Sign} from './signing/signature.ts';
import {IN_MEMORY} from './sqlite-store.ts';
import {createSqliteJournal} from './sqlite.ts';

export function createMemoryJournal(options: {readonly sign?: Sign} = {}): Journal {
  return createSqliteJournal(IN_MEMORY, options);
}
