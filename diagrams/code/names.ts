/**
 * Names for the guards, actions and actors of a chart: their own, or a description. A function without a name is named by
 * its kind, its number and its state: `inline guard 1 of paying`.
 */

import {type ChartInvoke, type ChartNode, nameOf} from '../../machines/testing/chart.ts';
import {sourceName} from '../label.ts';

export interface Names {
  readonly guard: (guard: unknown, node: ChartNode) => string;
  readonly action: (action: unknown, node: ChartNode) => string;
  readonly actor: (invoke: ChartInvoke, node: ChartNode) => string;
}

/** The same chart gets the same names if they are requested in the same order. */
export function createNames(): Names {
  const counts = new Map<string, number>();
  const numbered = (kind: string, {path, machine}: ChartNode): string => {
    const place = path.length > 0 ? path.join('.') : machine.id;
    const count = (counts.get(`${kind} ${place}`) ?? 0) + 1;
    counts.set(`${kind} ${place}`, count);
    return `inline ${kind} ${count} of ${place}`;
  };
  const guard = (item: unknown, node: ChartNode): string => {
    const parts = partsOf(item)?.map((part) => guard(part, node));
    if (parts && typeof item === 'function') return combined(item.name, parts);
    return nameOf(item) ?? ownName(item) ?? numbered('guard', node);
  };
  return {
    guard,
    action: (item, node) =>
      nameOf(item) ?? builtInName(item) ?? ownName(item) ?? numbered(kindOf(item), node),
    actor: (invoke, node) => sourceName(invoke, node) ?? numbered('actor', node),
  };
}

function partsOf(guard: unknown): readonly unknown[] | undefined {
  const parts = partOf(guard, 'guards');
  return Array.isArray(parts) ? parts : undefined;
}

function combined(operator: string, parts: readonly string[]): string {
  const texts = parts.map((part) => (/ (?:and|or) /.test(part) ? `(${part})` : part));
  return operator === 'not' ? `not ${texts.join('')}` : texts.join(` ${operator} `);
}

/** Function names that come from a property of the configuration, or from XState's own functions. */
const places = new Set(['', 'guard', 'actions', 'entry', 'exit', 'stateIn']);

function ownName(item: unknown): string | undefined {
  if (typeof item !== 'function' || 'type' in item || places.has(item.name)) return undefined;
  return item.name;
}

/** The kind of an XState action, such as `assign`. Otherwise `action`. */
function kindOf(item: unknown): string {
  const type = partOf(item, 'type');
  return typeof type === 'string' ? type.replace('xstate.', '') : 'action';
}

/** Descriptions of XState's actions. Parts that are functions are left out. */
const builtIns: Readonly<Record<string, (action: unknown) => string | undefined>> = {
  'xstate.assign': (action) => {
    const keys = keysOf(partOf(action, 'assignment'));
    return keys.length > 0 ? `assign ${keys.join(', ')}` : undefined;
  },
  'xstate.raise': (action) => said('raise', partOf(partOf(action, 'event'), 'type')),
  'xstate.emit': (action) => said('emit', partOf(partOf(action, 'event'), 'type')),
  'xstate.sendTo': (action) => {
    const event = said('send', partOf(partOf(action, 'event'), 'type'));
    const to = partOf(action, 'to');
    if (typeof to !== 'string') return event;
    const target = to === '#_parent' ? 'the parent' : to;
    return event === undefined ? undefined : `${event} to ${target}`;
  },
  'xstate.cancel': (action) => said('cancel', partOf(action, 'sendId')),
  'xstate.stopChild': (action) => said('stop', partOf(action, 'actorRef')),
  'xstate.spawnChild': (action) => said('spawn', partOf(action, 'src')),
  'xstate.log': (action) => said('log', partOf(action, 'label')),
};

function builtInName(item: unknown): string | undefined {
  const type = partOf(item, 'type');
  return typeof type === 'string' ? builtIns[type]?.(item) : undefined;
}

function said(verb: string, name: unknown): string | undefined {
  return typeof name === 'string' ? `${verb} ${name}` : undefined;
}

function partOf(item: unknown, key: string): unknown {
  const holdsParts = typeof item === 'function' || (typeof item === 'object' && item !== null);
  return holdsParts ? Reflect.get(item, key) : undefined;
}

function keysOf(value: unknown): string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}
