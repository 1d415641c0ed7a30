/** Opens the journal of this person's runs. */

import {join} from 'node:path';

import type {Journal} from '../../actors/journal/journal.ts';
import {dataFolder} from '../config/paths.ts';
import type {Environment, Terminal} from '../terminal.ts';

/** `stderr`: receives a note that the journal is locked. */
type Place = Pick<Terminal, 'env'> & Partial<Pick<Terminal, 'stderr'>>;

const lockedWarning =
  'warning: another process keeps the journal locked; waiting until it is done, two minutes at most\n';

export function journalFile(env: Environment): string {
  return join(dataFolder(env), 'journal.db');
}

/** Throws AppError `io`, `newer_schema` or `journal_corrupt`. */
export async function openJournal({env, stderr}: Place): Promise<Journal> {
  const {createSqliteJournal} = await import('../../actors/journal/sqlite.ts');
  return createSqliteJournal(journalFile(env), {onLocked: () => stderr?.write(lockedWarning)});
}

/** For commands that change nothing: works in a read-only folder, too. Throws the same. */
export async function openToRead({env, stderr}: Place): Promise<Journal> {
  const {readSqliteJournal} = await import('../../actors/journal/sqlite-reading.ts');
  return readSqliteJournal(journalFile(env), {onLocked: () => stderr?.write(lockedWarning)});
}
