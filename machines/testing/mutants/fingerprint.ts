/** Distinguishes charts by their structure. Functions are left out: they are made anew wherever a chart is made. */

import type {AnyStateMachine} from 'xstate';

import {isWritten, nameOf, nodesOf, transitionName, transitionsOf} from '../chart.ts';

/** Equal for two machines of the same states, transitions, actors, and names of actions. */
export function fingerprintOf({root}: AnyStateMachine): string {
  const states = nodesOf(root).map((node) => [
    node.id,
    node.type,
    node.type === 'compound' ? node.initial.target.map(({id}) => id) : [],
    node.entry.filter(isWritten).map(nameOf),
    node.exit.filter(isWritten).map(nameOf),
    node.invoke.map(({id, src}) => [id, src]),
    transitionsOf(node).map((each) => [transitionName(each), each.actions.map(nameOf)]),
  ]);
  return JSON.stringify(states);
}
