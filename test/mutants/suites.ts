/** Tries the suites of the charts on one changed chart, each time in a fresh process. */

import {globSync} from 'node:fs';
import {join} from 'node:path';

import {createVitest, type TestModule, type Vitest} from 'vitest/node';

import {type MutantName, setupFailed} from './mutant-name.ts';

const root = join(import.meta.dirname, '../..');

/** These explore the scenarios, which `trial.ts` plays. */
const exploring = 'test/machines/every-state*.test.ts';

export interface SuiteTrials {
  /** Returns the first suite that fails with the mutant; undefined: none fails. */
  readonly noticing: (mutant: MutantName) => Promise<string | undefined>;
  readonly close: () => Promise<void>;
}

/** Runs all suites once, to note which suite starts which machine. Rejects when one of them fails. */
export async function openSuiteTrials(): Promise<SuiteTrials> {
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
  const suites = await run(vitest, undefined, files);
  const failed = failing(suites);
  if (failed) throw new Error(`${failed} fails without a mutant`);
  return {
    noticing: async (mutant) => {
      const concerned = suites.filter((suite) => suite.meta().machines?.includes(mutant.machine));
      const names = concerned.map(({relativeModuleId}) => relativeModuleId);
      return failing(await run(vitest, mutant, names));
    },
    close: () => vitest.close(),
  };
}

/** Rejects for errors that are not of a test, such as an unknown mutant. */
async function run(
  vitest: Vitest,
  mutant: MutantName | undefined,
  files: readonly string[],
): Promise<readonly TestModule[]> {
  const project = vitest.getRootProject();
  project.provide('mutant', mutant);
  const specifications = files.map((file) => project.createSpecification(join(root, file)));
  const {testModules} = await vitest.runTestSpecifications(specifications);
  const errors = testModules.flatMap((module) => module.errors().map(({message}) => message));
  const ofSetup = errors.find((message) => message.startsWith(setupFailed));
  if (ofSetup !== undefined) throw new Error(ofSetup);
  return testModules;
}

function failing(suites: readonly TestModule[]): string | undefined {
  return suites.find((suite) => !suite.ok())?.relativeModuleId;
}
