/** Finds faults of a chart from its structure alone: nothing of the machine is run. */

import type {AnyStateMachine} from 'xstate';

import {didYouMean} from '../domain/nearest.ts';
import {
  actionsOf,
  type ChartNode,
  type ChartTransition,
  isMachine,
  isWithin,
  nameOf,
  nodesOf,
  parentsOf,
  selects,
  transitionName,
  transitionsOf,
} from './chart.ts';
import {kindOf, makers, outcomesOf} from './world/kinds.ts';

/** `error`: the chart cannot work as written. `warning`: it may, but probably does not do what was meant. */
type Severity = 'error' | 'warning';

export interface Finding {
  /** Name of the rule. */
  readonly rule: string;
  readonly severity: Severity;
  /** Id of the state. */
  readonly state: string;
  /** Name of the transition, as in tours and in coverage. Absent: the finding is about the state. */
  readonly transition?: string;
  /** The fault and its effect. */
  readonly message: string;
  /** How to mend it. */
  readonly fix: string;
}

/** A finding as a rule reports it. */
interface Fault {
  readonly node: ChartNode;
  readonly severity: Severity;
  readonly transition?: ChartTransition;
  readonly message: string;
  readonly fix: string;
}

interface Rule {
  /** Kebab-case: users write it in `meta.lint.ignore`. */
  readonly name: string;
  /** One sentence: the fault and its effect. */
  readonly description: string;
  readonly check: (chart: LintedChart) => readonly Fault[];
}

interface LintedChart {
  readonly machine: AnyStateMachine;
  /** In document order. */
  readonly nodes: readonly ChartNode[];
  readonly transitions: readonly ChartTransition[];
}

export const rules: readonly Rule[] = [
  {
    name: 'unhandled-error',
    description:
      'No state handles the error of an actor that is invoked, or spawned by spawnChild: a failure stops the machine.',
    check: (chart) =>
      chart.nodes.flatMap(actorsOf).flatMap((actor) => unhandledError(actor, chart)),
  },
  {
    name: 'lost-output',
    description:
      'A final state has an output that nothing takes up, or a transition leads around it to where the output is expected.',
    check: (chart) => [
      ...lostByMachine(chart),
      ...chart.nodes.flatMap((node) => lostByState(node, chart)),
      ...chart.nodes.flatMap(bypasses),
    ],
  },
  {
    name: 'dead-end',
    description:
      'No transition leaves the state, and it does not end the machine: the machine stays there for ever.',
    check: (chart) =>
      chart.transitions.length === 0 ? [] : chart.nodes.flatMap((node) => deadEnd(node, chart)),
  },
  {
    name: 'never-taken',
    description:
      'A transition waits for the end of an actor that is never done: a callback, or a reducer.',
    check: (chart) => chart.nodes.flatMap(actorsOf).flatMap((actor) => neverTaken(actor, chart)),
  },
  {
    name: 'unknown-delay',
    description: 'A delay has no implementation: the event comes at once.',
    check: ({machine, nodes}) => nodes.flatMap((node) => unknownDelays(node, machine)),
  },
];

export interface LintOptions {
  /** Names of the rules to apply. Absent: all. */
  readonly rules?: readonly string[];
  /** Names of rules to leave out. */
  readonly ignore?: readonly string[];
}

/**
 * The findings, errors first, then in the order of the rules and of the states. A state accepts findings, for itself and for
 * the states within it, by `meta: {lint: {ignore: ['dead-end']}}`. Throws for a name in `options` that no rule has.
 */
export function lintChart(machine: AnyStateMachine, options: LintOptions = {}): Finding[] {
  const nodes = nodesOf(machine.root);
  const chart = {machine, nodes, transitions: nodes.flatMap(transitionsOf)};
  const findings = chosen(options).flatMap((rule) =>
    rule
      .check(chart)
      .filter(({node}) => !isAccepted(node, rule))
      .map((fault) => findingOf(fault, rule)),
  );
  const {error = [], warning = []} = Object.groupBy(findings, ({severity}) => severity);
  return [...error, ...warning];
}

function chosen({rules: only, ignore = []}: LintOptions): readonly Rule[] {
  const names = new Set(rules.map(({name}) => name));
  const unknown = [...(only ?? []), ...ignore].find((name) => !names.has(name));
  if (unknown !== undefined) {
    throw new Error(`there is no lint rule "${unknown}"; the rules: ${[...names].join(', ')}`);
  }
  return rules.filter(({name}) => !ignore.includes(name) && (only?.includes(name) ?? true));
}

function isAccepted(node: ChartNode, {name}: Rule): boolean {
  return [node, ...parentsOf(node)].some(({meta}) => {
    const ignored = memberOf(memberOf(meta, 'lint'), 'ignore');
    return Array.isArray(ignored) && ignored.includes(name);
  });
}

