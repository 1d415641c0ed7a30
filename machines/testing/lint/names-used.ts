/** The names that a chart uses for guards, actions and delays. */

import {type ChartNode, guardsIn, nameOf, transitionsOf} from '../chart.ts';
import {implementedAction, memberOf, writtenActions} from './actors.ts';
import type {LintedChart} from './linted-chart.ts';

export interface NameUse {
  readonly node: ChartNode;
  readonly name: string;
}

/** Each name once for a state. */
type NamesOf = (chart: LintedChart) => NameUse[];

/** Guards, and the parts of combined guards. */
export const guardsUsed: NamesOf = (chart) =>
  uses(chart, (node) => {
    const names = new Set(transitionsOf(node).flatMap(({guard}) => guardNames(guard)));
    for (const name of names) {
      for (const part of guardNames(memberOf(chart.machine.implementations.guards, name)))
        names.add(part);
    }
    return [...names];
  });

export const actionsUsed: NamesOf = (chart) =>
  uses(chart, (node) => writtenActions(node).flatMap((action) => nameOf(action) ?? []));

/** The delays of `after`, of `raise` and of `sendTo`. */
export const delaysUsed: NamesOf = (chart) =>
  uses(chart, (node) => {
    const actions = writtenActions(node).map((action) => implementedAction(node, action));
    const delays = [
      ...node.after.map(({delay}) => delay),
      ...actions.map((each) => memberOf(each, 'delay')),
    ];
    return delays.filter((delay) => typeof delay === 'string');
  });

function uses({nodes}: LintedChart, namesOf: (node: ChartNode) => readonly string[]): NameUse[] {
  return nodes.flatMap((node) => [...new Set(namesOf(node))].map((name) => ({node, name})));
}

function guardNames(guard: unknown): string[] {
  return guardsIn(guard).filter((name) => name !== undefined);
}
