/**
 * `npm run fuzz -- commands COUNT SEED`: random commands of known programs; by default 10,000 and a new seed. Approved
 * commands run in a scratch folder, in bubblewrap and without a network, under strace. Prints the effects of a command that its
 * judgement did not list. Exit code 1 when there is any.
 *
 * `npm run fuzz -- runs COUNT SEED`: whole runs of a hostile planner and worker; by default 2,000 and a new seed. The seeds
 * count up from SEED. Each runs in a world of its own, in every mode, with real commands, confined in bubblewrap or not. Prints
 * data that was sent, shown to a model, left outside, planted or lost, each with the shortest script that does it; `runs 1
 * SEED` repeats one run, and also prints the harm that was left to models. Exit code 1 when rules are to blame for any.
 */

import {fuzzCommands} from './commands/fuzz-commands.ts';
import {figureLines, type FoundHarm, fuzzRuns, harmLine, isHarm} from './runs/fuzz-runs.ts';
import {scriptFor} from './runs/grammar.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const verbs: Readonly<
  Record<string, (count: number | undefined, seed: number) => Promise<boolean>>
> = {
  commands: async (count = 10_000, seed) => {
    print(`${count} commands, seed ${seed}`);
    const {judged, approved, ran, programs, wrong} = await fuzzCommands({count, seed}, print);
    print(
      `${judged} judged, ${approved} approved, ${ran} of these run (${programs} programs), ${wrong} with effects that were not listed`,
    );
    return wrong > 0;
  },
  runs: async (count = 2_000, seed) => {
    print(`${count} runs, seed ${seed}`);
    const scripts = Array.from({length: count}, (_, at) => scriptFor(seed + at));
    const report = (one: FoundHarm): void => {
      if (isHarm(one) || count === 1) print(harmLine(one));
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
    return harm.length > 0;
  },
};

function printFigures(title: string, found: readonly FoundHarm[]): void {
  print(`${title}: ${found.length}`);
  for (const line of figureLines(found)) print(`  ${line}`);
}

const [what = '', count, seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
const verb = verbs[what];
if (!verb) throw new Error(`usage: fuzz ${Object.keys(verbs).join(' or ')}`);
const isWrong = await verb(count === undefined ? undefined : Number(count), Number(seed));
process.exitCode = isWrong ? 1 : 0;
