/** Diagrams for `quorate diagram`: of a machine in a module, or of a machine of Quorate. */

import {readFileSync} from 'node:fs';

import type {AnyStateMachine, StateValue} from 'xstate';

import type {ChartPositions} from '../../diagrams/layout/positions.ts';
import {t} from '../../machines/message.ts';
import {activeNodes, nodesOf} from '../../machines/testing/chart.ts';
import {meant, usageError} from '../line/usage-error.ts';
import {safeJson} from '../render/text.ts';
import {shippedFile} from '../version.ts';
import {findMachine, type FoundMachine} from './machine-file.ts';

export type DiagramFormat = 'mermaid' | 'svg' | 'json' | 'xstate';

export interface DiagramOptions {
  readonly format: DiagramFormat;
  /** A state as a path, `payment.entering`, or as JSON, `{"payment": "entering"}`. In Mermaid and SVG it is drawn as active. */
  readonly active?: string;
  readonly cwd?: string;
}

/**
 * A text that ends with a newline. `word` is a word for `findMachine`. Rejects as `findMachine`, and with AppError `usage` for an
 * active state that the machine has not.
 */
export async function diagramText(
  word: string,
  {format, active, cwd}: DiagramOptions,
): Promise<string> {
  const found = await findMachine(word, cwd);
  const {machine} = found;
  const states = active === undefined ? new Set<string>() : activeIn(machine, active);
  if (format === 'mermaid')
    return (await import('../../diagrams/mermaid.ts')).toMermaid(machine, states);
  if (format === 'xstate') return (await import('../../diagrams/config.ts')).toCode(machine);
  const positions = await positionsOf(found);
  if (format === 'svg')
    return (await import('../../diagrams/drawing/svg.ts')).toSvg(positions, states);
  const {configOf} = await import('../../diagrams/config.ts');
  return `${safeJson({config: configOf(machine), positions}, 2)}\n`;
}

/** The ids of the states. */
function activeIn(machine: AnyStateMachine, text: string): ReadonlySet<string> {
  const value = stateValueOf(text);
  const nodes = activeNodes(machine, value);
  const known = nodesOf(machine.root).map(({path}) => path.join('.'));
  const unknown = pathsIn(value).find(
    (path) => !nodes.some((node) => node.path.join('.') === path),
  );
  if (unknown === undefined) return new Set(nodes.map(({id}) => id));
  throw usageError(t`--active: the machine has no state "${unknown}"${meant(unknown, known)}`);
}

function stateValueOf(text: string): StateValue {
  try {
    const value: unknown = JSON.parse(text);
    if (isStateValue(value)) return value;
  } catch {
    // It is a path.
  }
  return text.split('.').reduceRight<StateValue>((below, key) => ({[key]: below}), {});
}

function isStateValue(value: unknown): value is StateValue {
  if (typeof value !== 'object' || value === null) return typeof value === 'string';
  return Object.values(value).every(isStateValue);
}

function pathsIn(value: StateValue): string[] {
  if (typeof value === 'string') return [value];
  return Object.entries(value).flatMap(([key, below]) => {
    const inner = below === undefined ? [] : pathsIn(below);
    return inner.length === 0 ? key : inner.map((path) => `${key}.${path}`);
  });
}

/** The layout engine is loaded for machines of users only. */
async function positionsOf({machine, source}: FoundMachine): Promise<ChartPositions> {
  if (source) return await (await import('../../diagrams/layout/place.ts')).placeChart(machine);
  const file = shippedFile(`diagrams/positions/${machine.id}.json`);
  const positions: ChartPositions = JSON.parse(readFileSync(file, 'utf8'));
  return positions;
}
