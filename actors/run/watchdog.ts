/** Limits the running time of one run: a single timer, armed while the run is busy, until the time is up. */

import {neverMs} from '../../machines/port-natures.ts';
import type {RunningTime} from '../engine/running-time.ts';

export interface WatchdogOptions {
  readonly time: RunningTime;
  /** The current limit. */
  readonly timeoutMs: () => number;
  /** Called at most once. */
  readonly onTimeout: () => void;
}

export interface Watchdog {
  readonly busy: (isBusy: boolean) => void;
  /** The limit has changed. */
  readonly rearm: () => void;
}

export function createWatchdog({time, timeoutMs, onTimeout}: WatchdogOptions): Watchdog {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const leftMs = (): number => timeoutMs() - time.ranMs;
  /** A timer may fire a fraction of a millisecond early: the run, when it is resumed, would still have that time left. */
  const bark = (): void => {
    timer = undefined;
    if (leftMs() > 0) {
      arm();
      return;
    }
    isOver = true;
    onTimeout();
  };
  const rest = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  const arm = (): void => {
    if (!isOver) timer ??= setTimeout(bark, timerFor(leftMs()));
  };
  return {
    busy: (isBusy) => (isBusy ? arm() : rest()),
    rearm: () => {
      if (timer === undefined) return;
      rest();
      arm();
    },
  };
}

/** The delay, within the range of timers. */
function timerFor(ms: number): number {
  return Math.min(Math.max(0, Math.ceil(ms)), neverMs);
}
