/** Tries the suites of the charts on one changed chart, each time in a fresh process. */

import {globSync} from 'node:fs';
import {join} from 'node:path';

import {createVitest, type TestModule, type Vitest} from 'vitest/node';

import {type MutantName, unknownMutant} from './mutant-name.ts';

const root = join(import.meta.dirname, '../..');

/** These explore the scenarios, which `trial.ts` plays. */
const exploring = 'test/machines/every-state*.test.ts';

/** Returns the first suite that fails with the mutant; undefined: none fails. Rejects for an unknown mutant. */
export type SuiteTrial = (mutant: MutantName) => Promise<string | undefined>;

/** Runs all suites once, to note which suite starts which machine. Rejects when one of them fails. */
export async function openSuiteTrial(): Promise<SuiteTrial> {
  const vitest = await createVitest('test', {
    root,
    config: false,
    watch: false,
    include: ['test/machines/**/*.test.ts'],
    setupFiles: [join(import.meta.dirname, 'setup.ts')],
    execArgv: ['--conditions=development'],
    isolate: false,
    maxWorkers: 1,
    bail: 1,
    testTimeout: 60_000,
    reporters: [{}],
    silent: true,
  });
  const files = globSync('test/machines/**/*.test.ts', {cwd: root, exclude: [exploring]});
  const {suites, failed} = await run(vitest, undefined, files);
  if (failed !== undefined) throw new Error(`${failed} fails without a mutant`);
  return async (mutant) => {
    const concerned = suites.filter((suite) => suite.meta().machines?.includes(mutant.machine));
    const names = concerned.map(({relativeModuleId}) => relativeModuleId);
    return (await run(vitest, mutant, names)).failed;
  };
}

interface SuiteRun {
  readonly suites: readonly TestModule[];
  /** The first suite that failed, or `unhandled error`; undefined: none. */
  readonly failed: string | undefined;
}

/** Rejects for an unknown mutant, which is not an error of a suite. */
async function run(
  vitest: Vitest,
  mutant: MutantName | undefined,
  files: readonly string[],
): Promise<SuiteRun> {
  const project = vitest.getRootProject();
  project.provide('mutant', mutant);
  const specifications = files.map((file) => project.createSpecification(join(root, file)));
  const {testModules, unhandledErrors} = await vitest.runTestSpecifications(specifications);
  const errors = testModules.flatMap((module) => module.errors().map(({message}) => message));
  const unknown = errors.find((message) => message.startsWith(unknownMutant));
  if (unknown !== undefined) throw new Error(unknown);
  const failed = testModules.find((suite) => !suite.ok())?.relativeModuleId;
  return {
    suites: testModules,
    failed: failed ?? (unhandledErrors.length > 0 ? 'unhandled error' : undefined),
  };
}
