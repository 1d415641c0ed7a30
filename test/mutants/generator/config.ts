/** Reads and changes the config of a machine. It is a plain object; a change copies only the members on its path. */

import type {AnyStateMachine} from 'xstate';

import type {ChartNode} from '../../../machines/testing/chart.ts';

export type ChartConfig = AnyStateMachine['config'];

export type ConfigPath = readonly (string | number)[];

/** The path of a state's own config. */
export function pathOf({path}: ChartNode): ConfigPath {
  return path.flatMap((key) => ['states', key]);
}

export function memberOf(value: unknown, key: string | number): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([name]) => name === String(key))?.[1];
}

export function membersOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

export function valueAt(config: unknown, path: ConfigPath): unknown {
  return path.reduce(memberOf, config);
}

/** A copy of a config with another value at a path. Undefined removes a member. */
export function withValue(config: ChartConfig, path: ConfigPath, value: unknown): ChartConfig {
  const [first = '', ...rest] = path;
  return Object.assign({}, config, {[first]: changed(memberOf(config, first), rest, value)});
}

function changed(value: unknown, [key, ...rest]: ConfigPath, to: unknown): unknown {
  if (key === undefined) return to;
  const member = changed(memberOf(value, key), rest, to);
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => (index === key ? member : item));
  }
  const members = membersOf(value);
  const {[String(key)]: _, ...others}: Record<string, unknown> = {...members};
  if (member === undefined) return others;
  return Object.hasOwn(members, key) ? {...members, [key]: member} : {...others, [key]: member};
}

/** A list of a config, which may be a single item or absent. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** The config of a transition as an object: it may be written as a target alone. */
export function transitionConfig(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {target: value};
}

/** Equal members in equal order. Functions are equal only when they are the same. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false;
  const members = Object.entries(one);
  const others = Object.entries(other);
  return (
    members.length === others.length &&
    members.every(
      ([name, value], index) => name === others[index]?.[0] && isEqual(value, others[index]?.[1]),
    )
  );
}

/** A target that is valid in every state. */
export function targetOf({machine, path}: ChartNode): string {
  const keys = [machine.root.id, ...path].map((key) => key.replaceAll(/[\\.]/g, String.raw`\$&`));
  return `#${keys.join('.')}`;
}
