/** The states of a chart as an inspector shows them. Works on any machine. */

import type {AnyStateMachine} from 'xstate';

import {
  nodesOf,
  transitionName,
  transitionsOf,
  transitionTexts,
} from '../../machines/testing/chart.ts';
import type {ChartState} from '../../machines/trace/step.ts';

export function chartStates(machine: AnyStateMachine): readonly ChartState[] {
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
