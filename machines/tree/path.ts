/** Names of actors: the path of ids from the root's to an actor's own, unique in its tree, the same on every replay. */

import type {AnyActorRef} from 'xstate';

const paths = new WeakMap<AnyActorRef, string>();

export function pathOf(actor: AnyActorRef): string {
  const known = paths.get(actor);
  if (known !== undefined) return known;
  const parent = parentOf(actor);
  const path = parent ? `${pathOf(parent)}/${actor.id}` : actor.id;
  paths.set(actor, path);
  return path;
}

/** The actor above. XState has no public name for it. */
export function parentOf({_parent: parent}: AnyActorRef): AnyActorRef | undefined {
  return parent;
}
