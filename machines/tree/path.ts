/** Paths of actors: the ids from the root to the actor, unique in the tree and the same in every replay. */

import type {AnyActorRef} from 'xstate';

const prefix = 'interaction:';

const paths = new WeakMap<AnyActorRef, string>();

export function pathOf(actor: AnyActorRef): string {
  const known = paths.get(actor);
  if (known !== undefined) return known;
  const parent = parentOf(actor);
  const path = parent ? `${pathOf(parent)}/${actor.id}` : actor.id;
  paths.set(actor, path);
  return path;
}

/** The actor of the interaction that contains the actor, or the actor itself; undefined outside of any. */
export function interactionOf(actor: AnyActorRef): AnyActorRef | undefined {
  for (let each: AnyActorRef | undefined = actor; each; each = parentOf(each)) {
    if (each.id === 'interaction' || each.id.startsWith(prefix)) return each;
  }
  return undefined;
}

/** The id of the actor of an interaction below another. */
export function interactionActor(id: string): `interaction:${string}` {
  return `${prefix}${id}`;
}

/** The same interaction under another name of the root: an id is the name of the root with numbers behind it, `RUN.1.2`. */
export function underRoot(id: string, root: string): string {
  return root + id.slice(rootIdOf(id).length);
}

/** The name of the root in an id. */
export function rootIdOf(id: string): string {
  return id.split('.', 1)[0] ?? id;
}

/** The interaction that contains an actor, by its path: `root` unless it is below the root. */
export function interactionIn(path: string, root: string): string {
  const last = `/${path}`.lastIndexOf(`/${prefix}`);
  const [id = root] = last < 0 ? [] : path.slice(last + prefix.length).split('/', 1);
  return underRoot(id, root);
}

/** The parent actor. XState has no public name for it. */
export function parentOf({_parent: parent}: AnyActorRef): AnyActorRef | undefined {
  return parent;
}
