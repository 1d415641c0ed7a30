/** A rule that spawns an interaction when an event happens for the N-th time. */

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
  /** From 1: the rule fires when the event happens for the N-th time, and never again. */
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
  /** The problem, as the continuation of a message that begins with the text. */
  | {readonly ok: false; readonly problem: string};

const maxTimes = 1_000;

/** Parses `EVENT:N`; `EVENT` alone means its first time. */
export function readTrigger(text: string): TriggerReading {
  const [name = '', count = '1', ...rest] = text.split(':');
  const event = ruleEvents.find((each) => each === name);
  if (!event) {
    const near = didYouMean(name, ruleEvents) || `; write ${writtenForm}`;
    return {ok: false, problem: `names no event that a rule can count${near}`};
  }
  const nth = /^\d{1,4}$/.test(count) && rest.length === 0 ? Number(count) : 0;
  if (nth >= 1 && nth <= maxTimes) return {ok: true, event, nth};
  return {
    ok: false,
    problem: `has no number from 1 to ${maxTimes} after the colon; write "${event}:2" for the second, "${event}" for the first`,
  };
}

const writtenForm = `${ruleEvents.slice(0, -1).join(', ')} or ${ruleEvents.at(-1)}, followed by :N for its N-th time`;
