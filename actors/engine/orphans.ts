/**
 * Stops actors below a chart that threw. XState leaves them running (statelyai/xstate#5153): their effects would continue, and
 * no actor would receive the outcomes.
 */

import type {AnyActorRef} from 'xstate';

import {onActorEnded} from './xstate-internals.ts';

/** From now on, when an actor of the system crashes, the actors below it are stopped at once, before its parent is notified. */
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
