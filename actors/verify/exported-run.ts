/** Reads the lines of `quorate export`, to verify them. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {Entry} from '../journal/journal.ts';
import {createLineReader, type Lines} from '../sessions/exported-lines.ts';
import type {Verifiable} from './checks/check.ts';

/**
 * The sound entries, and the first line that is not the next one. Rejects with AppError `usage` when the first does not open a run.
 */
export async function readExportedRun(lines: Lines): Promise<Verifiable> {
  const reader = createLineReader();
  const entries: Entry[] = [];
  let damage: AppError | undefined;
  for await (const line of lines) {
    const {entry, fault} = reader.read(line);
    if (entry) entries.push(entry);
    if (fault === undefined) continue;
    damage = new AppError('journal_corrupt', fault);
    break;
  }
  const id = reader.id();
  if (id !== undefined) return {id, entries, damage, imported: true};
  throw new AppError(
    'usage',
    'the first line does not open a run: give a file that quorate export has written, from its beginning',
  );
}
