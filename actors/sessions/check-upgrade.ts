/** Replays the open runs with the charts of this version: which of them can it continue? Nothing is performed or written. */

import {AppError} from '../../machines/domain/app-error.ts';
import {isUsable} from '../journal/chain.ts';
import type {InteractionRow, Journal, Salvaged} from '../journal/journal.ts';
import {versionsIn} from '../run/run-input.ts';
import {chartsVersion} from '../version.ts';
import {peekRun} from './peek.ts';

export interface CheckedRun extends Pick<InteractionRow, 'id' | 'form' | 'request' | 'workspace'> {
  /** `replays`: this version can continue it. `diverges`: it can't. `damaged`: no version can. */
  readonly state: 'replays' | 'diverges' | 'damaged';
  /** The versions of the charts that recorded it, in order. */
  readonly versions: readonly string[];
  /** The first entry that these charts can't replay. Absent: it is not known, or all can be replayed. */
  readonly entry?: number;
  /** Why it diverges or is damaged. */
  readonly reason?: string;
}

export interface UpgradeReport {
  /** The version of these charts. */
  readonly version: string;
  /** The newest first. */
  readonly runs: readonly CheckedRun[];
}

export async function checkUpgrade({log}: Pick<Journal, 'log'>): Promise<UpgradeReport> {
  const open = (await log.list()).filter(({status}) => status === undefined);
  const runs = await Array.fromAsync(open, async (row) => checkRun(row, await log.salvage(row.id)));
  return {version: chartsVersion(), runs};
}

async function checkRun(
  {id, form, request, workspace}: InteractionRow,
  salvaged: Salvaged,
): Promise<CheckedRun> {
  const {entries, damage} = salvaged;
  const checked = {id, form, request, workspace, versions: versionsIn(entries)};
  if (damage && !isUsable(salvaged)) return {...checked, state: 'damaged', reason: damage.message};
  try {
    await peekRun(id, entries);
    return {...checked, state: 'replays'};
  } catch (error) {
    const isOfOthers = checked.versions[0] !== chartsVersion();
    if (!(error instanceof Error) || !(error instanceof AppError || isOfOthers)) throw error;
    const {message: reason} = error;
    return {...checked, state: 'diverges', ...entryIn(reason), reason};
  }
}

/** The entry that the message of a divergence names. */
function entryIn(message: string): Pick<CheckedRun, 'entry'> {
  const [, entry] = /^entry (\d+) /.exec(message) ?? [];
  return entry === undefined ? {} : {entry: Number(entry)};
}
