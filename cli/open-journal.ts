/** The journal of this person's runs, for commands that only read it or leave a message. */

import {join} from 'node:path';

import type {Journal} from '../actors/journal/journal.ts';
import {dataFolder} from './config/paths.ts';
import type {Environment} from './terminal.ts';

export function journalFile(env: Environment): string {
  return join(dataFolder(env), 'journal.db');
}

/** Throws AppError `io`, `newer_schema` or `journal_corrupt`. */
export async function openJournal(env: Environment): Promise<Journal> {
  const {createSqliteJournal} = await import('../actors/journal/sqlite.ts');
  return createSqliteJournal(journalFile(env));
}
