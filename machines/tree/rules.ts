/**
 * Rules by which an interaction spawns others: it hears what happens in its own form, and counts it. What happens in those
 * below it is theirs, and what a rule has spawned has no rule, nor has anything below it: no rule makes a loop.
 */

import type {AnyActorRef} from 'xstate';

import type {InteractionForm} from '../domain/interaction-form.ts';
import type {Settings} from '../domain/settings.ts';
import type {SpawnRule} from '../domain/spawn-rule.ts';
import type {InteractionSpawn} from './form-event.ts';
import {interactionOf} from './path.ts';

/** To an interaction: what has happened in its form, once more. Rules speak of some of it. */
export interface OccasionArose {
  readonly type: 'occasion.arose';
  readonly event: string;
}

/** How often each has happened. */
export type Occasions = Readonly<Record<string, number>>;

export function arose(event: string): OccasionArose {
  return {type: 'occasion.arose', event};
}

/** The interaction that the actor is a part of. An actor outside of any tells itself, who does not listen. */
export function hearerOf({self}: {readonly self: AnyActorRef}): AnyActorRef {
  return interactionOf(self) ?? self;
}

export function counted(occasions: Occasions, {event}: OccasionArose): Occasions {
  return {...occasions, [event]: (occasions[event] ?? 0) + 1};
}

interface Ruled {
  readonly form: InteractionForm;
  readonly settings: Settings;
  readonly occasions: Occasions;
}

/** What is to be spawned by the rules that are met just now. Nobody reads in a review what would come of it. */
export function spawnsBy(
  {form, settings, occasions}: Ruled,
  {event}: OccasionArose,
): readonly InteractionSpawn[] {
  const rules = form === 'review' || form === 'command' ? [] : (settings.spawn ?? []);
  return rules.filter((rule) => rule.event === event && rule.nth === occasions[event]).map(spawnBy);
}

/** By its `ref`, a refusal is told to no model: none has asked for it. */
function spawnBy({event, nth, form, request, contextMode}: SpawnRule): InteractionSpawn {
  const ref = `${event}:${nth}`;
  const spawn = {type: 'interaction.spawn', form, request, by: 'rule', ref} as const;
  return contextMode ? {...spawn, contextMode} : spawn;
}

/** The settings of what a rule has spawned. */
export function withoutRules(settings: Settings): Settings {
  return {...settings, spawn: []};
}
