/** The state of a run, from its journal: the same for lists, commands, the server and the inspector. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {Peeked} from '../history/peek.ts';
import type {Entry, InteractionRow, Journal, Salvaged} from '../journal/journal.ts';
import type {RunState} from '../runtime-api.ts';

/**
 * `status`: of its closing result, if it is known; otherwise the entries say whether it has ended. Rejects with AppError
 * `not_found` for an unknown run.
 */
export async function runStateOf(
  {id, status}: Pick<InteractionRow, 'id' | 'status'>,
  {log, owners}: Pick<Journal, 'log' | 'owners'>,
): Promise<RunState> {
  if (status !== undefined) return 'ended';
  const tenure = await owners.tenureOf(id);
  if (tenure === 'owned') return 'running';
  const {isUsable} = await import('../journal/chain.ts');
  const salvaged = await log.salvage(id);
  if (salvaged.entries.length === 0) throw new AppError('not_found', `there is no run ${id}`);
  if (!isUsable(salvaged)) return 'damaged';
  if (salvaged.entries.at(-1)?.type === 'closed') return 'ended';
  return await leftState(id, salvaged, tenure === 'abandoned');
}

/** The state of an open run that no process has. */
async function leftState(
  id: string,
  {entries, imported}: Salvaged,
  isAbandoned: boolean,
): Promise<RunState> {
  const peeked = await tryPeekRun(id, entries);
  if (!peeked) return (await isOfOtherCharts(entries)) ? 'outdated' : 'damaged';
  if (imported) return 'imported';
  if (isAbandoned) return 'crashed';
  return peeked.gates.length + peeked.asks.length > 0 ? 'waiting' : 'suspended';
}

/** True for a run that `resume` continues. */
export function isResumable(state: RunState | undefined): boolean {
  return state === 'suspended' || state === 'waiting' || state === 'crashed';
}

/** A run could not be resumed because another process has it, or because it works in a folder of another machine. */
export function isOfAnother(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === 'busy' || error.code === 'elsewhere');
}

/** Replays an open run to its present; undefined when these charts can't replay it. */
export async function tryPeekRun(
  id: string,
  entries: readonly Entry[],
): Promise<Peeked | undefined> {
  const {peekRun} = await import('../history/peek.ts');
  try {
    return await peekRun(id, entries);
  } catch (error) {
    if (error instanceof AppError || (await isOfOtherCharts(entries))) return undefined;
    throw error;
  }
}

async function isOfOtherCharts([opened]: readonly Entry[]): Promise<boolean> {
  const {chartsVersion} = await import('../version.ts');
  return opened?.type === 'opened' && opened.version !== chartsVersion();
}
