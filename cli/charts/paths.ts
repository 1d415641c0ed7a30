/** The tours of a machine for `quorate paths`, and the test file generated from them. */

import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {basename, dirname, relative, resolve} from 'node:path';

import type {AnyStateMachine} from 'xstate';

import {AppError} from '../../machines/domain/app-error.ts';
import {hashOf} from '../../machines/domain/digest.ts';
import {nearest} from '../../machines/domain/nearest.ts';
import {t} from '../../machines/message.ts';
import {nodesOf} from '../../machines/testing/chart.ts';
import {
  type Exploration,
  type ExploreOptions,
  explore,
  pathTo,
} from '../../machines/testing/explore.ts';
import {type Tour, tourOf, tours} from '../../machines/testing/machine-tours.ts';
import {testFileMark, testFileText} from '../../machines/testing/test-file.ts';
import {type LogicKind, kindOf} from '../../machines/testing/world/kinds.ts';
import {eventTypesOf, namesOfMachines} from '../../machines/testing/world/tables.ts';
import {meantOne, usageError} from '../line/usage-error.ts';
import {type FoundMachine, exportsOf, findExport} from './machine-file.ts';

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

// Files that commands write for users. Each has a hash of its text at its head: one that was edited is not overwritten.

/**
 * `mark`: how the first line begins, which says what made the file. Throws AppError `usage` for a file that was not made so, or
 * that was edited.
 */
export function writeGenerated(path: string, mark: string, text: string, cwd = '.'): void {
  const file = resolve(cwd, path);
  if (existsSync(file)) requireUnedited(path, mark, readFileSync(file, 'utf8'));
  mkdirSync(dirname(file), {recursive: true});
  writeFileSync(file, `${mark} sha256:${shortHash(text)}\n${text}`);
}

function requireUnedited(path: string, mark: string, known: string): void {
  const [head = '', ...lines] = known.split('\n');
  if (!head.startsWith(mark)) {
    throw usageError(t`${path} exists and was not made by quorate paths; name another file`);
  }
  const [, hash] = /sha256:(\w+)$/.exec(head) ?? [];
  if (hash === undefined || hash === shortHash(lines.join('\n'))) return;
  throw usageError(
    t`${path} was edited after quorate paths made it: keep your changes in another file and delete it, or name another file`,
  );
}

function shortHash(text: string): string {
  return hashOf(text).slice(0, 16);
}

// A skeleton of samples for a machine: every event, every actor, and the input, typed by the machine.

/** How the first line of such a file begins. */
export const samplesFileMark = '// Made by quorate paths --init-samples.';

const lines: Readonly<Record<LogicKind, string | undefined>> = {
  promise: '[undefined], // its outputs; also fails(new Error(…))',
  callback: '[], // sends({type: …}), fails(new Error(…))',
  observable: '[undefined], // next(value); undefined: it completes; fails(new Error(…))',
  'event observable':
    '[undefined], // sends({type: …}); undefined: it completes; fails(new Error(…))',
  transition: undefined,
  machine: undefined,
  custom: '[undefined], // its outputs; also fails, sends, next',
};

/** `module`: the specifier of the machine's module; `name`: its export. TypeScript, or JavaScript with types in a comment. */
export function samplesFileText(
  machine: AnyStateMachine,
  name: string,
  module: string,
  isTyped: boolean,
): string {
  const actors = actorsOf(machine).flatMap(([actor, kind]) => {
    const line = lines[kind];
    return line === undefined ? [] : `    ${keyText(actor)}: ${line}`;
  });
  const events = eventTypesOf(machine).map((type) => `    ${keyText(type)}: [{}],`);
  const type = `ExploreOptions<typeof import('${module}').${name}>`;
  return [
    '// Several inputs: inputs: [{…}, {…}]. An event: what it carries beside its type; []: it never comes. An actor that has no entry',
    '// does what the machine handles. Outcomes other than outputs: fails, sends and next of quorate/testing.',
    ...(isTyped
      ? ["import type {ExploreOptions} from 'quorate/testing';", '', 'export const samples = {']
      : ['', `/** @type {import('quorate/testing').${type}} */`, 'export const samples = {']),
    ...(typeof machine.config.context === 'function' ? ['  input: {},'] : []),
    ...group('events', events),
    ...group('outcomes', actors),
    isTyped ? `} satisfies ${type};` : '};',
    '',
  ].join('\n');
}

function group(name: string, members: readonly string[]): string[] {
  return members.length === 0 ? [] : [`  ${name}: {`, ...members, '  },'];
}

/** The actors that the machine invokes or has a name for, in the order of the chart. */
function actorsOf({root, implementations}: AnyStateMachine): [string, LogicKind][] {
  const known: Readonly<Record<string, unknown>> = implementations.actors;
  const invoked = nodesOf(root).flatMap(({invoke, config}) =>
    invoke.map(({src, id}, index): [string, unknown] => {
      if (typeof src === 'string' && !src.startsWith('xstate.')) return [src, known[src]];
      return [id, [config.invoke].flat()[index]?.src];
    }),
  );
  const all = new Map([...invoked, ...Object.entries(known)]);
  return [...all].map(([name, logic]) => [name, kindOf(logic)]);
}

function keyText(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name).replaceAll(/^"|"$/g, "'");
}
