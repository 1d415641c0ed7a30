/** Waiting for what rules have spawned, so that whoever goes on knows what it came to. */

import {type AnyActorRef, fromCallback} from 'xstate';

import {interactionOf, pathOf} from './path.ts';
import {dialogueAround} from './record.ts';

/** Whether something that a rule has spawned below the actor's own interaction is at work. */
export function isCounselOut(self: AnyActorRef): boolean {
  const interaction = interactionOf(self);
  if (!interaction) return false;
  const path = pathOf(interaction);
  const out = new Set<string>();
  for (const told of dialogueAround(self)) {
    if (told.path !== path) continue;
    if (told.type === 'interaction.spawned' && told.by === 'rule') out.add(told.id);
    if (told.type === 'interaction.settled') out.delete(told.id);
  }
  return out.size > 0;
}

/**
 * Tells its parent `counsel.given` once nothing of the kind is at work any more. It hears of that from the interaction, whose
 * words are in the record by then.
 */
export const counsel = fromCallback(({sendBack, self}) => {
  let isGiven = false;
  const look = (): void => {
    if (isGiven || isCounselOut(self)) return;
    isGiven = true;
    sendBack({type: 'counsel.given'});
  };
  const listening = interactionOf(self)?.subscribe({next: look, error: () => {}});
  look();
  return () => listening?.unsubscribe();
});
