/** A rule by which an interaction spawns another: what happens in it, and at which time. */

import type {SpawnableForm} from './interaction-form.ts';
import type {ContextMode} from './interaction-form.ts';
import {didYouMean} from './nearest.ts';

export const ruleEvents = [
  'plan.rejected',
  'action.rejected',
  'task.failed',
  'quorum.noQuorum',
] as const;

export type RuleEvent = (typeof ruleEvents)[number];

export interface Trigger {
  readonly event: RuleEvent;
  /** From 1: the rule is met when it happens for the N-th time, and never again. */
  readonly nth: number;
}

export interface SpawnRule extends Trigger {
  readonly form: SpawnableForm;
  readonly request: string;
  /** Absent: the form's default. */
  readonly contextMode?: ContextMode;
}

export type TriggerReading =
  | ({readonly ok: true} & Trigger)
  /** What is wrong, to be read behind the text. */
  | {readonly ok: false; readonly problem: string};

const maxTimes = 1_000;

/** Reads `EVENT:N`; `EVENT` alone is its first time. */
export function readTrigger(text: string): TriggerReading {
  const [name = '', count = '1', ...rest] = text.split(':');
  const event = ruleEvents.find((each) => each === name);
  if (!event) {
    const near = didYouMean(name, ruleEvents) || `; write ${written}`;
    return {ok: false, problem: `names no event that a rule can count${near}`};
  }
  const nth = /^\d{1,4}$/.test(count) && rest.length === 0 ? Number(count) : 0;
  if (nth >= 1 && nth <= maxTimes) return {ok: true, event, nth};
  return {
    ok: false,
    problem: `does not say at which time, from 1 to ${maxTimes}; write "${event}:2" for the second, "${event}" for the first`,
  };
}

const written = `${ruleEvents.slice(0, -1).join(', ')} or ${ruleEvents.at(-1)}, and behind it :N for its N-th time`;
