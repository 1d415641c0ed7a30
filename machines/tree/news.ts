/** What an interaction is told while it is at work: a person's words, and what those below it came to. */

import type {AnyActorRef} from 'xstate';

import {toContextInjection, toInteractionResult} from '../domain/interaction-result.ts';
import type {RecordedDialogue, Fact} from '../facts/fact.ts';
import {factsUnder, dialogueAround} from '../facts/record.ts';
import {interactionOf, pathOf} from './path.ts';

/** One thing that an interaction is told. */
export interface NewsItem {
  /** `person`: it is part of what is asked. `interaction`: what another found, which is data. */
  readonly from: 'person' | 'interaction';
  readonly text: string;
}

export interface News {
  readonly items: readonly NewsItem[];
  /** How much of it there is by now: what is told after it is news. */
  readonly heard: number;
}

/** What the interaction that the actor is a part of was told after the first `heard` items, in order. */
export function newsFor(self: AnyActorRef, heard: number): News {
  const interaction = interactionOf(self);
  if (!interaction) return {items: [], heard};
  const all = itemsIn(dialogueAround(self), pathOf(interaction));
  return {items: all.slice(heard), heard: all.length};
}

/** Of whoever reads all of these: see {@link unheardIn}. */
export function heardFact(news: readonly NewsItem[]): Fact | undefined {
  return news.length === 0 ? undefined : {type: 'messages.read', count: news.length};
}

/** What persons said to an interaction that nobody in it has read: it came after the last turn. */
export function unheardIn(interaction: AnyActorRef): readonly string[] {
  const own = `${pathOf(interaction)}/form`;
  const heard = factsUnder(interaction).flatMap((fact) => {
    const isOwn = fact.path === own || fact.path.startsWith(`${own}/`);
    return fact.type === 'messages.read' && isOwn ? [fact.count] : [];
  });
  const {items} = newsFor(interaction, Math.max(0, ...heard));
  return items.filter(({from}) => from === 'person').map(({text}) => text);
}

function itemsIn(dialogue: readonly RecordedDialogue[], path: string): NewsItem[] {
  const told = dialogue.filter((each) => each.path === path);
  return told.flatMap((each): NewsItem[] => {
    if (each.type === 'user.said') return [{from: 'person', text: each.text}];
    if (each.type === 'interaction.refused' && each.detail.ref === undefined) {
      const text = `No ${each.form} was spawned: ${each.error.message}`;
      return [{from: 'interaction', text}];
    }
    if (each.type !== 'interaction.settled') return [];
    const spawned = told.find(
      (other) => other.type === 'interaction.spawned' && other.child === each.child,
    );
    if (spawned?.type !== 'interaction.spawned' || spawned.detail.isAwaited) return [];
    const text = toContextInjection(toInteractionResult(spawned.form, each.detail.result));
    return [{from: 'interaction', text}];
  });
}
