/** What an interview knows at this moment: the innermost of its agents has it. */

import type {AnyActorRef, AnyMachineSnapshot} from 'xstate';

import type {Dialogue} from './dialogue.ts';

/** Of an actor of an interview that has a dialogue: its own, or that of the agent below it which is at work. */
export function dialogueNow(actor: AnyActorRef): Dialogue {
  const {children, context}: AnyMachineSnapshot = actor.getSnapshot();
  const working = Object.values<AnyActorRef | undefined>(children).find(hasDialogue);
  const {dialogue}: {readonly dialogue: Dialogue} = context;
  return working ? dialogueNow(working) : dialogue;
}

function hasDialogue(actor: AnyActorRef | undefined): actor is AnyActorRef {
  const {context}: Partial<AnyMachineSnapshot> = actor?.getSnapshot() ?? {};
  return context !== undefined && 'dialogue' in context;
}
