/** `npm run cluster-test -- --seconds S --runs N --seed X`: 300 s and 200 runs unless given. Exit code 1 for a violation. */

import {parseArgs} from 'node:util';

import {runCluster} from './cluster.ts';

const {values} = parseArgs({
  options: {
    seconds: {type: 'string', default: '300'},
    runs: {type: 'string', default: '200'},
    seed: {type: 'string', default: '1'},
  },
});

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const [seconds, runs, seed] = [values.seconds, values.runs, values.seed].map(Number);
const report = await runCluster({seconds: seconds ?? 0, runs: runs ?? 0, seed: seed ?? 1, print});
for (const violation of report.violations) print(`✗ ${violation}`);
const {ended, asked, violations} = report;
print(
  `ended: ${JSON.stringify(ended)}; a person was asked in ${asked}; ${violations.length} violations`,
);
process.exitCode = violations.length > 0 ? 1 : 0;
