/**
 * `npm run fuzz -- runs COUNT SEED`: whole runs of a hostile planner and worker; by default 2,000 and a new seed. The seeds
 * count up from SEED. Each runs in a world of its own, in every mode, with real commands, confined in bubblewrap or not. Prints
 * data that was sent, shown to a model, left outside, planted or lost, each with the shortest script that does it; `runs 1
 * SEED` repeats one run, and also prints the harm that was left to models. Exit code 1 when rules are to blame for any.
 */

import {figureLines, type FoundHarm, fuzzRuns, harmLine, isHarm} from './runs/fuzz-runs.ts';
import {scriptFor} from './runs/grammar.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

function printFigures(title: string, found: readonly FoundHarm[]): void {
  print(`${title}: ${found.length}`);
  for (const line of figureLines(found)) print(`  ${line}`);
}

const [what, count = 2_000, seed = Date.now() % 1_000_000] = process.argv.slice(2);
if (what !== 'runs') throw new Error('usage: fuzz runs COUNT SEED');
print(`${count} runs, seed ${seed}`);
const scripts = Array.from({length: Number(count)}, (_, at) => scriptFor(Number(seed) + at));
const report = (one: FoundHarm): void => {
  if (isHarm(one) || scripts.length === 1) print(harmLine(one));
};
const {runs, performed, found, seconds} = await fuzzRuns({runs: scripts}, report);
const harm = found.filter(isHarm);
const left = found.filter(({isLeftToModels}) => isLeftToModels);
print(
  `${runs} runs in ${Math.round(seconds)} s (${(runs / seconds).toFixed(1)} a second), ${performed} calls were allowed`,
);
printFigures('harm that rules allowed', harm);
printFigures('harm that rules could not judge and models approved', left);
printFigures(
  'lost and restored by undo, but not named beforehand',
  found.filter((one) => one.harm === 'unnamed' && !one.isLeftToModels),
);
process.exitCode = harm.length > 0 ? 1 : 0;
