/** Rules from the configuration: by which interactions spawn others, and what a person allows for good. */

import type {AllowRule} from '../../machines/domain/allow-rule.ts';
import type {InteractionForm} from '../../machines/domain/interaction-form.ts';
import {readTrigger, type SpawnRule} from '../../machines/domain/spawn-rule.ts';
import {camelKeys} from './casing.ts';
import type {Config} from './schema.ts';

export function toSpawnRules({spawn}: Config): readonly SpawnRule[] {
  return spawn.flatMap((rule) => {
    const reading = readTrigger(rule.when);
    if (!reading.ok) return [];
    const {event, nth} = reading;
    return [{event, nth, ...camelKeys(rule, ['when'])}];
  });
}

export function toAllowRules({allow}: Config): readonly AllowRule[] {
  return allow.map((rule) => camelKeys(rule));
}

/** The form of a run, and those that rules may spawn in it. Nobody reads a rule's result in a discussion or a review. */
export function formsIn(form: InteractionForm, {spawn}: Config): readonly InteractionForm[] {
  return form === 'agent' || form === 'ask' ? [form, ...spawn.map((rule) => rule.form)] : [form];
}
