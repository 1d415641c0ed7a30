/** Loaded before every suite that shares its worker: a suite that leaves changes in the process fails. */

import assert from 'node:assert/strict';

import {afterAll, vi} from 'vitest';

const eventNames = ['uncaughtException', 'unhandledRejection', 'warning'];

const found = picture();
afterAll(() => assert.deepEqual(picture(), found));

function picture() {
  const {log, info, warn, error} = console;
  return {
    env: {...process.env},
    folder: process.cwd(),
    listeners: eventNames.map((name) => process.listenerCount(name)),
    hasOwnTime: vi.isFakeTimers(),
    spiedOn: [Date.now, fetch, log, info, warn, error].filter((each) => vi.isMockFunction(each))
      .length,
  };
}
