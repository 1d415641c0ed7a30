/**
 * Spawns an interaction below the actor's own when it is invoked. Its parent receives `child.refused`, or `child.spawned`
 * and, if it waits, `child.settled`. If the actor is stopped while it waits, or its parent crashes, it cancels the child.
 */

import {type AnyEventObject, fromCallback} from 'xstate';

import type {SpawnableForm} from '../domain/interaction-form.ts';
import type {ContextMode} from '../domain/interaction-form.ts';
import {toContextInjection, toInteractionResult} from '../domain/interaction-result.ts';
import type {FormOutput} from '../domain/result.ts';
import type {RecordedDialogue} from '../facts/fact.ts';
import {dialogueAround} from '../facts/record.ts';
import type {InteractionCancel, InteractionSpawn, SpawnError, Spawner} from './form-event.ts';
import {parentNotFound} from './interaction-tree.ts';
import {interactionOf, parentOf, pathOf} from './path.ts';

export interface SpawnOrder {
  readonly form: SpawnableForm;
  readonly request: string;
  readonly by: Spawner;
  readonly isAwaited: boolean;
  /** Absent: the form's default. */
  readonly contextMode?: ContextMode;
}

export type ChildEvent =
  | {readonly type: 'child.refused'; readonly error: SpawnError}
  | {readonly type: 'child.spawned'; readonly id: string}
  | {
      readonly type: 'child.settled';
      readonly id: string;
      readonly result: FormOutput;
      /** The result as its parent reads it. */
      readonly text: string;
    };

export const spawnBelow = fromCallback<AnyEventObject, SpawnOrder>(({sendBack, self, input}) => {
  const interaction = interactionOf(self);
  const send = (event: ChildEvent): void => sendBack(event);
  if (!interaction) {
    send({type: 'child.refused', error: parentNotFound('above')});
    return undefined;
  }
  const ref = pathOf(self);
  let seen = dialogueAround(self).length;
  let child = '';
  let isOver = false;
  const receive = (fact: RecordedDialogue): void => {
    const event = isOver ? undefined : eventFor(fact, {ref, child, form: input.form});
    if (!event) return;
    if (event.type === 'child.spawned') child = event.id;
    isOver = event.type !== 'child.spawned' || !input.isAwaited;
    send(event);
  };
  // Events are sent after the interaction's step: XState warns if a machine starts within an action of another.
  const listening = interaction.subscribe({
    next: () => {
      const dialogue = dialogueAround(self);
      const added = dialogue.slice(seen);
      seen = dialogue.length;
      for (const fact of added) receive(fact);
    },
    error: () => {},
  });
  const leave = (): void => {
    if (isOver || child === '') return;
    isOver = true;
    interaction.send({
      type: 'interaction.cancel',
      interaction: child,
    } satisfies InteractionCancel);
  };
  const crash = parentOf(self)?.subscribe({error: leave});
  interaction.send({type: 'interaction.spawn', ...input, ref} satisfies InteractionSpawn);
  return () => {
    listening.unsubscribe();
    crash?.unsubscribe();
    leave();
  };
});

/** The event for the parent of a fact about its child; undefined for other facts. */
function eventFor(
  fact: RecordedDialogue,
  {ref, child, form}: {ref: string; child: string; form: SpawnableForm},
): ChildEvent | undefined {
  if (fact.type === 'interaction.spawned' && fact.detail.ref === ref)
    return {type: 'child.spawned', id: fact.child};
  if (fact.type === 'interaction.refused' && fact.detail.ref === ref)
    return {type: 'child.refused', error: fact.error};
  if (fact.type !== 'interaction.settled' || fact.child !== child) return undefined;
  const {result} = fact.detail;
  const text = toContextInjection(toInteractionResult(form, result));
  return {type: 'child.settled', id: child, result, text};
}
