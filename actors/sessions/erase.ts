/** Forgetting a run for good: for whoever has the right that nothing of it is kept. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {Journal} from '../journal/journal.ts';
import {endChildren} from '../run/takeover.ts';

/**
 * Rejects with AppError `not_found` for a run that there is not, `busy` while it is at work in any process, `io` when
 * something of it may be left: then call it again, and `not_found` says that it is gone. What it wrote to its workspace stays.
 */
export async function eraseRun(id: string, journal: Journal): Promise<void> {
  const {log, owners, children, erase} = journal;
  const owned = await owners.own(id);
  let isThere = false;
  try {
    const {entries, damage} = await log.salvage(id);
    isThere = entries.length > 0 || damage !== undefined;
    await endChildren(id, children);
    await erase(id);
  } finally {
    await owned.release();
  }
  // Of who owned it, and of what an erasing has left that was broken off.
  await erase(id);
  if (!isThere) throw new AppError('not_found', `there is no run ${id}; see: quorate sessions`);
}
