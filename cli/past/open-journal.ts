/** Opens the journal of this person's runs. */

import {join} from 'node:path';

import type {Journal} from '../../actors/journal/journal.ts';
import {dataFolder} from '../config/paths.ts';
import type {Texts} from '../language.ts';
import type {Environment, Terminal} from '../terminal.ts';

/** `stderr`: receives a note that the journal is locked. */
type Place = Pick<Terminal, 'env' | 'language'> & Partial<Pick<Terminal, 'stderr'>>;

const locked: Texts = {
  en: 'another process keeps the journal locked; waiting until it is done, two minutes at most',
  ja: '別のプロセスがジャーナルをロックしています。終わるまで最大 2 分待ちます',
};

export function journalFile(env: Environment): string {
  return join(dataFolder(env), 'journal.db');
}

/** Throws AppError `io`, `newer_schema` or `journal_corrupt`. */
export async function openJournal(place: Place): Promise<Journal> {
  const {createSqliteJournal} = await import('../../actors/journal/sqlite.ts');
  return createSqliteJournal(journalFile(place.env), {onLocked: await lockNote(place)});
}

/** For commands that change nothing: works in a read-only folder, too. Throws the same. */
export async function openToRead(place: Place): Promise<Journal> {
  const {readSqliteJournal} = await import('../../actors/journal/sqlite-reading.ts');
  return readSqliteJournal(journalFile(place.env), {onLocked: await lockNote(place)});
}

/** Loads the text of warnings only with a journal: the help does not need it. */
async function lockNote(place: Place): Promise<() => void> {
  const {warningText} = await import('../render/warning.ts');
  return () => void place.stderr?.write(`${warningText(locked, place)}\n`);
}
