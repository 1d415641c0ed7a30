/** Numbers that look random and are the same for the same seed. */

/** From 0 to below `sides`. */
export type Roll = (sides: number) => number;

export function createDice(seed: number): Roll {
  let state = seed;
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * sides);
  };
}
