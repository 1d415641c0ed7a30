/** Imports an exported run: checks every line against the chain, and keeps the run as it was. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {JsonObject} from '../../machines/domain/json.ts';
import type {Backup, Entry, ImportedRun, Journal} from '../journal/journal.ts';
import {backupIn} from './backup-line.ts';
import {createLineReader} from './exported-lines.ts';

/** Each without its line feed. */
export type Lines = AsyncIterable<string> | Iterable<string>;

export interface ImportReport {
  readonly id: string;
  /** False: exactly this run was in the journal already, and nothing was written. */
  readonly isNew: boolean;
  readonly entries: number;
  readonly backups: number;
  /** The status of its result; undefined for an open run. */
  readonly status: string | undefined;
}

/**
 * Rejects with AppError `usage` for a line that is changed, missing, moved or unknown, which the message names, and for a run
 * whose id other entries have in the journal; `io` when the store can't take it. Nothing is written then.
 */
export async function importRun(lines: Lines, {adopt}: Journal): Promise<ImportReport> {
  if (!adopt) throw new AppError('usage', 'this journal can not import runs');
  const run = await readExported(lines);
  const isNew = await adopt(run);
  const {interaction: id, entries, backups} = run;
  const status = statusIn(entries);
  return {id, isNew, entries: entries.length, backups: backups.length, status};
}

function statusIn(entries: readonly Entry[]): string | undefined {
  const closed = entries.at(-1);
  const status = closed?.type === 'closed' ? closed.result['status'] : undefined;
  return typeof status === 'string' ? status : undefined;
}

async function readExported(lines: Lines): Promise<ImportedRun> {
  const reader = createLineReader();
  const entries: Entry[] = [];
  const backups: Backup[] = [];
  let number = 0;
  for await (const line of lines) {
    number += 1;
    const {entry, backup, fault} = reader.read(line);
    if (fault !== undefined) throw refused(number, fault);
    if (entry) entries.push(entry);
    if (backup) backups.push(requireBackup(backup, number));
  }
  const interaction = reader.id();
  if (interaction === undefined) throw refused(number, 'the file has no entry of a run');
  return {interaction, entries, backups};
}

function requireBackup(line: JsonObject, number: number): Backup {
  const backup = backupIn(line);
  if (backup) return backup;
  throw refused(number, 'the backup is not valid, or its content was changed');
}

function refused(line: number, what: string): AppError {
  return new AppError('usage', `line ${line}: ${what}; nothing was imported`);
}
