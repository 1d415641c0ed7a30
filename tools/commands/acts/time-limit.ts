/** The time limit for looking at the places of one command. */

import {setTimeout as sleep} from 'node:timers/promises';

/** Processor time of this process. */
const busyMs = 2_000;
/** Time spent waiting for others. */
const waitMs = 10_000;

/** Resolves with the result of `look`, or of `otherwise` when `look` fails or no time is left. Never rejects because of `look`. */
export type TimeLimit = <T>(look: () => Promise<T>, otherwise: () => T) => Promise<T>;

/** The limit applies to all looks together. */
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
