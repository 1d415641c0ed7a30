/** Messages to an active interaction: those of a person, and the results of its children. */

import type {AnyActorRef} from 'xstate';

import {toContextInjection, toInteractionResult} from '../domain/interaction-result.ts';
import type {RecordedDialogue, Fact} from '../facts/fact.ts';
import {factsUnder, dialogueAround} from '../facts/record.ts';
import {interactionOf, pathOf} from './path.ts';

/** One message to an interaction. */
export interface PendingMessage {
  /** `person`: it is part of the request. `interaction`: the result of another interaction, which is data. */
  readonly from: 'person' | 'interaction';
  readonly text: string;
}

export interface PendingMessages {
  readonly items: readonly PendingMessage[];
  /** The number of all messages up to now: later ones are pending. */
  readonly readCount: number;
}

/** The messages to the actor's interaction after the first `readCount` ones, in order. */
export function messagesFor(self: AnyActorRef, readCount: number): PendingMessages {
  const interaction = interactionOf(self);
  if (!interaction) return {items: [], readCount};
  const all = itemsIn(dialogueAround(self), pathOf(interaction));
  return {items: all.slice(readCount), readCount: all.length};
}

/** The fact of an actor that has read all of these: see {@link unreadIn}. */
export function messagesReadFact(pendingMessages: readonly PendingMessage[]): Fact | undefined {
  return pendingMessages.length === 0
    ? undefined
    : {type: 'messages.read', count: pendingMessages.length};
}

/** A person's messages that no actor of the interaction has read, because they arrived after its last turn. */
export function unreadIn(interaction: AnyActorRef): readonly string[] {
  const own = `${pathOf(interaction)}/form`;
  const readCounts = factsUnder(interaction).flatMap((fact) => {
    const isOwn = fact.path === own || fact.path.startsWith(`${own}/`);
    return fact.type === 'messages.read' && isOwn ? [fact.count] : [];
  });
  const {items} = messagesFor(interaction, Math.max(0, ...readCounts));
  return items.filter(({from}) => from === 'person').map(({text}) => text);
}

/** At a gate inside the form of the interaction, a person asks for another proposal. */
function isSaidAtGate({type, path: from}: RecordedDialogue, path: string): boolean {
  return type === 'user.said' && from.startsWith(`${path}/form/`);
}

function itemsIn(dialogue: readonly RecordedDialogue[], path: string): PendingMessage[] {
  const own = dialogue.filter((each) => each.path === path || isSaidAtGate(each, path));
  return own.flatMap((each): PendingMessage[] => {
    if (each.type === 'user.said') return [{from: 'person', text: each.text}];
    if (each.type === 'interaction.refused' && each.detail.ref === undefined) {
      const text = `No ${each.form} was spawned: ${each.error.message}`;
      return [{from: 'interaction', text}];
    }
    if (each.type !== 'interaction.settled') return [];
    const spawned = own.find(
      (other) => other.type === 'interaction.spawned' && other.child === each.child,
    );
    if (spawned?.type !== 'interaction.spawned' || spawned.detail.isAwaited) return [];
    const text = toContextInjection(toInteractionResult(spawned.form, each.detail.result));
    return [{from: 'interaction', text}];
  });
}
