/** A machine's configuration as plain data: the structure of the chart, with names for guards, actions, actors and delays. */

import type {AnyStateMachine} from 'xstate';

import type {Json, JsonObject} from '../../machines/domain/json.ts';
import {
  type ChartInvoke,
  type ChartNode,
  type ChartTransition,
  isWritten,
} from '../../machines/testing/chart.ts';
import {hasGeneratedId} from '../label.ts';
import {createNames, type Names} from './names.ts';
import {plainOf} from './plain.ts';

/** XState's `createMachine` turns it into a machine with the same states and transitions. */
export function configOf({root, config}: AnyStateMachine): JsonObject {
  const {id, ...state} = stateConfig(root, createNames());
  return present({id, context: plainOf(config.context), ...state});
}

function stateConfig(node: ChartNode, names: Names): JsonObject {
  const {config, type, history} = node;
  const isSpecial = type === 'parallel' || type === 'final' || type === 'history';
  const states = Object.entries(node.states).map(
    ([key, child]) => [key, stateConfig(child, names)] as const,
  );
  return present({
    id: plainOf(config.id),
    description: node.description,
    type: isSpecial ? type : undefined,
    history: history === 'deep' ? history : undefined,
    target: plainOf(config.target),
    initial: initialConfig(node, names),
    tags: unwrapped(node.tags),
    meta: plainOf(node.meta),
    entry: actionNames(node.entry, node, names),
    exit: actionNames(node.exit, node, names),
    invoke: unwrapped(node.invoke.map((invoke) => invokeConfig(invoke, node, names))),
    ...transitionsConfig(node, names),
    route: routeConfig(node, names),
    output: plainOf(node.output),
    states: states.length > 0 ? Object.fromEntries(states) : undefined,
  });
}

function initialConfig(node: ChartNode, names: Names): Json | undefined {
  if (node.type !== 'compound') return undefined;
  const {target, actions} = node.initial;
  const [first] = target;
  if (!first || actions.length === 0) return first?.key;
  return present({target: first.key, actions: actionNames(actions, node, names)});
}

/** The transitions of an invoke, with the prefix of each event type. */
const settlings = [
  ['onDone', 'xstate.done.actor'],
  ['onError', 'xstate.error.actor'],
  ['onSnapshot', 'xstate.snapshot'],
] as const;

function settlingsOf(invoke: ChartInvoke): (readonly [key: string, event: string])[] {
  return settlings.flatMap(([key, event]) =>
    invoke[key] === undefined ? [] : [[key, `${event}.${invoke.id}`] as const],
  );
}

function invokeConfig(invoke: ChartInvoke, node: ChartNode, names: Names): JsonObject {
  const src = names.actor(invoke, node);
  const own = settlingsOf(invoke).map(
    ([key, event]) => [key, listConfig(node.transitions.get(event), names)] as const,
  );
  return present({
    src,
    id: hasGeneratedId(invoke, node) ? undefined : invoke.id,
    systemId: invoke.systemId,
    input: plainOf(invoke.input),
    ...Object.fromEntries(own),
  });
}

function transitionsConfig(
  node: ChartNode,
  names: Names,
): Readonly<Record<'always' | 'on' | 'after' | 'onDone', Json | undefined>> {
  const done = `xstate.done.state.${node.id}`;
  const others = new Set(['xstate.route', done]);
  for (const [, event] of node.invoke.flatMap(settlingsOf)) others.add(event);
  const lists = [...node.transitions].filter(([event]) => !others.has(event));
  const timed = lists.filter(([, list]) => delayOf(list) !== undefined);
  const events = lists.filter(([, list]) => delayOf(list) === undefined);
  return {
    always: listConfig(node.always, names),
    on: table(events.map(([event, list]) => [event, listConfig(list, names)])),
    after: table(timed.map(([, list]) => [delayOf(list) ?? '', timedConfig(list, names)])),
    onDone: listConfig(node.transitions.get(done), names),
  };
}

type Transitions = readonly ChartTransition[];

function delayOf([first]: Transitions): string | undefined {
  return first && 'delay' in first ? String(first.delay) : undefined;
}

/** XState turns `route` into a transition of the machine to this state. */
function routeConfig(node: ChartNode, names: Names): JsonObject | undefined {
  const {route} = node.config;
  if (route === undefined) return undefined;
  return present({
    guard: route.guard === undefined ? undefined : names.guard(route.guard, node),
    actions: actionNames([route.actions ?? []].flat(), node, names),
    description: route.description,
    meta: plainOf(route.meta),
  });
}

/** XState accepts no list of plain targets in `after`, so each one becomes an object. */
function timedConfig(list: Transitions, names: Names): Json | undefined {
  const [only, ...more] = list;
  if (only && more.length === 0) return transitionConfig(only, names);
  return list.map((each) => {
    const config = transitionConfig(each, names);
    return typeof config === 'string' ? {target: config} : config;
  });
}

function table(
  entries: readonly (readonly [key: string, list: Json | undefined])[],
): JsonObject | undefined {
  const lists = entries.map(([key, list]) => [key, list ?? []] as const);
  return lists.length > 0 ? Object.fromEntries(lists) : undefined;
}

function listConfig(list: Transitions | undefined, names: Names): Json | undefined {
  return unwrapped((list ?? []).map((transition) => transitionConfig(transition, names)));
}

/** Only the target if the transition has nothing else. */
function transitionConfig(transition: ChartTransition, names: Names): Json {
  const {source, guard, target, actions, reenter, description, meta} = transition;
  const goal = unwrapped((target ?? []).map((to) => targetOf(to, source)));
  const rest = present({
    guard: guard === undefined ? undefined : withParams(guard, names.guard(guard, source)),
    actions: actionNames(actions, source, names),
    reenter: reenter ? true : undefined,
    description,
    meta: plainOf(meta),
  });
  if (typeof goal === 'string' && Object.keys(rest).length === 0) return goal;
  return present({target: goal, ...rest});
}

/** A sibling or a child by its key, other states by their path from the root. A dot in a key is escaped. */
function targetOf(to: ChartNode, from: ChartNode): string {
  const key = to.key.replaceAll(/[.\\]/g, '\\$&');
  if (to.parent && to.parent === from.parent && !/^[#.]/.test(to.key)) return key;
  if (to.parent === from) return `.${key}`;
  const names = [to.machine.root.id, ...to.path];
  return `#${names.map((name) => name.replaceAll(/[.\\]/g, '\\$&')).join('.')}`;
}

function actionNames(actions: readonly unknown[], node: ChartNode, names: Names): Json | undefined {
  return unwrapped(
    actions.filter(isWritten).map((action) => withParams(action, names.action(action, node))),
  );
}

/** Keeps parameters that are plain data. */
function withParams(item: unknown, name: string): Json {
  const params =
    typeof item === 'object' && item !== null && 'params' in item
      ? plainOf(item.params)
      : undefined;
  return params === undefined ? name : {type: name, params};
}

function unwrapped(list: readonly Json[]): Json | undefined {
  return list.length > 1 ? list : list[0];
}

function present(entries: Readonly<Record<string, Json | undefined>>): JsonObject {
  const known = Object.entries(entries).filter(
    (entry): entry is [string, Json] => entry[1] !== undefined,
  );
  return Object.fromEntries(known);
}
