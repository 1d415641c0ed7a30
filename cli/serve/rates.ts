/** How often somebody may do something: a bucket of turns that fills up again with time. */

export interface Rate {
  /** Turns a second in the long run. */
  readonly perSecond: number;
  /** Turns at once. */
  readonly burst: number;
}

/** Takes a turn of whoever has this name. Undefined: it may; else the seconds after which it may, at least 1. */
export type Rates = (name: string) => number | undefined;

interface Bucket {
  turns: number;
  /** Epoch ms, when it had so many. */
  at: number;
}

/** Full buckets need not be remembered. With so many, they are looked for. */
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
