import {afterEach, beforeEach, expect, test} from 'vitest';

import {createScenario} from '../support/scenario.ts';

const others = process.listeners('uncaughtException');
const uncaught: unknown[] = [];

beforeEach(() => {
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', (error) => uncaught.push(error));
});

afterEach(() => {
  process.removeAllListeners('uncaughtException');
  for (const listener of others) process.on('uncaughtException', listener);
});

test('a listener that throws stops neither its own run nor the other runs of its journal', async () => {
  const scenario = createScenario();
  const broken = new Error('the listener is broken');
  const observed = scenario.runtime.agent('Change the thing', {
    workspace: import.meta.dirname,
    onEvent: ({type}) => {
      if (type === 'plan.created' || type === 'result') throw broken;
    },
  });
  const other = scenario.start();
  expect(await observed.result).toMatchObject({status: 'completed'});
  expect(await other.result).toMatchObject({status: 'completed'});
  expect(new Set(uncaught)).toEqual(new Set([broken]));
});
