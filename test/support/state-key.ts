/** A key of where an actor and all below it stand: equal exactly when their states and contexts are. */

import {type AnyActorRef, isMachineSnapshot} from 'xstate';

import {quickDigest} from '../../machines/domain/digest.ts';

/** What charts hold is never changed in place, so that a digest holds as long as its object. */
const digests = new WeakMap<object, string>();

export function keyOf(actor: AnyActorRef): string {
  return quickDigest(textOf(actor));
}

function textOf(actor: AnyActorRef): string {
  const snapshot: unknown = actor.getSnapshot();
  if (!isMachineSnapshot(snapshot)) return digestOf(snapshot);
  const {value, status, context, output, error} = snapshot;
  const children: Readonly<Record<string, AnyActorRef | undefined>> = snapshot.children;
  const below = Object.entries(children)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, child]) => `${id}(${child ? textOf(child) : ''})`);
  return [value, status, context, output, error].map(digestOf).concat(below).join(' ');
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
    .filter(([, member]) => member !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${name}:${digestOf(member)}`);
}
