/** Sees to the running time of one run: a single timer, armed while the run is busy, until the time is up. */

import {neverMs} from '../machines/ports.ts';
import type {RunningTime} from './engine/running-time.ts';

export interface WatchdogOptions {
  readonly time: RunningTime;
  readonly timeoutMs: number;
  /** Called at most once. */
  readonly onTimeout: () => void;
}

export interface Watchdog {
  readonly busy: (isBusy: boolean) => void;
  /** The charts know that the time is up: there is nothing left to watch. */
  readonly retire: () => void;
}

export function createWatchdog({time, timeoutMs, onTimeout}: WatchdogOptions): Watchdog {
  let timer: NodeJS.Timeout | undefined;
  let isRetired = false;
  const rest = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  const retire = (): void => {
    rest();
    isRetired = true;
  };
  const bark = (): void => {
    retire();
    onTimeout();
  };
  return {
    busy: (isBusy) => {
      if (!isBusy) rest();
      else if (!isRetired) timer ??= setTimeout(bark, leftOf(timeoutMs - time.ranMs));
    },
    retire,
  };
}

/** What a timer takes. */
function leftOf(ms: number): number {
  return Math.min(Math.max(0, ms), neverMs);
}