function findingOf({node, severity, transition, message, fix}: Fault, {name}: Rule): Finding {
  return {
    rule: name,
    severity,
    state: node.id,
    ...(transition === undefined ? {} : {transition: transitionName(transition)}),
    message,
    fix,
  };
}

interface ChildActor {
  /** The state that starts it. */
  readonly node: ChartNode;
  /** Absent: XState makes one, or a function does. */
  readonly id?: string;
  /** The name under which the chart refers to its logic. Absent: the logic is inline. */
  readonly name?: string;
  /** `undefined` when nothing has the name. */
  readonly logic: unknown;
  readonly isSpawned: boolean;
}

/** The actors that a state invokes, and those of its `spawnChild` actions. Actors that functions spawn are unknown. */
function actorsOf(node: ChartNode): ChildActor[] {
  const configs: readonly unknown[] = [node.config.invoke].flat();
  const invoked = node.invoke.map(({id}, index) => ({
    node,
    id,
    ...logicOf(node, memberOf(configs[index], 'src')),
    isSpawned: false,
  }));
  const spawned = implementedActions(node)
    .filter((action) => builtinType(action) === 'xstate.spawnChild')
    .map((action) => spawnedBy(action, node));
  return [...invoked, ...spawned];
}

function spawnedBy(action: unknown, node: ChartNode): ChildActor {
  const id = memberOf(action, 'id');
  const actor = {node, ...logicOf(node, memberOf(action, 'src')), isSpawned: true};
  return typeof id === 'string' ? {...actor, id} : actor;
}

function logicOf({machine}: ChartNode, src: unknown): Pick<ChildActor, 'name' | 'logic'> {
  if (typeof src !== 'string') return {logic: src};
  return {name: src, logic: memberOf(machine.implementations.actors, src)};
}

/** Entry, exit, transition and initial actions; `undefined` for a name that nothing has. */
function implementedActions(node: ChartNode): readonly unknown[] {
  return [...actionsOf(node), ...node.initial.actions].map((action) => {
    const name = nameOf(action);
    return name === undefined ? action : memberOf(node.machine.implementations.actions, name);
  });
}

/** `xstate.raise`, for example; `undefined` for what is not an action of XState. */
function builtinType(action: unknown): string | undefined {
  const type = typeof action === 'function' ? memberOf(action, 'type') : undefined;
  return typeof type === 'string' && type.startsWith('xstate.') ? type : undefined;
}

/** An own member of an object or a function. */
function memberOf(owner: unknown, key: string): unknown {
  if ((typeof owner !== 'object' && typeof owner !== 'function') || owner === null)
    return undefined;
  return Object.hasOwn(owner, key) ? Reflect.get(owner, key) : undefined;
}

/** A machine fails only if one of its functions throws, or if it does not handle an error of its own actors. */
function unhandledError(actor: ChildActor, chart: LintedChart): Fault[] {
  const {node, id = '*', isSpawned, logic} = actor;
  const kind = kindOf(logic);
  if (['callback', 'transition'].includes(kind) || isErrorHandled(actor, chart)) return [];
  const message = `nothing handles the error of ${actorText(actor)}: a failure stops the machine`;
  const fix = isSpawned
    ? `handle xstate.error.actor.${id} in the root state`
    : 'add onError to the invoke, or handle xstate.error.actor.* in a parent state';
  return [{node, severity: isMachine(logic) ? 'warning' : 'error', message, fix}];
}

/** How a message calls an actor: by the name of its logic, else by an id that the author chose. */
function actorText({name, id = '', isSpawned}: ChildActor): string {
  if (name !== undefined) return name;
  const text = isSpawned ? 'the spawned actor' : 'the inline actor';
  return id === '' || /^\d+\./.test(id) ? text : `${text} ${id}`;
}

/** A handler for the actor's own id: one with a wildcard may be for other actors. */
function neverTaken(actor: ChildActor, {transitions}: LintedChart): Fault[] {
  const kind = kindOf(actor.logic);
  if (actor.id === undefined || kind === 'custom' || outcomesOf[kind].includes('done')) return [];
  return transitions
    .filter(({eventType}) => eventType === `xstate.done.actor.${actor.id}`)
    .map((transition) => ({
      node: transition.source,
      severity: 'error',
      transition,
      message: `${actorText(actor)} is made by ${makers[kind]}: it is stopped, never done`,
      fix: 'leave the handler out, or have the actor send an event when it is ready',
    }));
}

/** A spawned actor outlives the state that spawns it: a handler anywhere counts. */
function isErrorHandled({node, id = '', isSpawned}: ChildActor, {nodes}: LintedChart): boolean {
  const event = `xstate.error.actor.${id}`;
  if (isSpawned) return nodes.some((each) => hasHandler(each, event));
  return (
    isHandledWithin(node, event) ||
    parentsOf(node).some((ancestor) => isHandledBeside(ancestor, event))
  );
}

