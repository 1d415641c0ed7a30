/**
 * Actors below a chart that threw. XState leaves them running (statelyai/xstate#5153): nobody would hear them, and what
 * they have at work would go on.
 */

import type {AnyActorRef} from 'xstate';

import {onActorEnded} from './xstate-internals.ts';

/** From now on, whatever stands below an actor of the system that crashes is stopped at once, before its parent hears of it. */
export function stopOrphans(system: AnyActorRef['system']): void {
  onActorEnded(system, (actor) => {
    for (const child of orphansOf(actor)) child.send({type: 'xstate.stop'});
  });
}

function orphansOf(actor: AnyActorRef): AnyActorRef[] {
  const snapshot: unknown = actor.getSnapshot();
  if (!isCrashed(snapshot)) return [];
  return Object.values(snapshot.children).filter(isAtWork);
}

function isCrashed(
  snapshot: unknown,
): snapshot is {readonly children: Readonly<Record<string, AnyActorRef | undefined>>} {
  return (
    typeof snapshot === 'object' &&
    snapshot !== null &&
    'status' in snapshot &&
    snapshot.status === 'error' &&
    'children' in snapshot
  );
}

function isAtWork(actor: AnyActorRef | undefined): actor is AnyActorRef {
  return actor?.getSnapshot().status === 'active';
}
