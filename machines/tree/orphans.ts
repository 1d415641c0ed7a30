/** Interactions that stood below one that crashed: whoever runs the charts stops them with it. */

import type {AnyActorRef} from 'xstate';

import type {FormOutput} from '../domain/result.ts';
import {performerOf} from '../ports.ts';
import {type InteractionContext, settledReport} from './children.ts';
import {interactionActor} from './path.ts';
import {tellRecord} from './record.ts';

const message = 'an interaction above it crashed';

const lost: FormOutput = {status: 'error', summary: message, error: {code: 'orphaned', message}};

/** Tells that those below a child ended with it, if it crashed: the deepest first. */
export function tellLost(self: AnyActorRef, actorId: string): void {
  const child = childOf(self, actorId);
  if (child?.getSnapshot().status !== 'error') return;
  for (const orphan of orphansOf(child)) {
    tellRecord(self, {type: 'interaction.settled', id: orphan.id, result: lost});
    performerOf(self.system).report(settledReport(orphan, lost), self);
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
