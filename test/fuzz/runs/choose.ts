/** Choices of a seeded adversary, and its spellings of the same path. */

import {createDice} from '../../support/dice.ts';

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

/** A path of the workspace as a shell may receive it. */
export function spellPath({pick, oneIn, roll}: Chooser, path: string): string {
  if (oneIn(2)) return path;
  const last = path.lastIndexOf('/') + 1;
  const cut = Math.min(path.length - 1, last + 1 + roll(3));
  return pick([
    `./${path}`,
    `"${path}"`,
    `'${path}'`,
    `${path.slice(0, cut)}*`,
    `${path.slice(0, cut)}?${path.slice(cut + 1)}`,
    `${path.slice(0, cut)}[${path.at(cut)}]${path.slice(cut + 1)}`,
    `"$PWD/${path}"`,
    `src/../${path}`,
    `$(echo ${path})`,
    `{${path},${path}}`,
    `${path.slice(0, cut)}''${path.slice(cut)}`,
    `${path.slice(0, cut)}\\${path.slice(cut)}`,
    `"$(printf %s ${path})"`,
    `./src/.././${path}`,
    `$(ls -d ${path})`,
    `~+/${path}`,
  ]);
}
