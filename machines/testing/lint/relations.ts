/** How the states of a chart stand to each other, and which of them a transition leaves. */

import {type ChartNode, type ChartTransition, isWithin, parentsOf} from '../chart.ts';

/** The state, its parent, and so on up to the root. */
export function lineOf(node: ChartNode): ChartNode[] {
  return [node, ...parentsOf(node)];
}

/** The child states, without histories. */
export function childrenOf(node: ChartNode): ChartNode[] {
  return Object.values(node.states).filter(({type}) => type !== 'history');
}

/** True if two states can be active at the same time. */
export function canCoexist(one: ChartNode, other: ChartNode): boolean {
  if (isWithin(one, other) || isWithin(other, one)) return true;
  return lineOf(one).find((node) => isWithin(other, node))?.type === 'parallel';
}

/** True if a transition can be taken while a state is active, and exits it. It may enter it again. Not: the root. */
export function exits(transition: ChartTransition, node: ChartNode): boolean {
  const {source, target = []} = transition;
  if (target.length === 0 || !node.parent || !canCoexist(source, node)) return false;
  const domain = domainOf(transition);
  return isWithin(node, domain) && (node !== domain || (transition.reenter && node === source));
}

/** True if a transition exits a state and leads to another one. */
export function leadsAway(transition: ChartTransition, node: ChartNode): boolean {
  return exits(transition, node) && transition.target?.some((to) => to !== node) === true;
}

/** True if a transition exits a state, and cannot enter it again. */
export function leaves(transition: ChartTransition, node: ChartNode): boolean {
  const {target = []} = transition;
  const entered = target.map((to) => (to.type === 'history' && to.parent ? to.parent : to));
  return exits(transition, node) && !entered.some((to) => canCoexist(to, node));
}

/** The innermost state that stays active while a transition is taken. */
function domainOf({source, target = [], reenter}: ChartTransition): ChartNode {
  if (!reenter && target.every((to) => isWithin(to, source))) return source;
  const isCommon = (node: ChartNode) => target.every((to) => to !== node && isWithin(to, node));
  return parentsOf(source).find(isCommon) ?? source.machine.root;
}

/** True if a state can complete, so that `xstate.done.state.ID` is raised. */
export function canComplete(node: ChartNode): boolean {
  if (node.type === 'final') return true;
  const children = childrenOf(node);
  if (node.type === 'parallel') return children.length > 0 && children.every(canComplete);
  return children.some(({type}) => type === 'final');
}
