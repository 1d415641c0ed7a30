/** Counsel: what rules have begun below an interaction, which a planner waits for so as to read what it came to. */

import {type AnyActorRef, fromCallback} from 'xstate';

import {dialogueAround} from '../facts/record.ts';
import {interactionOf, pathOf} from './path.ts';

/** To whoever waits: nothing that a rule has begun is left at work below its interaction. */
export interface CounselGiven {
  readonly type: 'counsel.given';
}

/** Whether something that a rule has begun is at work below the interaction that the actor is a part of. */
export function isCounselOut(self: AnyActorRef): boolean {
  const interaction = interactionOf(self);
  if (!interaction) return false;
  const own = pathOf(interaction);
  const told = dialogueAround(self).filter(({path}) => path === own);
  const over = new Set(
    told.flatMap((each) => (each.type === 'interaction.settled' ? (each.child ?? []) : [])),
  );
  return told.some(
    (each) => each.type === 'interaction.spawned' && each.by === 'rule' && !over.has(each.child),
  );
}

/** Tells its parent `counsel.given` as soon as it is, at once if nothing is out. */
export const counsel = fromCallback(({sendBack, self}) => {
  let isGiven = false;
  const look = (): void => {
    if (isGiven || isCounselOut(self)) return;
    isGiven = true;
    sendBack({type: 'counsel.given'} satisfies CounselGiven);
  };
  // The interaction records the end of what is below it, and then shows it: told while it records, others would be in its midst.
  const watch = interactionOf(self)?.subscribe({next: look, error: () => {}});
  look();
  return () => watch?.unsubscribe();
});
