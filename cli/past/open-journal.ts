/** Opens the journal of this person's runs. */

import {join} from 'node:path';

import type {Journal} from '../../actors/journal/journal.ts';
import {type Message, t} from '../../machines/message.ts';
import {isBelow, realPathOf} from '../../tools/containment/guarded.ts';
import {claimState} from '../../tools/containment/own-state.ts';
import {dataFolder} from '../config/paths.ts';
import {say} from '../language.ts';
import type {Environment, Terminal} from '../terminal.ts';

/** `stderr`: receives a note that the journal is locked. */
type Place = Pick<Terminal, 'env' | 'language'> & Partial<Pick<Terminal, 'stderr'>>;

const locked: Message = t`warning: another process keeps the journal locked; waiting until it is done, two minutes at most
`;

export function journalFile(env: Environment): string {
  return join(dataFolder(env), 'journal.db');
}

/** Of the key with which this installation signs. */
export function keyFolder(env: Environment): string {
  return join(dataFolder(env), 'keys');
}

/** Throws AppError `io`, `newer_schema` or `journal_corrupt`. */
export async function openJournal(place: Place): Promise<Journal> {
  const {createSigner} = await import('../../actors/journal/signing-key.ts');
  const {createSqliteJournal} = await import('../../actors/journal/sqlite.ts');
  claimData(place.env);
  return createSqliteJournal(journalFile(place.env), {
    onLocked: () => noteLocked(place),
    sign: createSigner(keyFolder(place.env)),
  });
}

/** For commands that change nothing: works in a read-only folder, too. Throws the same. */
export async function openToRead(place: Place): Promise<Journal> {
  const {readSqliteJournal} = await import('../../actors/journal/sqlite.ts');
  claimData(place.env);
  return readSqliteJournal(journalFile(place.env), {onLocked: () => noteLocked(place)});
}

/** Closes the journal afterwards. Rejects as `openToRead` and `read`. */
export async function withJournal<T>(
  place: Place,
  read: (journal: Journal) => Promise<T>,
): Promise<T> {
  const journal = await openToRead(place);
  try {
    return await read(journal);
  } finally {
    await journal.close();
  }
}

/** Of a folder that contains the current one, only the files that are opened are claimed. */
function claimData(env: Environment): void {
  const folder = realPathOf(dataFolder(env)) ?? dataFolder(env);
  const here = process.cwd();
  if (here !== folder && !isBelow(folder, here)) claimState([folder]);
}

function noteLocked(place: Place): void {
  place.stderr?.write(say(locked, place));
}
