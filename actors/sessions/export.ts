/** The lines of an exported run: its entries. */

import {noSuchRun} from '../journal/chain.ts';
import type {Entry, Journal} from '../journal/journal.ts';

/**
 * Of a damaged run, yields the entries before the damage, and then rejects with AppError `journal_corrupt`. Rejects with
 * AppError `not_found` for an unknown run.
 */
export async function* exportRun(
  id: string,
  {log}: Pick<Journal, 'log'>,
): AsyncGenerator<Entry, void, undefined> {
  const {entries, damage} = await log.salvage(id);
  yield* entries;
  if (damage) throw damage;
  if (entries.length === 0) throw noSuchRun(id);
}
