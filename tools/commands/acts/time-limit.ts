/** The time that looking at the places of one command may take. */

import {setTimeout as sleep} from 'node:timers/promises';

/** Of our own processor time. */
const busyMs = 2_000;
/** Of waiting for others. */
const waitMs = 10_000;

/** Resolves with what `look` finds, or with `otherwise` when it fails or no time is left. Never rejects for `look`. */
export type TimeLimit = <T>(look: () => Promise<T>, otherwise: () => T) => Promise<T>;

/** The limit holds for all looks together. */
export function createTimeLimit(): TimeLimit {
  const started = process.threadCpuUsage();
  let waitedMs = 0;
  return async (look, otherwise) => {
    const {user, system} = process.threadCpuUsage(started);
    if ((user + system) / 1_000 > busyMs || waitedMs > waitMs) return otherwise();
    const start = performance.now();
    const stop = new AbortController();
    const late = sleep(waitMs - waitedMs, 'late' as const, {signal: stop.signal}).catch(
      () => 'late' as const,
    );
    try {
      const found = await Promise.race([look(), late]);
      return found === 'late' ? otherwise() : found;
    } catch {
      return otherwise();
    } finally {
      stop.abort();
      waitedMs += performance.now() - start;
    }
  };
}
