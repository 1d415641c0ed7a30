/** A key of the state of an actor and of all actors below it. */

import {type AnyActorRef, isMachineSnapshot} from 'xstate';

import {quickDigest} from '../domain/digest.ts';

export interface KeyOptions {
  /** What distinguishes the states of an actor in place of its snapshot; undefined: the snapshot does. */
  readonly essence?: (actor: AnyActorRef, snapshot: unknown) => readonly unknown[] | undefined;
  /** Members of objects that distinguish nothing, wherever they are. */
  readonly leftOut?: ReadonlySet<string>;
}

/** Equal for two actors when the same actors below them are in the same states, whatever their contexts hold. */
export function placeOf(actor: AnyActorRef): string {
  const snapshot: unknown = actor.getSnapshot();
  if (!isMachineSnapshot(snapshot)) return '';
  return [JSON.stringify(snapshot.value), ...below(snapshot.children, placeOf)].join(' ');
}

/** Returns a function that gives equal keys for two actors exactly when their states and contexts are equal, and those below. */
export function createKeys({essence, leftOut}: KeyOptions = {}): (actor: AnyActorRef) => string {
  /** Contexts are never changed in place, so that the digest of an object remains right. */
  const digests = new WeakMap<object, string>();

  function textOf(actor: AnyActorRef): string {
    const snapshot: unknown = actor.getSnapshot();
    const own = essence?.(actor, snapshot);
    if (own) return own.map(digestOf).join(' ');
    if (!isMachineSnapshot(snapshot)) return digestOf(snapshot);
    const {value, status, context, output, error} = snapshot;
    return [value, status, context, output, error]
      .map(digestOf)
      .concat(below(snapshot.children, textOf))
      .join(' ');
  }

  function digestOf(value: unknown): string {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
    const known = digests.get(value);
    if (known !== undefined) return known;
    const digest = quickDigest(membersOf(value).join(','));
    digests.set(value, digest);
    return digest;
  }

  function membersOf(value: object): string[] {
    if (Array.isArray(value)) return value.map(digestOf);
    return Object.entries(value)
      .filter(([name, member]) => member !== undefined && leftOut?.has(name) !== true)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => `${name}:${digestOf(member)}`);
  }

  return (actor) => quickDigest(textOf(actor));
}

function below(
  children: Readonly<Record<string, AnyActorRef | undefined>>,
  describe: (child: AnyActorRef) => string,
): string[] {
  return Object.entries(children)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, child]) => `${id}(${child ? describe(child) : ''})`);
}
