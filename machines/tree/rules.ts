/**
 * Rules by which an interaction spawns others. Each fires once per interaction, at the N-th trigger in the interaction's own
 * form. Triggers in interactions below it count for those. Interactions spawned by a rule, and all below them, have no
 * rules, so that no rule makes a loop.
 */

import type {AnyActorRef} from 'xstate';

import {type InteractionForm, obeysRules} from '../domain/interaction-form.ts';
import type {Settings} from '../domain/settings.ts';
import type {SpawnRule} from '../domain/spawn-rule.ts';
import type {InteractionSpawn} from './form-event.ts';
import {interactionOf} from './path.ts';

/** To an interaction, from an actor of its form: one more event that rules count. */
export interface TriggerFired {
  readonly type: 'trigger.fired';
  readonly event: string;
}

/** How often each event has happened. */
export type TriggerCounts = Readonly<Record<string, number>>;

export function triggerFired(event: string): TriggerFired {
  return {type: 'trigger.fired', event};
}

/** The interaction that the actor is a part of. An actor outside of any sends the event to itself, where it is ignored. */
export function ownInteraction({self}: {readonly self: AnyActorRef}): AnyActorRef {
  return interactionOf(self) ?? self;
}

export function counted(triggers: TriggerCounts, {event}: TriggerFired): TriggerCounts {
  return {...triggers, [event]: (triggers[event] ?? 0) + 1};
}

interface Ruled {
  readonly form: InteractionForm;
  readonly settings: Settings;
  readonly triggers: TriggerCounts;
}

/** Spawns of the rules that fire at this trigger. A review and a command have no use for the results. */
export function spawnsBy(
  {form, settings, triggers}: Ruled,
  {event}: TriggerFired,
): readonly InteractionSpawn[] {
  const rules = obeysRules(form) ? (settings.spawn ?? []) : [];
  return rules.filter((rule) => rule.event === event && rule.nth === triggers[event]).map(spawnBy);
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
