/** All changes of a chart that its tests should detect, and changes that no test can detect. */

import type {AnyStateMachine} from 'xstate';

import {nodesOf} from '../../../machines/testing/chart.ts';
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
export function mutationsOf(machine: AnyStateMachine, builders: Builders): Mutations {
  const all = changesOf(machine, builders);
  return {
    mutants: all.flatMap(({name, change: {kind, node, hint, apply, reason}}): Mutant[] =>
      reason === undefined
        ? [{name, kind, state: node.id, hint, apply: (config) => apply(bounded(config))}]
        : [],
    ),
    excluded: all.flatMap(({name, change: {kind, node, reason}}): Excluded[] =>
      reason === undefined ? [] : [{name, kind, state: node.id, reason}],
    ),
  };
}

interface NamedChange {
  readonly name: string;
  readonly change: Change;
}

/** Changes that would have the same name are numbered. */
function changesOf({root}: AnyStateMachine, builders: Builders): NamedChange[] {
  const times = new Map<string, number>();
  return nodesOf(root)
    .flatMap((node) =>
      stateChanges(node).concat(invokeChanges(node, builders), transitionChanges(node, builders)),
    )
    .map((change) => {
      const name = `${change.node.id}: ${change.text}`;
      const before = times.get(name) ?? 0;
      times.set(name, before + 1);
      return {name: before === 0 ? name : `${name} (${before + 1})`, change};
    });
}

function bounded(config: ChartConfig): ChartConfig {
  return {...config, options: {maxIterations, ...config.options}};
}
