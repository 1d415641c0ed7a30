/** Limits how often a client may act: a token bucket that fills up with time. */

export interface Rate {
  /** Turns a second in the long run. */
  readonly perSecond: number;
  /** Turns at once. */
  readonly burst: number;
}

/** Takes a turn of the named client. Undefined: allowed; else the seconds until the next turn, at least 1. */
export type Rates = (name: string) => number | undefined;

interface Bucket {
  turns: number;
  /** Epoch ms of `left`. */
  at: number;
}

/** With this many buckets, full ones are removed: they need not be remembered. */
const manyBuckets = 10_000;

export function createRates({perSecond, burst}: Rate, now: () => number = Date.now): Rates {
  const buckets = new Map<string, Bucket>();
  const turnsOf = ({turns, at}: Bucket): number =>
    Math.min(burst, turns + ((now() - at) / 1_000) * perSecond);
  const forgetFull = (): void => {
    for (const [name, bucket] of buckets) if (turnsOf(bucket) >= burst) buckets.delete(name);
  };
  return (name) => {
    const bucket = buckets.get(name) ?? {turns: burst, at: now()};
    const turns = turnsOf(bucket);
    if (turns < 1) return Math.max(1, Math.ceil((1 - turns) / perSecond));
    if (buckets.size >= manyBuckets && !buckets.has(name)) forgetFull();
    buckets.set(name, {turns: turns - 1, at: now()});
    return undefined;
  };
}
