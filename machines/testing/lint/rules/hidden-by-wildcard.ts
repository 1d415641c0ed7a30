/** Wildcards that take events for which another state, or the machine as a whole, has something better. */

import {type ChartNode, parentsOf} from '../../chart.ts';
import {isForbidding, isWildcard, selects} from '../../descriptors.ts';
import {actorsWithErrors, actorText, fixFor, severityOf} from '../error-handling.ts';
import type {LintedChart} from '../linted-chart.ts';
import type {Fault, Rule} from '../rule.ts';

export const hiddenByWildcard: Rule = {
  name: 'hidden-by-wildcard',
  description:
    'A wildcard of a state takes events that a parent handles by name, or a bare * takes the error of an actor.',
  check: (chart) => [...chart.nodes.flatMap(hidingFaults), ...swallowingFaults(chart)],
};

/** A transition that only forbids the event is meant to hide it. */
function hidingFaults(node: ChartNode): Fault[] {
  return [...node.transitions].flatMap(([wildcard, list]): Fault[] => {
    const taking = list.find((each) => each.guard === undefined && !isForbidding(each));
    if (!isWildcard(wildcard) || taking === undefined) return [];
    const hidden = parentsOf(node).flatMap((ancestor) => hiddenIn(ancestor, node, wildcard));
    if (hidden.length === 0) return [];
    return [
      {
        node,
        severity: 'warning',
        transition: taking,
        message: `${wildcard} takes ${[...new Set(hidden)].join(', ')} before the parent that handles it`,
        fix: 'handle by name what is meant, or handle the events of the parent in this state, too',
      },
    ];
  });
}

/** The events of a parent that a wildcard takes. Not: events that the state handles by a longer descriptor. */
function hiddenIn(ancestor: ChartNode, node: ChartNode, wildcard: string): string[] {
  const longer = [...node.transitions.keys()].filter((key) => key.length > wildcard.length);
  return [...ancestor.transitions]
    .filter(([event, list]) => event !== wildcard && !list.every(isForbidding))
    .map(([event]) => event)
    .filter((event) => selects(wildcard, event) && !longer.some((key) => selects(key, event)));
}

function swallowingFaults(chart: LintedChart): Fault[] {
  return actorsWithErrors('wildcard', chart).map((actor) => ({
    node: actor.node,
    severity: severityOf(actor),
    message: `only a bare * handles the error of ${actorText(actor)}: a failure passes for any other event`,
    fix: fixFor(actor),
  }));
}
