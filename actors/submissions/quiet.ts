/** Waits until an interview has asked its next question. */

import type {Run} from '../runtime-api.ts';

/** Calls back when something happens in a run. Returns a function that stops it. */
export type Follow = (id: string, onChange: () => void) => () => void;

/** How often a run is checked in addition, because work may end without an event. */
const recheckMs = 50;

/** True when the run waits only for a person, who has been asked. */
export function isQuiet(run: Run): boolean {
  return run.asks().length > 0 && run.atWork().length === 0;
}

/**
 * Resolves with `asked` once the next question is open, `over` when the run has ended or was suspended, and `late` after
 * `patienceMs`.
 */
export async function untilQuiet(
  run: Run,
  follow: Follow,
  patienceMs: number,
): Promise<'asked' | 'over' | 'late'> {
  const {promise, resolve} = Promise.withResolvers<'asked' | 'over' | 'late'>();
  const look = (): void => {
    if (isQuiet(run)) resolve('asked');
  };
  look();
  // An event is reported right before its effect is visible, so check one turn later.
  const stop = follow(run.id, () => setImmediate(look));
  const recheck = setInterval(look, recheckMs);
  const patience = setTimeout(() => resolve('late'), patienceMs);
  void run.result.then(() => resolve('over'));
  try {
    return await promise;
  } finally {
    stop();
    clearInterval(recheck);
    clearTimeout(patience);
  }
}
