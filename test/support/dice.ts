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
