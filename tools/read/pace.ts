/** Runs long work in slices, with turns of the event loop in between. */

import {setImmediate} from 'node:timers/promises';

const sliceMs = 10;
const sliceSteps = 200;

/**
 * Takes one step after the other until `take` returns false, giving way to the event loop after 200 steps, or sooner after
 * 10 ms.
 */
export async function paced<T>(
  steps: Iterator<T>,
  signal: AbortSignal,
  take: (step: T) => boolean,
): Promise<void> {
  const until = performance.now() + sliceMs;
  let left = sliceSteps;
  do {
    const step = steps.next();
    if (step.done === true || signal.aborted || !take(step.value)) return;
    left -= 1;
  } while (left > 0 && performance.now() < until);
  await setImmediate();
  return paced(steps, signal, take);
}

/** The matching items among those looked at before an abort. */
export async function filterPaced<T>(
  items: readonly T[],
  signal: AbortSignal,
  fits: (item: T) => boolean,
): Promise<T[]> {
  const found: T[] = [];
  await paced(items.values(), signal, (item) => {
    if (fits(item)) found.push(item);
    return true;
  });
  return found;
}

/** Sorted as by `toSorted`; in no order after an abort. */
export async function sortPaced<T>(
  items: readonly T[],
  signal: AbortSignal,
  compare: (a: T, b: T) => number,
): Promise<T[]> {
  if (items.length <= sliceSteps) return items.toSorted(compare);
  const middle = Math.floor(items.length / 2);
  const lower = await sortPaced(items.slice(0, middle), signal, compare);
  const upper = await sortPaced(items.slice(middle), signal, compare);
  if (signal.aborted) return [...lower, ...upper];
  const sorted: T[] = [];
  await paced(mergedHalves(lower, upper, compare), signal, (item) => sorted.push(item) > 0);
  return sorted;
}

function* mergedHalves<T>(
  lower: readonly T[],
  upper: readonly T[],
  compare: (a: T, b: T) => number,
): Generator<T> {
  const rest = upper.values();
  let next = rest.next();
  for (const item of lower) {
    for (; next.done !== true && compare(next.value, item) < 0; next = rest.next()) {
      yield next.value;
    }
    yield item;
  }
  for (; next.done !== true; next = rest.next()) yield next.value;
}
