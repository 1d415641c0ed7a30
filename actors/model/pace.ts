/** The pace of the calls to a provider, for a limit that its processes share as well as they can. */

import {setTimeout as wait} from 'node:timers/promises';

import type {Rates} from '../journal/journal.ts';

/** For the calls of this process. */
export function createRates(): Rates {
  const next = new Map<string, number>();
  return {
    reserve: (name, everyMs) => {
      const now = performance.now();
      const at = Math.max(now, next.get(name) ?? now);
      next.set(name, at + everyMs);
      return at - now;
    },
  };
}

/** Waits until the provider may be called again. Resolves with false when the signal is aborted before. Never rejects. */
export async function awaitTurn(
  {name, callsPerMinute}: {readonly name: string; readonly callsPerMinute?: number | undefined},
  {own, shared}: {readonly own: Rates; readonly shared: Rates | undefined},
  signal: AbortSignal,
): Promise<boolean> {
  if (callsPerMinute === undefined) return true;
  const everyMs = 60_000 / callsPerMinute;
  try {
    const here = await own.reserve(name, everyMs);
    const everywhere = await tryReserve(shared, name, everyMs);
    await wait(Math.max(here, everywhere), undefined, {signal});
    return true;
  } catch {
    return false;
  }
}

/** Without the shared journal, the pace of this process holds. */
async function tryReserve(
  shared: Rates | undefined,
  name: string,
  everyMs: number,
): Promise<number> {
  try {
    return (await shared?.reserve(name, everyMs)) ?? 0;
  } catch {
    return 0;
  }
}
