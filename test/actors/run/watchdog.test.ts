import {afterEach, beforeEach, expect, test, vi} from 'vitest';

import {RunningTime} from '../../../actors/engine/running-time.ts';
import {createWatchdog} from '../../../actors/run/watchdog.ts';

beforeEach(() => {
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'performance']});
});

afterEach(() => vi.useRealTimers());

function watched(limitMs: number) {
  let timeoutMs = limitMs;
  const time = new RunningTime();
  const onTimeout = vi.fn<() => void>();
  const watchdog = createWatchdog({time, timeoutMs: () => timeoutMs, onTimeout});
  const busy = (isBusy: boolean): void => {
    time.busy(isBusy);
    watchdog.busy(isBusy);
  };
  const limit = (ms: number): void => {
    timeoutMs = ms;
    watchdog.rearm();
  };
  return {time, busy, limit, onTimeout};
}

test('reports the timeout once, however often the run rests and resumes', () => {
  const {busy, onTimeout} = watched(100);
  for (let round = 0; round < 5; round += 1) {
    busy(true);
    vi.advanceTimersByTime(60);
    busy(false);
    vi.advanceTimersByTime(1_000);
  }
  expect(onTimeout).toHaveBeenCalledTimes(1);
});

test('counts only the time at work', () => {
  const {busy, onTimeout} = watched(100);
  busy(true);
  vi.advanceTimersByTime(99);
  busy(false);
  vi.advanceTimersByTime(1_000);
  busy(true);
  expect(onTimeout).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onTimeout).toHaveBeenCalledTimes(1);
});

test('reports at once a timeout that earlier processes used up', () => {
  const {time, busy, onTimeout} = watched(100);
  time.restore(150);
  busy(true);
  vi.advanceTimersByTime(0);
  expect(onTimeout).toHaveBeenCalledTimes(1);
});

test('a changed limit applies at once, also to the time already spent', () => {
  const {busy, limit, onTimeout} = watched(100);
  busy(true);
  vi.advanceTimersByTime(60);
  limit(200);
  vi.advanceTimersByTime(139);
  expect(onTimeout).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onTimeout).toHaveBeenCalledTimes(1);
});

test('a timer that fires early does not end the time', () => {
  const {busy, onTimeout} = watched(100);
  busy(true);
  const early = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 99.4);
  vi.advanceTimersByTime(100);
  expect(onTimeout).not.toHaveBeenCalled();
  early.mockRestore();
  vi.advanceTimersByTime(1);
  expect(onTimeout).toHaveBeenCalledTimes(1);
});
