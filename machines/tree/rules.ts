/**
 * Rules by which an interaction spawns others. Each fires once per interaction, at the N-th trigger in the interaction's own
 * form. Triggers in interactions below it count for those. Interactions spawned by a rule, and all below them, have no
 * rules, so that no rule makes a loop.
 */

import type {AnyActorRef} from 'xstate';

import {formTraits, type InteractionForm} from '../domain/interaction-form.ts';
import type {Settings, SpawnRule} from '../domain/settings.ts';
import type {InteractionSpawn} from './form-event.ts';
import {interactionOf} from './path.ts';

/** From an actor of a form to its interaction: an event that rules count has happened. */
export interface TriggerFired {
  readonly type: 'trigger.fired';
  readonly event: string;
}

/** How often each event has happened. */
export type TriggerCounts = Readonly<Record<string, number>>;

export function triggerFired(event: string): TriggerFired {
  return {type: 'trigger.fired', event};
}

/** The actor's interaction. An actor outside of any sends the event to itself, where it is ignored. */
export function ownInteraction({self}: {readonly self: AnyActorRef}): AnyActorRef {
  return interactionOf(self) ?? self;
}

export function counted(triggers: TriggerCounts, {event}: TriggerFired): TriggerCounts {
  return {...triggers, [event]: (triggers[event] ?? 0) + 1};
}

interface WithTriggers {
  readonly form: InteractionForm;
  readonly settings: Settings;
  readonly triggers: TriggerCounts;
}

/** Spawns of the rules that fire at this trigger. A review and a command have no use for the results. */
export function spawnsBy(
  {form, settings, triggers}: WithTriggers,
  {event}: TriggerFired,
): readonly InteractionSpawn[] {
  const rules = formTraits[form].obeysRules ? (settings.spawn ?? []) : [];
  return rules.filter((rule) => rule.event === event && rule.nth === triggers[event]).map(spawnBy);
}

/** Its `ref` prevents that a refusal is sent to a model, because no model has asked for the spawn. */
function spawnBy({event, nth, form, request, contextMode}: SpawnRule): InteractionSpawn {
  const ref = `${event}:${nth}`;
  const spawn = {type: 'interaction.spawn', form, request, by: 'rule', ref} as const;
  return contextMode ? {...spawn, contextMode} : spawn;
}

/** The settings of an interaction that a rule has spawned. */
export function withoutRules(settings: Settings): Settings {
  return {...settings, spawn: []};
}
