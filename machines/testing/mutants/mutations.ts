/** All changes of a chart that its tests should notice, and those that no test can notice. */

import type {AnyStateMachine} from 'xstate';

import {nodesOf} from '../chart.ts';
import type {ChartConfig} from './config.ts';
import {invokeChanges} from './invokes.ts';
import type {Builders, Change, Excluded, Mutant} from './mutant.ts';
import {stateChanges} from './states.ts';
import {transitionChanges} from './transitions.ts';

export interface Mutations {
  /** In the order of the states. */
  readonly mutants: readonly Mutant[];
  readonly excluded: readonly Excluded[];
}

/** A chart that a change lets run in a circle fails after so many steps. */
const maxIterations = 10_000;

/** `builders` belong to the copy of XState that is to run the changed machines. */
export function mutationsOf({root}: AnyStateMachine, builders: Builders): Mutations {
  const changes = nodesOf(root).flatMap((node) =>
    stateChanges(node).concat(invokeChanges(node, builders), transitionChanges(node, builders)),
  );
  const named = namesOf(changes);
  return {
    mutants: named.flatMap(({name, change}): Mutant[] => {
      const {kind, node, hint, apply, reason} = change;
      if (reason !== undefined) return [];
      return [{name, kind, state: node.id, hint, apply: (config) => apply(bounded(config))}];
    }),
    excluded: named.flatMap(({name, change: {kind, node, reason}}): Excluded[] =>
      reason === undefined ? [] : [{name, kind, state: node.id, reason}],
    ),
  };
}

/** Changes that would have the same name are numbered. */
function namesOf(changes: readonly Change[]): {name: string; change: Change}[] {
  const times = new Map<string, number>();
  return changes.map((change) => {
    const name = `${change.node.id}: ${change.text}`;
    const before = times.get(name) ?? 0;
    times.set(name, before + 1);
    return {name: before === 0 ? name : `${name} (${before + 1})`, change};
  });
}

function bounded(config: ChartConfig): ChartConfig {
  return {...config, options: {maxIterations, ...config.options}};
}
