/** How a run stands, as far as its journal tells. */

import type {Entry, InteractionRow, Journal} from '../actors/journal/journal.ts';
import type {Peeked} from '../actors/peek.ts';
import {AppError} from '../machines/domain/app-error.ts';

/** `suspended` and `waiting`, which waits for a person, were left in order; whoever ran `crashed` has died. */
export type InteractionState = 'running' | 'waiting' | 'suspended' | 'crashed' | 'ended';

export async function stateOf(
  {id, status}: InteractionRow,
  {log, owners}: Journal,
): Promise<InteractionState> {
  if (status !== undefined) return 'ended';
  const tenure = await owners.tenureOf(id);
  if (tenure !== 'free') return tenure === 'owned' ? 'running' : 'crashed';
  const {entries} = await log.salvage(id);
  const standing = await standingOf(id, entries);
  const asked = standing ? standing.gates.length + standing.asks.length : 0;
  return asked > 0 ? 'waiting' : 'suspended';
}

/** Where an open run stands; unknown when other charts than ours wrote it. */
export async function standingOf(
  id: string,
  entries: readonly Entry[],
): Promise<Peeked | undefined> {
  const [opened] = entries;
  const {chartsVersion} = await import('../actors/version.ts');
  if (opened?.type !== 'opened' || opened.version !== chartsVersion()) return undefined;
  const {peekRun} = await import('../actors/peek.ts');
  try {
    return await peekRun(id, entries);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
