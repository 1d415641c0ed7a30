/** Diagrams for `quorate diagram`: of a machine in a module, of a machine of Quorate, or the map of all of these. */

import {readFileSync} from 'node:fs';

import type {ChartPositions} from '../../diagrams/layout/positions.ts';
import type {SystemMap} from '../../diagrams/map/system-map.ts';
import {usageError} from '../line/usage-error.ts';
import {safeJson} from '../render/text.ts';
import {shippedFile} from '../shipped-file.ts';
import {type DiagramFormat, mapName} from './diagram-formats.ts';
import {findMachine, type FoundMachine} from './machine-file.ts';

/** Throws when the package lacks the file. */
export function shippedMap(): SystemMap {
  const map: SystemMap = JSON.parse(readFileSync(shippedFile('diagrams/map.json'), 'utf8'));
  return map;
}

/**
 * A text that ends with a newline. `word` is a word for `findMachine`, or the name of the map. Rejects as `findMachine`, and
 * with AppError `usage` for the map as code.
 */
export async function diagramText(
  word: string,
  format: DiagramFormat,
  cwd?: string,
): Promise<string> {
  if (word === mapName) return await mapTextAs(format);
  const found = await findMachine(word, cwd);
  const {machine} = found;
  if (format === 'mermaid') return (await import('../../diagrams/mermaid.ts')).toMermaid(machine);
  if (format === 'xstate') return (await import('../../diagrams/code/code.ts')).toCode(machine);
  const positions = await positionsOf(found);
  if (format === 'svg') return (await import('../../diagrams/drawing/svg.ts')).toSvg(positions);
  const {configOf} = await import('../../diagrams/code/config.ts');
  return `${safeJson({config: configOf(machine), positions}, 2)}\n`;
}

/** The layout engine is loaded for machines of users only. */
async function positionsOf({machine, source}: FoundMachine): Promise<ChartPositions> {
  if (source) return await (await import('../../diagrams/layout/place.ts')).placeChart(machine);
  const file = shippedFile(`diagrams/positions/${machine.id}.json`);
  const positions: ChartPositions = JSON.parse(readFileSync(file, 'utf8'));
  return positions;
}

async function mapTextAs(format: DiagramFormat): Promise<string> {
  if (format === 'svg') return readFileSync(shippedFile('diagrams/map.svg'), 'utf8');
  if (format === 'json') return `${safeJson(shippedMap(), 2)}\n`;
  if (format === 'mermaid') {
    return (await import('../../diagrams/map/map-mermaid.ts')).mapMermaid(shippedMap());
  }
  throw usageError({
    en: 'the map is not a machine: its formats are mermaid, svg and json',
    ja: 'map はマシンではありません。形式は mermaid、svg、json です',
  });
}
