import {afterAll, beforeAll, describe, expect, test} from 'vitest';

import {createDice} from '../support/dice.ts';
import {type Killing, startKilling} from '../support/killing.ts';
import {createLauncher, type Launcher} from '../support/launch.ts';

/** The number of kills, one in each of equal parts of a whole run; `npm run chaos` kills more often. */
const moments = 3;

let launcher: Launcher;
let killing: Killing;

beforeAll(async () => {
  launcher = createLauncher();
  killing = await startKilling(launcher);
}, 120_000);

afterAll(() => launcher.remove());

describe('kill -9', () => {
  const roll = createDice(Date.now() % 1_000_000);
  const times = Array.from(
    {length: moments},
    (_, index) => (index + roll(1_000) / 1_000) / moments,
  );
  test.each(times)(
    'after %f of the demo: resumed to the same result, no command run twice',
    async (part) => {
      expect(killing.whole).toMatchObject({
        result: {status: 'completed', exitCode: 0},
        commandsTooMany: 0,
      });
      expect(await killing.killedAfter(part)).toEqual(killing.whole);
    },
    120_000,
  );
});
