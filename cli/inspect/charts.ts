/** Charts of machines for the page: their drawings and their states. */

import {readFileSync} from 'node:fs';

import type {AnyStateMachine} from 'xstate';

import type {ChartPositions} from '../../diagrams/layout/positions.ts';
import {
  nodesOf,
  transitionName,
  transitionsOf,
  transitionTexts,
} from '../../machines/testing/chart.ts';
import type {ChartState} from '../../machines/trace/step.ts';
import {shippedFile} from '../version.ts';
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

// The states of a chart as an inspector shows them. Works on any machine.

function chartStates(machine: AnyStateMachine): readonly ChartState[] {
  const texts = transitionTexts(machine);
  return nodesOf(machine.root).map((node) => ({
    id: node.id,
    path: node.path,
    type: node.type,
    tags: node.tags,
    invokes: node.invoke.map(({id, src}) => ({
      id,
      logic: typeof src === 'string' ? src : id,
    })),
    transitions: transitionsOf(node).map((transition) => {
      const name = transitionName(transition);
      return {name, event: transition.eventType, text: texts.get(name) ?? name};
    }),
  }));
}
