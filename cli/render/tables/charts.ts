/** The machines of Quorate as a table. */

import type {SystemMap} from '../../../diagrams/map/system-map.ts';
import type {Style} from '../style.ts';
import {machineTexts} from './machine-texts.ts';
import {tableLines} from './table.ts';

export interface ChartsView {
  readonly style: Style;
  readonly width: number;
}

/** By room, each with its description. */
export function chartLines({machines}: SystemMap, {style, width}: ChartsView): string[] {
  const rows = machines.map(({id, states, transitions, does}) => [
    id,
    String(states),
    String(transitions),
    does,
  ]);
  return tableLines(machineTexts(style).charts, rows, style, width);
}

/** For programs. */
export function chartData({machines}: SystemMap): object {
  return machines.map(({id, room, does, states, transitions}) => ({
    name: id,
    room,
    does,
    states,
    transitions,
  }));
}
