/** Timers that fire at once: minutes pass in a few turns of the event loop, while input and output are real. */

import {vi} from 'vitest';

const stepMs = 1_000;
const turnsOfStep = 20;

/** From here on, time passes only in {@link passTime}. Undone by `vi.useRealTimers()`. */
export function stopTime(): void {
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'performance']});
}

/** Lets time pass, second by second; before each second, pending work has set its timers. */
export async function passTime(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    for (let turn = 0; turn < turnsOfStep; turn += 1) {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
    vi.advanceTimersByTime(stepMs);
  }
}
