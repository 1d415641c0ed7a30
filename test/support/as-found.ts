/** Loaded before every suite that shares its worker: the suite leaves the process as it has found it, or fails. */

import {afterAll, expect, vi} from 'vitest';

const heard = ['uncaughtException', 'unhandledRejection', 'warning'];

const found = picture();
afterAll(() => expect(picture(), 'of the process, which other suites share').toEqual(found));

function picture() {
  const {log, info, warn, error} = console;
  return {
    env: {...process.env},
    folder: process.cwd(),
    listeners: heard.map((name) => process.listenerCount(name)),
    hasOwnTime: vi.isFakeTimers(),
    spiedOn: [Date.now, fetch, log, info, warn, error].filter((each) => vi.isMockFunction(each))
      .length,
  };
}
