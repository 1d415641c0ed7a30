/** The diagrams of machines as files. */

import {globSync, mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';

import type {AnyStateMachine} from 'xstate';

import {toSvg} from './drawing/svg.ts';
import {chartGraph, sketchOf} from './layout/chart-graph.ts';
import {placeChart, placeGraph} from './layout/place.ts';
import type {ChartPositions} from './layout/positions.ts';

/** Texts by the file's path. */
export type Files = Readonly<Record<string, string>>;

/** `positions/<id>.json` and `svg/<id>.svg`. */
export async function diagramFiles(machine: AnyStateMachine): Promise<Files> {
  const positions = await placeChart(machine);
  return {
    [`positions/${machine.id}.json`]: positionsText(positions),
    [`svg/${machine.id}.svg`]: toSvg(positions),
  };
}

/** The main path through a machine, as an overview. */
export async function sketchFile(machine: AnyStateMachine): Promise<Files> {
  const positions = await placeGraph(sketchOf(chartGraph(machine)));
  return {[`${machine.id}-sketch.svg`]: toSvg(positions)};
}

/** One line for each state and each arrow, so that diffs are small. */
export function positionsText({nodes, edges, ...chart}: ChartPositions): string {
  const head = Object.entries(chart).map(
    ([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},`,
  );
  return `{\n${head.join('\n')}\n  "nodes": [${linesOf(nodes)}\n  ],\n  "edges": [${linesOf(edges)}\n  ]\n}\n`;
}

function linesOf(list: readonly object[]): string {
  return list.map((each) => `\n    ${JSON.stringify(each)}`).join(',');
}

/** Writes the files, and deletes all other files that match the patterns. */
export function writeFiles(folder: string, files: Files, patterns: readonly string[]): void {
  for (const file of globSync(patterns, {cwd: folder})) {
    if (!Object.hasOwn(files, file)) rmSync(join(folder, file));
  }
  for (const [file, text] of Object.entries(files)) {
    const path = join(folder, file);
    mkdirSync(dirname(path), {recursive: true});
    writeFileSync(path, text);
  }
}
