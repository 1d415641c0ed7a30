/**
 * `npm test`: types, style and dead code are checked one after another, beside the suites, which leave a core idle at
 * times. The output of the suites is shown as it comes, that of a check that fails after it.
 */

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import process from 'node:process';
import {text} from 'node:stream/consumers';

interface Check {
  readonly script: string;
  readonly isPassed: boolean;
  readonly output: string;
}

async function check(script: string): Promise<Check> {
  const child = spawn(process.execPath, ['--run', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {...process.env, ...(process.stdout.isTTY ? {FORCE_COLOR: '1'} : {})},
  });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return {script, isPassed: code === 0, output: out + err};
}

async function checkAll(...scripts: readonly string[]): Promise<readonly Check[]> {
  const checks: Check[] = [];
  for (const script of scripts) checks.push(await check(script));
  return checks;
}

async function runSuites(): Promise<boolean> {
  const child = spawn(process.execPath, ['--run', 'vitest'], {stdio: 'inherit'});
  const [code]: unknown[] = await once(child, 'close');
  return code === 0;
}

const [checks, isPassed] = await Promise.all([
  checkAll('types', 'lint', 'format', 'deadcode'),
  runSuites(),
]);
for (const {script, output} of checks.filter((each) => !each.isPassed))
  process.stderr.write(`\n${script}:\n${output}`);
const line = checks.map((each) => `${each.script} ${each.isPassed ? 'passed' : 'failed'}`);
process.stdout.write(`${line.join(', ')}, suites ${isPassed ? 'passed' : 'failed'}\n`);
process.exitCode = isPassed && checks.every((each) => each.isPassed) ? 0 : 1;
