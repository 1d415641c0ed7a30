/**
 * Kills the demo at many random moments and resumes it: `npm run chaos -- COUNT SEED`; by default 200 kills and a new seed.
 * Prints the seed and each moment whose run ends differently from an undisturbed run. Exit code 1 when there is one.
 */

import {isDeepStrictEqual} from 'node:util';

import {createDice} from '../support/dice.ts';
import {startKilling} from '../support/killing.ts';
import {createLauncher} from '../support/launch.ts';

const [count = 200, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);
const roll = createDice(seed);
const launcher = createLauncher();
let wrong = 0;
process.stdout.write(`${count} kills, seed ${seed}\n`);
try {
  const {whole, killedAfter} = await startKilling(launcher);
  for (let kill = 0; kill < count; kill += 1) {
    const part = roll(1_000_000) / 1_000_000;
    const essence = await killedAfter(part);
    if (isDeepStrictEqual(essence, whole)) continue;
    wrong += 1;
    process.stdout.write(`killed after ${part}: ${JSON.stringify({whole, essence}, null, 2)}\n`);
  }
} finally {
  launcher.remove();
}
process.stdout.write(`${count - wrong} of ${count} ended as if nobody had killed them\n`);
process.exitCode = wrong > 0 ? 1 : 0;
