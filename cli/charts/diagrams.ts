/** Diagrams for `quorate diagram`: of a machine in a module, or of a machine of Quorate. */

import {readFileSync} from 'node:fs';

import type {ChartPositions} from '../../diagrams/layout/positions.ts';
import {safeJson} from '../render/text.ts';
import {shippedFile} from '../version.ts';
import {findMachine, type FoundMachine} from './machine-file.ts';

export type DiagramFormat = 'mermaid' | 'svg' | 'json' | 'xstate';

/** A text that ends with a newline. `word` is a word for `findMachine`. Rejects as `findMachine`. */
export async function diagramText(
  word: string,
  format: DiagramFormat,
  cwd?: string,
): Promise<string> {
  const found = await findMachine(word, cwd);
  const {machine} = found;
  if (format === 'mermaid') return (await import('../../diagrams/mermaid.ts')).toMermaid(machine);
  if (format === 'xstate') return (await import('../../diagrams/config.ts')).toCode(machine);
  const positions = await positionsOf(found);
  if (format === 'svg') return (await import('../../diagrams/drawing/svg.ts')).toSvg(positions);
  const {configOf} = await import('../../diagrams/config.ts');
  return `${safeJson({config: configOf(machine), positions}, 2)}\n`;
}

/** The layout engine is loaded for machines of users only. */
async function positionsOf({machine, source}: FoundMachine): Promise<ChartPositions> {
  if (source) return await (await import('../../diagrams/layout/place.ts')).placeChart(machine);
  const file = shippedFile(`diagrams/positions/${machine.id}.json`);
  const positions: ChartPositions = JSON.parse(readFileSync(file, 'utf8'));
  return positions;
}
