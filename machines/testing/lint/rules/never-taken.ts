/** Transitions that another one always precedes, with any guards and events. */

import {type ChartNode, type ChartTransition, nameOf, nodesOf} from '../../chart.ts';
import type {LintedChart} from '../linted-chart.ts';
import {canCoexist, leaves} from '../relations.ts';
import type {Fault, Rule} from '../rule.ts';

export const neverTaken: Rule = {
  name: 'never-taken',
  description: 'Another transition is always taken before this one.',
  check: (chart) =>
    chart.nodes.flatMap((node) => [
      ...[...node.transitions.values(), node.always ?? []].flatMap(shadowed),
      ...laterDelays(node),
      ...passedOver(node, chart),
      ...afterTheEnd(node),
    ]),
};

/** Those after a transition without a guard, or with the same guard. */
function shadowed(list: readonly ChartTransition[]): Fault[] {
  return list.flatMap((transition, index) => {
    const earlier = list.slice(0, index).find((each) => holdsWhenever(each, transition));
    if (earlier === undefined) return [];
    const guard = nameOf(earlier.guard);
    const rival = guard === undefined ? 'one without a guard' : `one with the same guard ${guard}`;
    return fault(
      transition,
      `it comes after ${rival}`,
      'put the transition with fewer conditions last, or delete one',
    );
  });
}

function holdsWhenever({guard}: ChartTransition, later: ChartTransition): boolean {
  if (guard === undefined) return true;
  const name = nameOf(guard);
  const hasParams = typeof guard === 'object' && 'params' in guard;
  return name !== undefined && !hasParams && name === nameOf(later.guard);
}

/** Delays in milliseconds that are longer than one after which the state is left. */
function laterDelays(node: ChartNode): Fault[] {
  const limits = node.after.flatMap(({delay, eventType}) => {
    const isLimit =
      typeof delay === 'number' && isSurelyLeft(node, node.transitions.get(eventType));
    return isLimit ? [delay] : [];
  });
  const limit = Math.min(...limits);
  const isHidden = nodesOf(node).some(({transitions}) => transitions.has('*'));
  return node.after
    .filter(({delay}) => typeof delay === 'number' && delay > limit && !isHidden)
    .flatMap((each) =>
      fault(each, `the state is left after ${limit} ms`, 'delete it, or swap the delays'),
    );
}

/** True if a state is left whichever of the transitions is taken, and one of them is. */
function isSurelyLeft(node: ChartNode, list: readonly ChartTransition[] = []): boolean {
  const last = list.findIndex(({guard}) => guard === undefined);
  return last >= 0 && list.slice(0, last + 1).every((each) => leaves(each, node));
}

/** Transitions with an event, of a state that is left as soon as it is entered. */
function passedOver(node: ChartNode, {transitions}: LintedChart): Fault[] {
  const {always} = node;
  const isRival = ({source, eventType}: ChartTransition) =>
    eventType === '' && source !== node && canCoexist(source, node);
  if (!isSurelyLeft(node, always) || transitions.some(isRival)) return [];
  const message = 'the state is left at once by always';
  return [...node.transitions.values()]
    .flat()
    .flatMap((each) => fault(each, message, 'add a guard to always, or delete the transition'));
}

/** Transitions of a final state that ends the machine. */
function afterTheEnd({type, parent, transitions}: ChartNode): Fault[] {
  if (type !== 'final' || !parent || parent.parent) return [];
  const message = 'its state is final, and ends the machine';
  return [...transitions.values()]
    .flat()
    .flatMap((each) => fault(each, message, "delete it, or leave type: 'final' out"));
}

function fault(transition: ChartTransition, reason: string, fix: string): Fault[] {
  const message = `the transition is never taken: ${reason}`;
  return [{node: transition.source, severity: 'error', transition, message, fix}];
}
