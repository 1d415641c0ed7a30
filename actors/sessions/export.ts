/** The lines of an exported run: its entries, and on request the earlier contents of the files that it changed. */

import type {Entry, Journal} from '../journal/journal.ts';
import {type BackupLine, toBackupLine} from './backup-line.ts';
import {noSuchRun} from './run-errors.ts';

export interface ExportOptions {
  /** Also exports what `undo` needs: the earlier contents of changed files. Absent: no. */
  readonly backups?: boolean;
  /** Replaces contents by hashes, under another id. Absent: no. */
  readonly redact?: boolean;
  /** Receives the entry from which on the charts of a redacted run can't follow it, because they depend on contents. */
  readonly onStray?: (entry: number) => void;
}

/**
 * Of a damaged run, yields the entries before the damage, and then rejects with AppError `journal_corrupt`. Rejects with
 * AppError `not_found` for an unknown run.
 */
export async function* exportRun(
  id: string,
  {log, backups}: Journal,
  options: ExportOptions = {},
): AsyncGenerator<Entry | BackupLine, void, undefined> {
  const {entries, damage} = await log.salvage(id);
  if (options.redact === true) yield* await redacted(id, entries, options);
  else yield* entries;
  if (damage) throw damage;
  if (entries.length === 0) {
    throw noSuchRun(id);
  }
  if (options.backups !== true) return;
  for (const backup of (await backups?.list(id)) ?? []) yield toBackupLine(backup);
}

async function redacted(
  id: string,
  entries: readonly Entry[],
  {onStray}: ExportOptions,
): Promise<readonly Entry[]> {
  if (entries.length === 0) return [];
  const {redactRun} = await import('../history/redacted.ts');
  const run = await redactRun(id, entries);
  if (run.straysAt !== undefined) onStray?.(run.straysAt);
  return run.entries;
}
