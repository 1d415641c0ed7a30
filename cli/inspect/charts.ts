/** Charts of machines for the page: their drawings and their states. */

import {readFileSync} from 'node:fs';

import type {AnyStateMachine} from 'xstate';

import {chartStates} from '../../actors/inspect/chart-states.ts';
import type {ChartPositions} from '../../diagrams/layout/positions.ts';
import {shippedFile} from '../shipped-file.ts';
import type {Chart} from './replies.ts';

/** Of a machine of Quorate, whose drawing is shipped. Undefined: there is none of this name. */
export async function shippedChart(name: string): Promise<Chart | undefined> {
  const {machines} = await import('../../machines/index.ts');
  const machine = machines.find(({id}) => id === name);
  if (!machine) return undefined;
  const file = shippedFile(`diagrams/positions/${machine.id}.json`);
  const positions: ChartPositions = JSON.parse(readFileSync(file, 'utf8'));
  return {positions, states: chartStates(machine)};
}

/** Of any machine. Loads the layout engine at the first call. */
export async function drawnChart(machine: AnyStateMachine): Promise<Chart> {
  const {placeChart} = await import('../../diagrams/layout/place.ts');
  return {positions: await placeChart(machine), states: chartStates(machine)};
}
