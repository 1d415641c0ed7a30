/**
 * `npm run fuzz -- runs COUNT SEED GRADE`: whole runs of a hostile planner and worker; by default 2,000 and a new seed. The
 * seeds count up from SEED. Each runs in a world of its own, with real commands: in every mode and grade, or, with a GRADE
 * (`bubblewrap`, `landlock`, `none`), with policies alone. Prints data that was sent, shown to a model, left outside, planted or
 * lost for good, and other commands than readers and usual checks that ran unconfined, each with the shortest script that does
 * it; `runs 1 SEED` repeats one run, and also prints the harm that was left to models. Exit code 1 when rules are to blame.
 */

import {figureLines, type FoundHarm, fuzzRuns, harmLine, isHarm} from './runs/fuzz-runs.ts';
import {scriptFor} from './runs/grammar.ts';
import {grades} from './runs/script.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

function printFigures(title: string, found: readonly FoundHarm[]): void {
  print(`${title}: ${found.length}`);
  for (const line of figureLines(found)) print(`  ${line}`);
}

const [what, count = 2_000, seed = Date.now() % 1_000_000, name] = process.argv.slice(2);
const grade = grades.find((each) => each === name);
if (what !== 'runs' || name !== grade) throw new Error('usage: fuzz runs COUNT SEED GRADE');
print(`${count} runs, seed ${seed}`);
const scripts = Array.from({length: Number(count)}, (_, at) => scriptFor(Number(seed) + at, grade));
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
  'lost as the preview had said',
  found.filter((one) => one.harm === 'foretold' && !one.isLeftToModels),
);
process.exitCode = harm.length > 0 ? 1 : 0;
