/** Waiting until an interview has said what it has to say. */

import type {Run} from '../runtime-api.ts';

/** Calls back when something happens in a run. Returns how to stop. */
export type Follow = (id: string, onChange: () => void) => () => void;

/** What is at work may end without a word: it is looked at again this often. */
const recheckMs = 50;

/** Only a person can bring it on, and has been asked. */
export function isQuiet(run: Run): boolean {
  return run.asks().length > 0 && run.atWork().length === 0;
}

/**
 * Resolves with `asked` once the next question stands, `over` when the run has ended or was suspended, and `late` after so
 * many ms.
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
  // What is told of is about to be, and is a turn later.
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
