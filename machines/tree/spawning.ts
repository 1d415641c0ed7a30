/**
 * Has an interaction spawned below the one that the actor is a part of, when it is invoked. Its parent hears
 * `child.refused`, or `child.spawned` and, if it waits for it, `child.settled`. Stopped while it waits, or when its parent
 * crashes, it has the child cancelled: nobody waits for it any more.
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
      /** As the one above reads it. */
      readonly text: string;
    };

export const spawnBelow = fromCallback<AnyEventObject, SpawnOrder>(({sendBack, self, input}) => {
  const interaction = interactionOf(self);
  const tell = (event: ChildEvent): void => sendBack(event);
  if (!interaction) {
    tell({type: 'child.refused', error: parentNotFound('above')});
    return undefined;
  }
  const ref = pathOf(self);
  let seen = dialogueAround(self).length;
  let child = '';
  let isOver = false;
  const hear = (told: RecordedDialogue): void => {
    const event = isOver ? undefined : eventFor(told, {ref, child, form: input.form});
    if (!event) return;
    if (event.type === 'child.spawned') child = event.id;
    isOver = event.type !== 'child.spawned' || !input.isAwaited;
    tell(event);
  };
  // Told when its step is over: XState warns of machines that begin within an action of its own.
  const listening = interaction.subscribe({
    next: () => {
      const dialogue = dialogueAround(self);
      const news = dialogue.slice(seen);
      seen = dialogue.length;
      for (const told of news) hear(told);
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

/** What a child of one's own that was told of is to whoever wanted it. */
function eventFor(
  told: RecordedDialogue,
  {ref, child, form}: {ref: string; child: string; form: SpawnableForm},
): ChildEvent | undefined {
  if (told.type === 'interaction.spawned' && told.detail.ref === ref)
    return {type: 'child.spawned', id: told.child};
  if (told.type === 'interaction.refused' && told.detail.ref === ref)
    return {type: 'child.refused', error: told.error};
  if (told.type !== 'interaction.settled' || told.child !== child) return undefined;
  const {result} = told.detail;
  const text = toContextInjection(toInteractionResult(form, result));
  return {type: 'child.settled', id: child, result, text};
}
