/**
 * States where a machine gets stuck. Not taken for stuck, as they may be meant:
 *
 * - a state that handles events without leaving, or that invokes an actor;
 * - a state without siblings, and a machine without transitions: there is nowhere to go.
 */

import {type ChartNode, transitionsOf} from '../../chart.ts';
import type {LintedChart} from '../linted-chart.ts';
import {childrenOf, leadsAway, lineOf} from '../relations.ts';
import type {Fault, Rule} from '../rule.ts';

export const deadEnd: Rule = {
  name: 'dead-end',
  description:
    'No transition leaves the state, and it does not end the machine: the machine stays there for ever.',
  check: (chart) => {
    if (chart.transitions.length === 0) return [];
    return chart.nodes
      .filter((node) => chart.reached.has(node))
      .flatMap((node) => faultOf(node, chart));
  },
};

function faultOf(node: ChartNode, {transitions}: LintedChart): Fault[] {
  const isLeft = (state: ChartNode) => transitions.some((each) => leadsAway(each, state));
  if (isIdle(node) && !isLeft(node)) {
    const fix = "make it type: 'final', or give it a transition";
    return [{node, severity: 'warning', message: `nothing leaves ${node.key}`, fix}];
  }
  const end = finalChild(node);
  if (end === undefined || isLeft(end)) return [];
  const message = `nothing follows when ${node.key} completes: it has no onDone, and nothing leaves ${end.key}`;
  return [{node, severity: 'warning', message, fix: 'add onDone'}];
}

/** True if a state does nothing, and has siblings to go to. */
function isIdle(node: ChartNode): boolean {
  if (node.type !== 'atomic' || !node.parent || node.parent.type === 'parallel') return false;
  const belowRoot = lineOf(node).slice(0, -1);
  const works = node.invoke.length > 0 || belowRoot.some((each) => transitionsOf(each).length > 0);
  return !works && childrenOf(node.parent).length > 1;
}

/** The final child of a state that waits for nothing else when it completes: not the root, and not a region. */
function finalChild(node: ChartNode): ChartNode | undefined {
  if (!node.parent || node.parent.type === 'parallel') return undefined;
  return childrenOf(node).find(({type}) => type === 'final');
}
