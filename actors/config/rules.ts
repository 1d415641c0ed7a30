/** Rules from the configuration: spawn rules, and commands that a person has permanently allowed. */

import type {AllowRule} from '../../machines/domain/allow-rule.ts';
import {readTrigger, type SpawnRule} from '../../machines/domain/settings.ts';
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
