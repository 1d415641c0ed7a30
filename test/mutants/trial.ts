/**
 * Tries mutants: on the machine's scenarios that enter the changed state, then on the suites that start the machine. A machine
 * without scenarios of its own is tested by hand: its suites come first, then the scenarios of all. As a process of
 * `npm run mutants`, it tries the mutants that it receives.
 */

import {setTimeout} from 'node:timers/promises';

import {BaseSequencer, createVitest, type TestModule, type TestSpecification} from 'vitest/node';

import {machines} from '../../machines/index.ts';
import {lawfulScenarios} from '../machines/events/all.ts';
import {explore, type Explored, type LawfulScenario, uncoveredBy} from '../machines/explored.ts';
import {type Mutant, mutantsOf, swapIn} from './mutants.ts';

export interface MutantName {
  /** The id of a machine of the registry. */
  readonly machine: string;
  readonly mutant: string;
}

export interface Trial extends MutantName {
  /** Paths of the suites that start the machine. */
  readonly suites: readonly string[];
}

type Machine = (typeof machines)[number];

/** A scenario and its coverage while no chart is changed. */
interface Baseline extends Explored {
  readonly lawful: LawfulScenario;
}

const known = new Map<string, readonly Baseline[]>();

function scenariosOf(machine: string): readonly LawfulScenario[] {
  return lawfulScenarios.filter(({scenario}) => scenario.machine.id === machine);
}

/** Explores the scenarios of a machine, or all for a machine without any; once. Those with the fewest steps come first. */
function baselinesFor(machine: string): readonly Baseline[] {
  const own = scenariosOf(machine);
  const key = own.length > 0 ? machine : '';
  const found =
    known.get(key) ??
    (own.length > 0 ? own : lawfulScenarios)
      .map((lawful): Baseline => Object.assign(explore(lawful), {lawful}))
      .toSorted((one, other) => one.steps - other.steps);
  known.set(key, found);
  return found;
}

/** A changed chart may lead to states without end; a scenario may reach so many times its usual states. */
const growth = 3;

/** The scenario that notices the change, or `coverage` when a state or a transition is no longer gone through. */
export function noticedByScenarios(machine: Machine, mutant: Mutant): string | undefined {
  const concerned = baselinesFor(machine.id).filter(({entered}) => entered.has(mutant.state));
  const before = uncoveredBy(machine, concerned, []);
  const swapOut = swapIn(machine, mutant);
  try {
    const played: Explored[] = [];
    for (const {lawful, states} of concerned) {
      const explored = attempt(lawful, growth * states + 100);
      if (!explored) return lawful.name;
      played.push(explored);
    }
    const after = uncoveredBy(machine, played, []);
    return after.some((name) => !before.includes(name)) ? 'coverage' : undefined;
  } finally {
    swapOut();
  }
}

/** Undefined when a law is broken. */
function attempt(lawful: LawfulScenario, states: number): Explored | undefined {
  try {
    return explore(lawful, {limits: {states, depth: 1_000}});
  } catch {
    return undefined;
  }
}

class InGivenOrder extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files);
  }
}

export interface SuiteRun {
  readonly suites: readonly TestModule[];
  /** The first suite that failed, or `unhandled error`; undefined: none. */
  readonly failed: string | undefined;
}

/** Runs suites, each call in a fresh process, until one fails. */
export async function openSuites(root: string) {
  const vitest = await createVitest('test', {
    root,
    config: false,
    watch: false,
    include: ['test/machines/**/*.test.ts'],
    setupFiles: [`${import.meta.dirname}/setup.ts`],
    execArgv: ['--conditions=development'],
    isolate: false,
    maxWorkers: 1,
    sequence: {sequencer: InGivenOrder},
    bail: 1,
    testTimeout: 60_000,
    reporters: [{}],
    silent: true,
  });
  const project = vitest.getRootProject();
  const run = async (files: readonly string[], mutant?: MutantName): Promise<SuiteRun> => {
    project.provide('mutant', mutant);
    const specifications = files.map((file) => project.createSpecification(`${root}/${file}`));
    const {testModules: suites, unhandledErrors} =
      await vitest.runTestSpecifications(specifications);
    const failed = suites.find((suite) => !suite.ok())?.relativeModuleId;
    return {suites, failed: failed ?? (unhandledErrors.length > 0 ? 'unhandled error' : undefined)};
  };
  return {run, close: async () => await vitest.close()};
}

async function work(): Promise<void> {
  const {run} = await openSuites(`${import.meta.dirname}/../..`);
  /** XState reports the error of an actor that nobody listens to by a timer. */
  let crashes = 0;
  process.on('uncaughtException', () => (crashes += 1));
  process.on('disconnect', () => process.exit());
  process.on('message', ({machine: id, mutant: name, suites}: Trial) => {
    void (async () => {
      const machine = machines.find((each) => each.id === id);
      const mutant = machine && mutantsOf(machine).find((each) => each.name === name);
      if (!machine || !mutant) throw new Error(`there is no mutant "${name}"`);
      const playScenarios = async (): Promise<string | undefined> => {
        const before = crashes;
        const scenario = noticedByScenarios(machine, mutant);
        await setTimeout(0);
        return scenario ?? (crashes > before ? 'unhandled error' : undefined);
      };
      const runSuites = async () => (await run(suites, {machine: id, mutant: name})).failed;
      const isExplored = scenariosOf(id).length > 0;
      const [first, second] = isExplored ? [playScenarios, runSuites] : [runSuites, playScenarios];
      process.send?.({noticedBy: (await first()) ?? (await second())});
    })();
  });
}

if (import.meta.main) await work();
