/**
 * The output of a final state that is lost.
 *
 * - The output of the machine's final states reaches nobody without an `output` of the machine.
 * - The output of a final state further in comes with `xstate.done.state.ID`, and is lost when nothing handles it.
 * - When `onDone` does something with that output, a transition that leads straight to its target goes around it.
 */

import {type ChartNode, nodesOf, transitionsOf} from '../../chart.ts';
import {isHandledIn} from '../events.ts';
import type {LintedChart} from '../linted-chart.ts';
import {childrenOf} from '../relations.ts';
import type {Fault, Rule} from '../rule.ts';

export const lostOutput: Rule = {
  name: 'lost-output',
  description:
    'A final state has an output that nothing takes up, or a transition leads around it to where the output is expected.',
  check: (chart) => [
    ...machineFaults(chart),
    ...chart.nodes.flatMap((node) => lostOutputs(node, chart)),
    ...chart.nodes.flatMap(bypasses),
  ],
};

function machineFaults({machine: {root}}: LintedChart): Fault[] {
  const ends = childrenOf(root).filter(({type}) => type === 'final');
  const withOutput = ends.filter(hasOutput);
  if (withOutput.length === 0) return [];
  if (root.output === undefined) {
    const message = `the output of ${keys(withOutput)} is lost: the machine has no output`;
    const fix = 'add output: ({event}) => event.output to the machine';
    return [{node: root, severity: 'error', message, fix}];
  }
  const withoutOutput = ends.filter((end) => !hasOutput(end));
  if (withoutOutput.length === 0) return [];
  const message = `the machine ends in ${keys(withOutput)} with an output, in ${keys(withoutOutput)} without one`;
  return [{node: root, severity: 'warning', message, fix: 'give each final state an output'}];
}

function lostOutputs(node: ChartNode, {nodes}: LintedChart): Fault[] {
  const withOutput = node.parent ? childrenOf(node).filter(hasOutput) : [];
  if (withOutput.length === 0 || isHandledIn(nodes, `xstate.done.state.${node.id}`)) return [];
  const message = `the output of ${keys(withOutput)} is lost: ${node.key} has no onDone`;
  return [{node, severity: 'error', message, fix: 'add onDone, or leave the output out'}];
}

/** Transitions to the target of `onDone` that neither complete the state nor do anything in place of its actions. */
function bypasses(node: ChartNode): Fault[] {
  const done = node.transitions.get(`xstate.done.state.${node.id}`) ?? [];
  const taking = done.filter(({actions}) => actions.length > 0);
  const goals = new Set(taking.flatMap(({target = []}) => target));
  if (!node.parent || !childrenOf(node).some(hasOutput)) return [];
  return nodesOf(node)
    .filter((each) => each !== node)
    .flatMap(transitionsOf)
    .filter(
      ({actions, eventType}) => actions.length === 0 && !eventType.startsWith('xstate.error.'),
    )
    .filter(({target = []}) => target.some((to) => goals.has(to)))
    .map((transition) => ({
      node: transition.source,
      severity: 'warning' as const,
      transition,
      message: `it leads to where onDone of ${node.key} brings an output, and brings none`,
      fix: 'lead to a final state, or add the actions that onDone has',
    }));
}

function hasOutput({type, output}: ChartNode): boolean {
  return type === 'final' && output !== undefined;
}

function keys(nodes: readonly ChartNode[]): string {
  return nodes.map(({key}) => key).join(' and ');
}
