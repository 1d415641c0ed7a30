/** What a run lacks for now, though nothing is wrong with it: it waits, and asks again when it is resumed. */

import type {Failure} from './failure.ts';

export interface Outage extends Failure {
  /** `provider/model` that could not be called; absent when it is not for a model that the run waits. */
  readonly model?: string;
}

/** A state that waits has an outage; this one stands in where types can't say so. */
export function lackIn({outage}: {readonly outage?: Outage}): Outage {
  return outage ?? {code: 'unknown', message: 'something is missing'};
}

/** A limit that was set for the run: it may be raised. */
export function isLimit({code}: Outage): boolean {
  return code === 'overBudget';
}
