/** What a unit of work costs as a run, its readers and its backups grow: a line for each curve, with the figures at each size. */

import {mkdtempSync} from 'node:fs';
import {join} from 'node:path';

import type {Place} from './place.ts';

interface Curve {
  readonly sizes: readonly number[];
  readonly unit: string;
  /** By the name of the figure: its label. */
  readonly figures: Readonly<Record<string, string>>;
}

const curves: Readonly<Record<string, Curve>> = {
  turns: {
    sizes: [50, 500, 5_000],
    unit: 'turns in one loop',
    figures: {us: 'CPU a turn of the last fifth, µs', mb: 'peak memory, MB'},
  },
  moments: {
    sizes: [50, 200, 800],
    unit: 'turns of a run',
    figures: {us: 'CPU of each moment, of all, µs', mb: 'peak memory, MB'},
  },
  readers: {
    sizes: [20, 200, 2_000],
    unit: 'readers of one form',
    figures: {us: "the server's CPU for each reader of an answer, µs", ms: 'until all have it, ms'},
  },
  undo: {
    sizes: [1_000, 10_000, 100_000],
    unit: 'backups of a run',
    figures: {us: 'CPU of the undo of each, µs', mb: 'peak memory, MB'},
  },
};

/** `only`: curves by name, all when empty. */
export async function printGrowth({folder, run}: Place, only: readonly string[]): Promise<void> {
  for (const [part, {sizes, unit, figures}] of Object.entries(curves)) {
    if (only.length > 0 && !only.includes(part)) continue;
    const points: Readonly<Record<string, number>>[] = [];
    for (const size of sizes) {
      const own = mkdtempSync(join(folder, 'own-'));
      points.push(await run('growth', {part, size, folder: own}));
    }
    print(unit, sizes.map(String));
    for (const [name, label] of Object.entries(figures))
      print(
        `  ${label}`,
        points.map((point) => (point[name] ?? Number.NaN).toFixed(0)),
      );
  }
}

function print(label: string, cells: readonly string[]): void {
  const padded = cells.map((cell) => cell.padStart(10));
  process.stdout.write(`${label.padEnd(56)}${padded.join('')}\n`);
}
