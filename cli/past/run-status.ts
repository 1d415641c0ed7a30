/** The state of a run, from its journal. */

import type {Entry, InteractionRow, Journal} from '../../actors/journal/journal.ts';
import type {Peeked} from '../../actors/sessions/peek.ts';
import {AppError} from '../../machines/domain/app-error.ts';

/**
 * `suspended` and `waiting` (for a person) were left in order; the process of a `crashed` run has died. `outdated`: recorded by
 * other charts, which these can't replay. `damaged`: its journal was altered. None of these can be resumed, nor can one that is
 * `imported`: an earlier version has taken it from another journal.
 */
export type InteractionState =
  | 'running'
  | 'waiting'
  | 'suspended'
  | 'crashed'
  | 'imported'
  | 'outdated'
  | 'damaged'
  | 'ended';

export async function stateOf(
  {id, status, imported}: InteractionRow,
  {log, owners}: Journal,
): Promise<InteractionState> {
  if (status !== undefined) return 'ended';
  const tenure = await owners.tenureOf(id);
  if (tenure === 'owned') return 'running';
  const {isUsable} = await import('../../actors/journal/chain.ts');
  const salvaged = await log.salvage(id);
  if (!isUsable(salvaged)) return 'damaged';
  const {entries} = salvaged;
  const peeked = await tryPeekRun(id, entries);
  if (!peeked) return (await isOfOtherCharts(entries)) ? 'outdated' : 'damaged';
  if (imported) return 'imported';
  if (tenure === 'abandoned') return 'crashed';
  return peeked.gates.length + peeked.asks.length > 0 ? 'waiting' : 'suspended';
}

/** The state of an open run; undefined when these charts can't replay it. */
export async function tryPeekRun(
  id: string,
  entries: readonly Entry[],
): Promise<Peeked | undefined> {
  const {peekRun} = await import('../../actors/sessions/peek.ts');
  try {
    return await peekRun(id, entries);
  } catch (error) {
    if (error instanceof AppError || (await isOfOtherCharts(entries))) return undefined;
    throw error;
  }
}

async function isOfOtherCharts([opened]: readonly Entry[]): Promise<boolean> {
  const {chartsVersion} = await import('../../actors/version.ts');
  return opened?.type === 'opened' && opened.version !== chartsVersion();
}
