/** Where the config of a machine says each of its transitions. */

import type {ChartNode, ChartTransition} from '../../../machines/testing/chart.ts';
import {
  type ChartConfig,
  type ConfigPath,
  listOf,
  memberOf,
  pathOf,
  transitionConfig,
  valueAt,
  withValue,
} from './config.ts';

/** The transitions of one event in one state. */
export interface Slot {
  readonly node: ChartNode;
  /** Of the list in the config. */
  readonly path: ConfigPath;
  readonly transitions: readonly ChartTransition[];
  readonly isDelayed: boolean;
}

/** The transitions of a state in the order of its config. Transitions that another of the same event replaces are left out. */
export function slotsOf(node: ChartNode): Slot[] {
  const base = pathOf(node);
  const at = (event: string, ...keys: ConfigPath) => [event, [...base, ...keys]] as const;
  const invokes = node.invoke.flatMap(({id}, index) => {
    const path = invokePath(node, index).slice(base.length);
    return [
      at(`xstate.done.actor.${id}`, ...path, 'onDone'),
      at(`xstate.error.actor.${id}`, ...path, 'onError'),
      at(`xstate.snapshot.${id}`, ...path, 'onSnapshot'),
    ];
  });
  const written = [
    ...keysOf(node.config.on).map((event) => at(event, 'on', event)),
    at(`xstate.done.state.${node.id}`, 'onDone'),
    ...invokes,
  ].filter(([, path]) => valueAt(node.machine.config, path) !== undefined);
  const delays = keysOf(node.config.after).map((delay) =>
    at(
      `xstate.after.${Number.isNaN(Number(delay)) ? delay : Number(delay)}.${node.id}`,
      'after',
      delay,
    ),
  );
  const slots = (paths: Iterable<readonly [string, ConfigPath]>, isDelayed: boolean) =>
    [...paths].map(([event, path]): Slot => ({
      node,
      path,
      transitions: node.transitions.get(event) ?? [],
      isDelayed,
    }));
  return [
    ...slots(new Map(written), false),
    ...slots(new Map(delays), true),
    {node, path: [...base, 'always'], transitions: node.always ?? [], isDelayed: false},
  ].filter(({transitions}) => transitions.length > 0);
}

export function invokePath(node: ChartNode, index: number): ConfigPath {
  const isList = Array.isArray(memberOf(node.config, 'invoke'));
  return [...pathOf(node), 'invoke', ...(isList ? [index] : [])];
}

function keysOf(value: object | undefined): string[] {
  return Object.keys(value ?? {});
}

/** A copy of the config with other members of one transition. */
export function withTransition(
  config: ChartConfig,
  {path}: Slot,
  index: number,
  members: object,
): ChartConfig {
  const list = listOf(valueAt(config, path)).map((each, at) =>
    at === index ? Object.assign({}, transitionConfig(each), members) : each,
  );
  return withValue(config, path, list);
}

/** A copy of the config without one transition. */
export function withoutTransition(config: ChartConfig, {path}: Slot, index: number): ChartConfig {
  const list = listOf(valueAt(config, path)).filter((_, at) => at !== index);
  return withValue(config, path, list.length === 0 ? undefined : list);
}
