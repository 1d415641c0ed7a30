/** Dice that don't repeat within millions of rolls, as those of the tests do; the same for the same seed (mulberry32). */

import type {Roll} from '../../support/dice.ts';

export function createLongDice(seed: number): Roll {
  let state = seed;
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * sides);
  };
}
