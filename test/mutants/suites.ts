/** Runs the suites of the charts, each time in a fresh process: all of them, or those that a changed chart concerns. */

import {globSync} from 'node:fs';
import {join} from 'node:path';

import {
  BaseSequencer,
  createVitest,
  type TestModule,
  type TestSpecification,
  type Vitest,
} from 'vitest/node';

import {type MutantName, unknownMutant} from './mutant-name.ts';

const root = join(import.meta.dirname, '../..');

/** These explore the scenarios, which `trial.ts` plays. */
const exploring = 'test/machines/every-state*.test.ts';

/** Files of suites by the machine that they start. Those that start the fewest machines come first. */
export type SuitesByMachine = ReadonlyMap<string, readonly string[]>;

/** Runs all suites once without a mutant. Rejects when one of them fails. */
export async function suitesByMachine(): Promise<SuitesByMachine> {
  const vitest = await openVitest();
  try {
    const files = globSync('test/machines/**/*.test.ts', {cwd: root, exclude: [exploring]});
    const {suites, failed} = await run(vitest, undefined, files);
    if (failed !== undefined) throw new Error(`${failed} fails without a mutant`);
    const starts = suites
      .map((suite) => ({file: suite.relativeModuleId, machines: suite.meta().machines ?? []}))
      .toSorted((one, other) => one.machines.length - other.machines.length)
      .flatMap(({file, machines}) => machines.map((machine) => ({file, machine})));
    const byMachine = Map.groupBy(starts, ({machine}) => machine);
    return new Map(
      [...byMachine].map(([machine, pairs]) => [machine, pairs.map(({file}) => file)]),
    );
  } finally {
    await vitest.close();
  }
}

/** Returns the first suite that fails with the mutant; undefined: none fails. Rejects for an unknown mutant. */
export type SuiteTrial = (
  mutant: MutantName,
  suites: readonly string[],
) => Promise<string | undefined>;

/** `onSuite` is called after each suite. */
export async function openSuiteTrial(onSuite: () => void): Promise<SuiteTrial> {
  const vitest = await openVitest(onSuite);
  return async (mutant, suites) => (await run(vitest, mutant, suites)).failed;
}

function openVitest(onTestModuleEnd: () => void = () => undefined): Promise<Vitest> {
  return createVitest('test', {
    root,
    config: false,
    watch: false,
    include: ['test/machines/**/*.test.ts'],
    setupFiles: [join(import.meta.dirname, 'setup.ts')],
    execArgv: ['--conditions=development'],
    isolate: false,
    maxWorkers: 1,
    sequence: {sequencer: InGivenOrder},
    bail: 1,
    testTimeout: 60_000,
    reporters: [{onTestModuleEnd}],
    silent: true,
  });
}

class InGivenOrder extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files);
  }
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
