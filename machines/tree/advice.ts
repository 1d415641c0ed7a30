/** Advice: the results of interactions that rules have spawned. A planner waits for them, to read them first. */

import {type AnyActorRef, fromCallback} from 'xstate';

import {dialogueAround} from '../facts/record.ts';
import {interactionOf, pathOf} from './path.ts';

/** To the waiting parent: no interaction that a rule has spawned is still active below its own. */
export interface AdviceGiven {
  readonly type: 'advice.given';
}

/** True if an interaction that a rule has spawned is active below the actor's own. */
export function isAdvicePending(self: AnyActorRef): boolean {
  const interaction = interactionOf(self);
  if (!interaction) return false;
  const own = pathOf(interaction);
  const ownFacts = dialogueAround(self).filter(({path}) => path === own);
  const over = new Set(
    ownFacts.flatMap((each) => (each.type === 'interaction.settled' ? (each.child ?? []) : [])),
  );
  return ownFacts.some(
    (each) => each.type === 'interaction.spawned' && each.by === 'rule' && !over.has(each.child),
  );
}

/** Sends its parent `advice.given` as soon as no such interaction is active, at once if none is. */
export const adviceWatch = fromCallback(({sendBack, self}) => {
  let isGiven = false;
  const check = (): void => {
    if (isGiven || isAdvicePending(self)) return;
    isGiven = true;
    sendBack({type: 'advice.given'} satisfies AdviceGiven);
  };
  // The interaction's snapshot changes only after it has recorded the end of a child, so the event is sent after its step.
  const watch = interactionOf(self)?.subscribe({next: check, error: () => {}});
  check();
  return () => watch?.unsubscribe();
});
