/** Long work in slices, so that the event loop turns in between. */

import {setImmediate} from 'node:timers/promises';

const sliceMs = 25;

/** Takes one step after the other until `take` says false, giving way to the event loop between slices of 25 ms. */
export async function paced<T>(
  steps: Iterator<T>,
  signal: AbortSignal,
  take: (step: T) => boolean,
): Promise<void> {
  const until = performance.now() + sliceMs;
  do {
    const step = steps.next();
    if (step.done === true || signal.aborted || !take(step.value)) return;
  } while (performance.now() < until);
  await setImmediate();
  return paced(steps, signal, take);
}
