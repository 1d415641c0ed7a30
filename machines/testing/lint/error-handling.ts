/** Which states handle the error of a child actor. */

import {type ChartNode, isMachine, parentsOf} from '../chart.ts';
import {selects} from '../descriptors.ts';
import {type ChildActor, isCallback} from './actors.ts';
import type {LintedChart} from './linted-chart.ts';
import {childrenOf} from './relations.ts';
import type {Severity} from './rule.ts';

/** `named`: by a descriptor for errors. `wildcard`: only by a bare `*`. `none`: the error stops the machine. */
type ErrorHandling = 'named' | 'wildcard' | 'none';

/** The actors whose error is handled so. Not callbacks: they fail only if they throw before they return. */
export function actorsWithErrors(handling: ErrorHandling, chart: LintedChart): ChildActor[] {
  return chart.actors.filter(
    (actor) => !isCallback(actor.logic) && errorHandlingOf(actor, chart) === handling,
  );
}

function errorHandlingOf(actor: ChildActor, chart: LintedChart): ErrorHandling {
  const event = errorOf(actor);
  if (isHandled(actor, chart, (descriptor) => descriptor !== '*' && selects(descriptor, event))) {
    return 'named';
  }
  return isHandled(actor, chart, (descriptor) => selects(descriptor, event)) ? 'wildcard' : 'none';
}

/** A machine fails only if one of its functions throws, or if it does not handle an error of its own actors. */
export function severityOf({logic}: ChildActor): Severity {
  return isMachine(logic) ? 'warning' : 'error';
}

/** How a message calls an actor: by the name of its logic, else by an id that the author chose. */
export function actorText({name, id = '', isSpawned}: ChildActor): string {
  if (name !== undefined) return name;
  const text = isSpawned ? 'the spawned actor' : 'the inline actor';
  return id === '' || /^\d+\./.test(id) ? text : `${text} ${id}`;
}

export function fixFor({id = '*', isSpawned}: ChildActor): string {
  return isSpawned
    ? `handle xstate.error.actor.${id} in the root state`
    : 'add onError to the invoke, or handle xstate.error.actor.* in a parent state';
}

/** A spawned actor outlives the state that spawns it: a handler anywhere counts. */
function isHandled(
  {node, isSpawned}: ChildActor,
  {nodes}: LintedChart,
  accepts: (descriptor: string) => boolean,
): boolean {
  if (isSpawned) return nodes.some((each) => hasHandler(each, accepts));
  return (
    isHandledWithin(node, accepts) ||
    parentsOf(node).some((ancestor) => isHandledBeside(ancestor, node, accepts))
  );
}

/** By an ancestor itself, or by one of its regions, all of which are active. */
function isHandledBeside(
  ancestor: ChartNode,
  node: ChartNode,
  accepts: (descriptor: string) => boolean,
): boolean {
  if (hasHandler(ancestor, accepts)) return true;
  if (ancestor.type !== 'parallel') return false;
  return childrenOf(ancestor).some((region) => isHandledWithin(region, accepts));
}

/** By a state itself, or by whichever of its children is active. */
function isHandledWithin(node: ChartNode, accepts: (descriptor: string) => boolean): boolean {
  if (hasHandler(node, accepts)) return true;
  const children = childrenOf(node);
  const each = (child: ChartNode) => isHandledWithin(child, accepts);
  if (node.type === 'parallel') return children.some(each);
  return children.length > 0 && children.every(each);
}

function hasHandler(node: ChartNode, accepts: (descriptor: string) => boolean): boolean {
  return [...node.transitions].some(([key, {length}]) => length > 0 && accepts(key));
}

function errorOf({id = ''}: ChildActor): string {
  return `xstate.error.actor.${id}`;
}
