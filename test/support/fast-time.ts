/** Timers that wait for nobody: minutes pass in a few turns of the event loop, and what is read or written is real. */

import {vi} from 'vitest';

const stepMs = 1_000;

/** From here on time passes only in {@link passTime}. Undone by `vi.useRealTimers()`. */
export function stopTime(): void {
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'performance']});
}

/** Lets a second pass with each turn of the event loop until the promise settles; throws after `maxMs`. */
export async function passTime<T>(promise: Promise<T>, maxMs: number): Promise<T> {
  const wait = {isOver: false};
  const settle = (): void => {
    wait.isOver = true;
  };
  promise.then(settle, settle);
  for (let passed = 0; passed <= maxMs; passed += stepMs) {
    for (let turn = 0; turn < 20 && !wait.isOver; turn += 1) await nextTurn();
    if (wait.isOver) return await promise;
    vi.advanceTimersByTime(stepMs);
  }
  throw new Error(`not settled after ${maxMs} ms`);
}

async function nextTurn(): Promise<void> {
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
}
