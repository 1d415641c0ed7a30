/**
 * `npm run simulate -- --seeds N --seed S`: lives through N worlds (1,000 unless given), from seed S (1) on. Prints each world
 * that breaks a law, the smallest plan of faults that does so, and how to repeat it. `--plan JSON` repeats one plan. Exit code 1
 * when a law is broken.
 */

import {parseArgs} from 'node:util';

import {planFor, planText, type SimPlan} from './plan.ts';
import {figureLines, liveThrough, type Lived} from './threads.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const {values} = parseArgs({
  options: {
    seeds: {type: 'string', default: '1000'},
    seed: {type: 'string', default: '1'},
    plan: {type: 'string'},
  },
});

const began = performance.now();
const all = await liveThrough(plans());
const broken = all.filter(({outcome}) => outcome.violations.length > 0);
for (const lived of broken) report(lived);
for (const line of figureLines(all, (performance.now() - began) / 1_000)) print(line);
print(`${broken.length} broke a law`);
process.exitCode = broken.length > 0 ? 1 : 0;

function plans(): readonly SimPlan[] {
  if (values.plan !== undefined) {
    const plan: SimPlan = JSON.parse(values.plan);
    return [plan];
  }
  const first = Number(values.seed);
  return Array.from({length: Number(values.seeds)}, (_, at) => planFor(first + at));
}

function report({outcome: {plan, violations}, smallest = plan}: Lived): void {
  print(`seed ${plan.seed}: ${planText(plan)}`);
  for (const {law, entry, message} of violations) print(`  law ${law}, entry ${entry}: ${message}`);
  print(`  smallest: ${planText(smallest)}`);
  print(`  npm run simulate -- --plan '${JSON.stringify(smallest)}'`);
}
