/** The tours of a machine for `quorate paths`, and the test file that is made of them. */

import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {basename, dirname, relative, resolve} from 'node:path';

import type {AnyStateMachine} from 'xstate';

import {AppError} from '../../machines/domain/app-error.ts';
import {didYouMean} from '../../machines/domain/nearest.ts';
import {nodesOf} from '../../machines/testing/chart.ts';
import {
  type Exploration,
  explore,
  type ExploreOptions,
  pathTo,
} from '../../machines/testing/explore.ts';
import {type Tour, tourOf, tours} from '../../machines/testing/machine-tours.ts';
import {testFileMark, testFileText} from '../../machines/testing/test-file.ts';
import {namesOfMachines} from '../../machines/testing/world/tables.ts';
import {exportsOf, findExport, type FoundMachine} from './machine-file.ts';

/** The export of a machine's module that holds its samples. */
const samplesName = 'samples';

export interface Toured {
  readonly exploration: Exploration;
  readonly tours: readonly Tour[];
  readonly seconds: number;
}

/** The samples of `--samples`, or those that the module of the machine exports as `samples`. */
export async function samplesFor(
  {source}: FoundMachine,
  word: string | undefined,
  cwd?: string,
): Promise<ExploreOptions> {
  const given =
    word === undefined
      ? source && (await exportsOf(source.file))[samplesName]
      : await findExport(word, samplesName, cwd);
  if (given === undefined) return {};
  if (isSamples(given)) return given;
  const where = word ?? `${basename(source?.file ?? '')}:${samplesName}`;
  throw new AppError('usage', `${where} is not an object of samples: {input, events, outcomes}`);
}

function isSamples(value: unknown): value is ExploreOptions {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The tours of a machine, or the shortest run to a state. Throws AppError: `usage` for samples that cannot be used, `not_found`
 * for a state that was not reached.
 */
export function tourMachine(
  machine: AnyStateMachine,
  options: ExploreOptions,
  state?: string,
): Toured {
  const begin = performance.now();
  const exploration = exploreWith(machine, options);
  const seconds = (performance.now() - begin) / 1000;
  if (state === undefined) return {exploration, tours: tours(exploration), seconds};
  const moves = pathTo(exploration, state);
  if (moves) return {exploration, tours: [tourOf(exploration, moves)], seconds};
  const known = nodesOf(machine.root).flatMap(({path}) => (path.length > 0 ? path.join('.') : []));
  const meant = known.includes(state) ? '' : didYouMean(state, known);
  throw new AppError('not_found', `no run to the state "${state}" was found${meant}`);
}

function exploreWith(machine: AnyStateMachine, options: ExploreOptions): Exploration {
  try {
    return explore(machine, options);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError('usage', reason, {cause: error});
  }
}

/** Writes the test file. Throws AppError `usage` when a file of that name was not made by this command. */
export function writeTestFile(
  path: string,
  {source, machine}: FoundMachine,
  options: ExploreOptions,
  {tours: all}: Toured,
  cwd = '.',
): void {
  const file = resolve(cwd, path);
  if (!source) throw new AppError('usage', '--vitest needs the file of a machine');
  if (existsSync(file) && !readFileSync(file, 'utf8').startsWith(testFileMark)) {
    throw new AppError(
      'usage',
      `${path} exists and was not made by quorate paths; name another file`,
    );
  }
  const module = relative(dirname(file), source.file).replaceAll('\\', '/');
  const text = testFileText({
    id: machine.id,
    name: source.name,
    module: module.startsWith('.') ? module : `./${module}`,
    tours: all,
    input: options.input,
    puppets: namesOfMachines(machine, Object.keys(options.outcomes ?? {})),
    command: `quorate paths ${relative(resolve(cwd), source.file)}:${source.name} --vitest ${path}`,
  });
  writeFileSync(file, text);
}
