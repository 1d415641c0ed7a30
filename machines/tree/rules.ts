/**
 * Rules by which an interaction spawns others. Each fires once per interaction, at the N-th trigger in the interaction's own
 * form. Triggers in interactions below it count for those. Interactions spawned by a rule, and all below them, have no
 * rules, so that no rule makes a loop.
 */

import {type AnyActorRef, fromCallback} from 'xstate';

import {formTraits, type InteractionForm} from '../domain/interaction-form.ts';
import type {Settings, SpawnRule} from '../domain/settings.ts';
import {dialogueAround} from '../facts/record.ts';
import type {InteractionSpawn} from './form-event.ts';
import {interactionOf, pathOf} from './path.ts';

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

// Advice: the results of interactions that rules have spawned. A planner waits for them, to read them first.

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
