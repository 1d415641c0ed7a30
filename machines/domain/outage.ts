/** A temporary outage of something that a run needs: the run waits, and tries again when it is resumed. */

import type {Failure} from './failure.ts';

export interface Outage extends Failure {
  /** `provider/model` that could not be called; absent when the run waits for something else. */
  readonly model?: string;
}

/** A waiting state always has an outage; the default is only for the type checker, which can't know that. */
export function outageIn({outage}: {readonly outage?: Outage}): Outage {
  return outage ?? {code: 'unknown', message: 'something is missing'};
}

/** True if the run waits because of a limit that was set for it and may be raised. */
export function isLimit({code}: Outage): boolean {
  return code === 'overBudget';
}