/** By an ancestor, or by a region of an ancestor: all of its regions are active. */
function isHandledBeside(ancestor: ChartNode, event: string): boolean {
  if (hasHandler(ancestor, event)) return true;
  if (ancestor.type !== 'parallel') return false;
  return childrenOf(ancestor).some((region) => isHandledWithin(region, event));
}

/** By a state itself, or by whichever of its children is active. */
function isHandledWithin(node: ChartNode, event: string): boolean {
  if (hasHandler(node, event)) return true;
  const children = childrenOf(node);
  const each = (child: ChartNode) => isHandledWithin(child, event);
  if (node.type === 'parallel') return children.some(each);
  return children.length > 0 && children.every(each);
}

function hasHandler(node: ChartNode, event: string): boolean {
  return [...node.transitions].some(([key, {length}]) => length > 0 && selects(key, event));
}

/** The output of the machine's final states reaches nobody without an `output` of the machine. */
function lostByMachine({machine: {root}}: LintedChart): Fault[] {
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

/** The output of a final state further in comes with `xstate.done.state.ID`. */
function lostByState(node: ChartNode, {nodes}: LintedChart): Fault[] {
  const withOutput = node.parent ? childrenOf(node).filter(hasOutput) : [];
  const done = `xstate.done.state.${node.id}`;
  const isHandled = nodes.some(({transitions}) =>
    [...transitions.keys()].some((key) => selects(key, done)),
  );
  if (withOutput.length === 0 || isHandled) return [];
  const message = `the output of ${keys(withOutput)} is lost: ${node.key} has no onDone`;
  return [{node, severity: 'error', message, fix: 'add onDone, or leave the output out'}];
}

/**
 * Where `onDone` does something with the output: transitions to its target that neither complete the state nor do anything
 * in place of its actions.
 */
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

/**
 * Not taken for stuck, as they may be meant: a state that handles events without leaving, or that invokes an actor; a state
 * without siblings, and a machine without transitions, where there is nowhere to go.
 */
function deadEnd(node: ChartNode, {transitions}: LintedChart): Fault[] {
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
  const belowRoot = [node, ...parentsOf(node)].slice(0, -1);
  const works = node.invoke.length > 0 || belowRoot.some((each) => transitionsOf(each).length > 0);
  return !works && childrenOf(node.parent).length > 1;
}

/** The final child of a state that waits for nothing else when it completes: not the root, and not a region. */
function finalChild(node: ChartNode): ChartNode | undefined {
  if (!node.parent || node.parent.type === 'parallel') return undefined;
  return childrenOf(node).find(({type}) => type === 'final');
}

/** The child states, without histories. */
function childrenOf(node: ChartNode): ChartNode[] {
  return Object.values(node.states).filter(({type}) => type !== 'history');
}

/** True if a transition can be taken while a state is active, exits it, and leads to another one. Not: the root. */
function leadsAway(transition: ChartTransition, node: ChartNode): boolean {
  const {source, target = []} = transition;
  if (target.length === 0 || !node.parent || !canCoexist(source, node)) return false;
  const domain = domainOf(transition);
  const isExited =
    isWithin(node, domain) && (node !== domain || (transition.reenter && node === source));
  return isExited && target.some((to) => to !== node);
}

/** True if two states can be active at the same time. */
function canCoexist(one: ChartNode, other: ChartNode): boolean {
  if (isWithin(one, other) || isWithin(other, one)) return true;
  return [one, ...parentsOf(one)].find((node) => isWithin(other, node))?.type === 'parallel';
}

/** The innermost state that stays active while a transition is taken. */
function domainOf({source, target = [], reenter}: ChartTransition): ChartNode {
  if (!reenter && target.every((to) => isWithin(to, source))) return source;
  const isCommon = (node: ChartNode) => target.every((to) => to !== node && isWithin(to, node));
  return parentsOf(source).find(isCommon) ?? source.machine.root;
}

/** The delays of `after`, of `raise` and of `sendTo`. A warning when the machine implements none, as `provide` may. */
function unknownDelays(node: ChartNode, {implementations: {delays}}: AnyStateMachine): Fault[] {
  const used = [
    ...node.after.map(({delay}) => delay),
    ...implementedActions(node).map((action) => memberOf(action, 'delay')),
  ];
  const known = Object.keys(delays);
  return [...new Set(used)]
    .filter((name) => typeof name === 'string')
    .filter((name) => !known.includes(name))
    .map((name) => ({
      node,
      severity: known.length > 0 ? ('error' as const) : ('warning' as const),
      message: `the delay ${name} has no implementation: the event comes at once${didYouMean(name, known)}`,
      fix: 'add it to the delays of setup or of provide',
    }));
}
