/** A key of the state of an actor and of all actors below it. */

import {type AnyActorRef, type AnyMachineSnapshot, isMachineSnapshot} from 'xstate';

import {quickDigest} from '../../domain/digest.ts';

export interface KeyOptions {
  /** The values that distinguish the states of an actor; undefined: its snapshot. */
  readonly essence?: (actor: AnyActorRef, snapshot: unknown) => readonly unknown[] | undefined;
  /** The part of a context that distinguishes states. Absent: all of it. */
  readonly contextOf?: (actor: AnyActorRef, context: unknown) => unknown;
  /** Members of objects that distinguish nothing, wherever they are. */
  readonly leftOut?: ReadonlySet<string>;
  /** Contexts are never changed in place, so that the digest of an object remains right and is kept. */
  readonly isFrozen?: boolean;
}

/** Equal for two actors when the same actors below them are in the same states, with any contexts. */
export function placeOf(actor: AnyActorRef): string {
  const snapshot: unknown = actor.getSnapshot();
  if (!isMachineSnapshot(snapshot)) return '';
  return [JSON.stringify(snapshot.value), ...below(snapshot.children, placeOf)].join(' ');
}

/**
 * Returns a function that gives equal keys for two actors exactly when their states and contexts are equal, and those of the
 * actors below them. An actor in a context counts by its id, a function by its name.
 */
export function createKeys({essence, contextOf, leftOut, isFrozen = false}: KeyOptions = {}): (
  actor: AnyActorRef,
) => string {
  const digests = new WeakMap<object, string>();
  /** Objects that are being read: an object may contain itself. */
  const open = new Set<object>();

  function actorText(actor: AnyActorRef): string {
    const snapshot: unknown = actor.getSnapshot();
    const own = essence?.(actor, snapshot);
    if (own) return own.map(digestOf).join(' ');
    if (!isMachineSnapshot(snapshot)) return digestOf(snapshot);
    const {value, status, context, output, error} = snapshot;
    const held: unknown = contextOf ? contextOf(actor, context) : context;
    return [value, status, held, output, error, historyOf(snapshot)]
      .map(digestOf)
      .concat(below(snapshot.children, actorText))
      .join(' ');
  }

  function digestOf(value: unknown): string {
    if (typeof value !== 'object' || value === null) return scalarText(value);
    const known = digests.get(value);
    if (known !== undefined) return known;
    if (open.has(value)) return 'itself';
    open.add(value);
    const digest = quickDigest(membersOf(value).join(','));
    open.delete(value);
    if (isFrozen) digests.set(value, digest);
    return digest;
  }

  function membersOf(value: object): string[] {
    if (Array.isArray(value)) return value.map(digestOf);
    if (value instanceof Map || value instanceof Set) return [...value].map(digestOf);
    if (value instanceof Error) return [value.name, value.message];
    if (isActor(value)) return [value.id];
    if (isDate(value)) return [String(value.getTime())];
    return Object.entries(value)
      .filter(([name, member]) => member !== undefined && leftOut?.has(name) !== true)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => `${name}:${digestOf(member)}`);
  }

  return (actor) => quickDigest(actorText(actor));
}

function scalarText(value: unknown): string {
  if (typeof value === 'function') return `function ${value.name}`;
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

function isActor(value: object): value is AnyActorRef {
  return 'sessionId' in value && 'getSnapshot' in value;
}

/** By its kind: a machine may come from another realm, and charts know no clock. */
function isDate(value: object): value is {readonly getTime: () => number} {
  return Object.prototype.toString.call(value) === '[object Date]';
}

/** The ids of the states that each history leads back to. */
function historyOf(snapshot: AnyMachineSnapshot): Readonly<Record<string, readonly string[]>> {
  const {historyValue} = snapshot;
  return Object.fromEntries(
    Object.entries(historyValue).map(([id, nodes]) => [id, nodes.map((node) => node.id)]),
  );
}

function below(
  children: Readonly<Record<string, AnyActorRef | undefined>>,
  describe: (child: AnyActorRef) => string,
): string[] {
  return Object.entries(children)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, child]) => `${id}(${child ? describe(child) : ''})`);
}
