/** What an actor that crashed leaves at work: XState stops it alone, and nobody hears those below it any more. */

import type {AnyActorRef} from 'xstate';

import type {FormOutput} from '../domain/result.ts';
import {performerOf} from '../ports.ts';
import {type InteractionContext, settledReport} from './children.ts';
import {interactionActor} from './path.ts';
import {tellRecord} from './record.ts';

const message = 'an interaction above it crashed';

const lost: FormOutput = {status: 'error', summary: message, error: {code: 'orphaned', message}};

/** Stops all below a child that crashed: what they wait for is withdrawn. Does nothing for one that did not crash. */
export function stopBelow(self: AnyActorRef, actorId: string): void {
  const crashed = childOf(self, actorId);
  if (crashed) stopOrphans(crashed);
}

/** The same, of an interaction: that those below it have ended with it is told, of the deepest first. */
export function endBelow(self: AnyActorRef, actorId: string): void {
  const crashed = childOf(self, actorId);
  if (crashed?.getSnapshot().status !== 'error') return;
  const orphans = orphansOf(crashed);
  stopOrphans(crashed);
  for (const orphan of orphans) {
    tellRecord(self, {type: 'interaction.settled', id: orphan.id, result: lost});
    performerOf(self.system).report(settledReport(orphan, lost), self);
  }
}

function stopOrphans(crashed: AnyActorRef): void {
  const {status, children} = crashed.getSnapshot();
  if (status !== 'error') return;
  const below: readonly (AnyActorRef | undefined)[] = Object.values(children ?? {});
  for (const child of below) {
    if (child?.getSnapshot().status === 'active') child.send({type: 'xstate.stop'});
    else if (child) stopOrphans(child);
  }
}

/** Interactions that were at work below; none below one that crashed as it began. */
function orphansOf(interaction: AnyActorRef): InteractionContext['running'] {
  const {running = []}: Partial<InteractionContext> = interaction.getSnapshot().context ?? {};
  return running.flatMap((child) => {
    const actor = childOf(interaction, interactionActor(child.id));
    return (actor ? orphansOf(actor) : []).concat(child);
  });
}

function childOf(actor: AnyActorRef, id: string): AnyActorRef | undefined {
  return actor.getSnapshot().children?.[id];
}
