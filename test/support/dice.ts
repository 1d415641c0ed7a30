/** Pseudo-random numbers: the same for the same seed. */

/** From 0 to below `sides`. */
export type Roll = (sides: number) => number;

/** The sequence repeats after 2^32 rolls (mulberry32). */
export function createDice(seed: number): Roll {
  let state = seed;
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * sides);
  };
}

export interface Chooser {
  readonly roll: (sides: number) => number;
  readonly pick: <T>(items: readonly T[]) => T;
  /** True with a probability of 1 / `sides`. */
  readonly oneIn: (sides: number) => boolean;
}

export function createChooser(seed: number): Chooser {
  // Neighbouring seeds begin similarly.
  const roll = createDice(Math.imul(seed, 0x9e3779b1) ^ 0x5bd1e995);
  for (let skipped = 0; skipped < 8; skipped += 1) roll(2);
  return {
    roll,
    oneIn: (sides) => roll(sides) === 0,
    pick: <T>(items: readonly T[]): T => {
      const item = items[roll(items.length)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
  };
}
