/** The tours of a machine for `quorate paths`, and the test file generated from them. */

import {basename, dirname, relative, resolve} from 'node:path';

import type {AnyStateMachine} from 'xstate';

import {AppError} from '../../machines/domain/app-error.ts';
import {nearest} from '../../machines/domain/nearest.ts';
import {t} from '../../machines/message.ts';
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
import {meantOne, usageError} from '../line/usage-error.ts';
import {writeGenerated} from './generated-file.ts';
import {exportsOf, findExport, type FoundMachine} from './machine-file.ts';
import {samplesFileMark, samplesFileText} from './samples-file.ts';

/** The export of a machine's module that holds its samples. */
const samplesName = 'samples';

export interface Toured {
  readonly exploration: Exploration;
  readonly tours: readonly Tour[];
  readonly seconds: number;
}

/** The samples of `--samples`, or the export `samples` of the machine's module. */
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
  throw usageError(t`${where} is not an object of samples: {input, events, outcomes}`);
}

function isSamples(value: unknown): value is ExploreOptions {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The tours of a machine, or the shortest run to a state. Throws AppError: `usage` for unusable samples, `not_found` for a
 * state that was not reached.
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
  const near = meantOne(known.includes(state) ? undefined : nearest(state, known));
  throw new AppError('not_found', t`no run to the state "${state}" was found${near}`);
}

function exploreWith(machine: AnyStateMachine, options: ExploreOptions): Exploration {
  try {
    return explore(machine, options);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError('usage', reason, {cause: error});
  }
}

/** Writes the test file. Throws AppError `usage` as `writeGenerated`, and for a machine without a file. */
export function writeTestFile(
  path: string,
  {source, machine}: FoundMachine,
  options: ExploreOptions,
  {tours: all}: Toured,
  cwd = '.',
): void {
  if (!source) throw usageError(t`--vitest needs the file of a machine`);
  const text = testFileText({
    id: machine.id,
    name: source.name,
    module: specifierFrom(resolve(cwd, path), source.file),
    tours: all,
    input: options.input,
    puppets: namesOfMachines(machine, Object.keys(options.outcomes ?? {})),
    command: `quorate paths ${relative(resolve(cwd), source.file)}:${source.name} --vitest ${path}`,
  });
  writeGenerated(path, testFileMark, text, cwd);
}

/** Writes the skeleton of samples. Throws AppError `usage` as `writeGenerated`, and for a machine without a file. */
export function writeSamplesFile(path: string, {source, machine}: FoundMachine, cwd = '.'): void {
  if (!source) throw usageError(t`--init-samples needs the file of a machine`);
  const module = specifierFrom(resolve(cwd, path), source.file);
  const text = samplesFileText(machine, source.name, module, /\.[cm]?tsx?$/.test(path));
  writeGenerated(path, samplesFileMark, text, cwd);
}

function specifierFrom(file: string, module: string): string {
  const path = relative(dirname(file), module).replaceAll('\\', '/');
  return path.startsWith('.') ? path : `./${path}`;
}
