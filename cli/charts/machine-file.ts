/** Finds machines for the commands that read charts: in a user's module, or in Quorate's registry. */

import {existsSync, readFileSync, statSync} from 'node:fs';
import {basename, relative, resolve} from 'node:path';

import type {AnyStateMachine} from 'xstate';

import {AppError} from '../../machines/domain/app-error.ts';
import {listed, type Message, t} from '../../machines/message.ts';
import {isMachine} from '../../machines/testing/chart.ts';
import {meant, usageError} from '../line/usage-error.ts';
import type {Environment} from '../terminal.ts';
import {aside} from './aside.ts';

export interface FoundMachine {
  readonly machine: AnyStateMachine;
  /** Of a machine in a module: the module's path, and the name of the export. Absent: a machine of Quorate. */
  readonly source?: MachineSource;
}

export interface MachineSource {
  /** Absolute. */
  readonly file: string;
  readonly name: string;
}

/** For the help of the commands. */
export const machineOperand = 'FILE[:EXPORT]';

/** For the help of the commands. */
export const importing = t`A module of a project with Vite is imported through it, and the configuration of Vite is code that runs, too; not in a
folder whose quorate.toml or .mcp.json you have not trusted. Other modules are imported by Node: also without endings, by the
paths of tsconfig.json, and with TypeScript that must be compiled. What a module prints goes to standard error.`;

const importable = /\.(?:[cm]?[jt]s|[jt]sx)$/;

/** Quorate's own machines. */
export async function ownMachines(): Promise<readonly AnyStateMachine[]> {
  return (await import('../../machines/index.ts')).machines;
}

/** For what can't be imported among other modules. */
type Report = (error: AppError) => void;

/**
 * The machines for a word: a machine of Quorate, one export of a module, all machines that a module exports, or those of the
 * modules in a folder, or of a glob, that make machines. A module is imported, so its code runs. Rejects with AppError `usage`,
 * `not_found` or `io`; the message names problem and remedy. Among other modules, one that can't be imported is reported.
 */
export async function findMachines(
  word: string,
  cwd = '.',
  report?: Report,
): Promise<readonly FoundMachine[]> {
  const {file, name, path} = fileIn(word, cwd);
  if (file !== undefined && !statSync(file).isDirectory()) return await machinesIn(file, name);
  if (file === undefined && !/[*?[{]/.test(word)) return [await ownMachine(word, path)];
  const modules = await modulesIn(file === undefined ? word : `${relative(cwd, file)}/**`, cwd);
  if (modules.length > 0) return await machinesInAll(modules, report);
  throw new AppError('not_found', t`${word} has no module that makes a machine with createMachine`);
}

/** One after the other: modules of a project share state. A module that keeps its machines to itself has none. */
async function machinesInAll(
  [first, ...others]: readonly string[],
  report?: Report,
): Promise<readonly FoundMachine[]> {
  if (first === undefined) return [];
  const found = await machinesIn(first).catch((error: unknown) => {
    if (!(error instanceof AppError) || (error.code !== 'not_found' && !report)) throw error;
    if (error.code !== 'not_found') report?.(error);
    return [];
  });
  return [...found, ...(await machinesInAll(others, report))];
}

/** Modules that make machines, without tests, declarations and packages. */
async function modulesIn(glob: string, cwd: string): Promise<readonly string[]> {
  const {default: fastGlob} = await import('fast-glob');
  const ignore = ['**/node_modules/**', '**/*.d.*', '**/*.{test,spec}.*'];
  const files = await fastGlob.glob(glob.replace(/^\.?\//, ''), {cwd, ignore, absolute: true});
  return files.filter((file) => importable.test(file) && makesMachine(file)).toSorted();
}

function makesMachine(file: string): boolean {
  return /\bcreateMachine\s*\(/.test(readFileSync(file, 'utf8'));
}

async function machinesIn(file: string, name?: string): Promise<readonly FoundMachine[]> {
  const exported = await exportsOf(file);
  const all = Object.entries(exported)
    .flatMap(([key, value]) =>
      isMachine(value) ? [{machine: value, source: {file, name: key}}] : [],
    )
    .toSorted((one, other) => (one.source.name < other.source.name ? -1 : 1));
  const found = name === undefined ? all : all.filter(({source}) => source.name === name);
  if (found.length > 0) return found;
  const known = all.map(({source}) => source.name);
  throw new AppError('not_found', missing(basename(file), name, known, Object.keys(exported)));
}

/** The one machine for a word. Rejects as `findMachines`, and when a module exports several. */
export async function findMachine(word: string, cwd?: string): Promise<FoundMachine> {
  const [found, ...others] = await findMachines(word, cwd);
  if (found !== undefined && others.length === 0) return found;
  const names = [found, ...others].map((each) => `${word}:${each?.source?.name}`);
  const choice = listed(names, (before, last) => t`${before} or ${last}`);
  throw usageError(t`${word} exports several machines: choose ${choice}`);
}

/** An export of a module. Rejects as `findMachines`. */
export async function findExport(word: string, usual: string, cwd = '.'): Promise<unknown> {
  const {file, name = usual, path} = fileIn(word, cwd);
  if (file === undefined) throw new AppError('not_found', missingFile(path));
  const exported = await exportsOf(file);
  if (Object.hasOwn(exported, name)) return exported[name];
  throw new AppError('not_found', t`${basename(file)} does not export ${name}`);
}

/** The exports of a module, by name. Rejects with AppError `io` when it cannot be imported. */
export async function exportsOf(
  file: string,
  env: Environment = process.env,
): Promise<Readonly<Record<string, unknown>>> {
  const {importModule} = await import('./project-module.ts');
  let withheld = '';
  const mayUseVite = async (root: string) => {
    const may = await isAccepted(root, env);
    if (!may) withheld = root;
    return may;
  };
  try {
    return await aside(async () => await importModule(file, mayUseVite));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const remedy = withheld === '' ? remedyFor(reason) : trustFirst(withheld);
    throw new AppError('io', t`${file} cannot be imported: ${reason}${remedy}`, {cause: error});
  }
}

/** True unless the user has not trusted what the folder wants Quorate to load. */
async function isAccepted(root: string, env: Environment): Promise<boolean> {
  const {isTrusted, readFolder} = await import('../config/folder-trust.ts');
  const content = await readFolder(root);
  const wants = content.project ?? content.mcp ?? content.mcpProblem;
  return wants === undefined || (await isTrusted(content, env));
}

function trustFirst(root: string): Message {
  return t`; the Vite of ${root} was not used, because you have not trusted this folder: quorate config --trust`;
}

function remedyFor(reason: string): Message {
  const [, absent] = /^Cannot find package '([^']+)'/.exec(reason) ?? [];
  if (absent !== undefined) return t`; install ${absent} in the project`;
  if (/has JSX/.test(reason)) return t`; install one of them`;
  if (/^Cannot find|does not provide an export|[Uu]nexpected|Invalid/.test(reason)) {
    return t`; a project with Vite is imported through it; or start with NODE_OPTIONS="--import tsx" after npm i -D tsx`;
  }
  return t``;
}

interface NamedFile {
  /** As given. */
  readonly path: string;
  /** Absolute. Absent: there is no such file. */
  readonly file?: string;
  /** Of an export. */
  readonly name?: string;
}

/** A file whose own name has a colon is found by its whole name. */
function fileIn(word: string, cwd: string): NamedFile {
  const whole = resolve(cwd, word);
  if (existsSync(whole)) return {path: word, file: whole};
  const [, path = word, name] = /^(.+):([\w$]+)$/.exec(word) ?? [];
  const file = resolve(cwd, path);
  if (existsSync(file)) return {path, file, ...(name === undefined ? {} : {name})};
  return {path};
}

function missingFile(path: string): Message {
  return t`the file ${path} does not exist`;
}

/** `path`: the word without the name of an export. */
async function ownMachine(name: string, path: string): Promise<FoundMachine> {
  const machines = await ownMachines();
  const machine = machines.find(({id}) => id === name);
  if (machine) return {machine};
  const ids = machines.map(({id}) => id);
  const near = meant(basename(path).replace(importable, ''), ids);
  if (importable.test(path)) {
    const hint = near.text === '' ? near : t`; a machine of Quorate is named without a file${near}`;
    throw new AppError('not_found', t`${missingFile(path)}${hint}`);
  }
  throw new AppError(
    'not_found',
    t`"${name}" is neither a file nor a machine of Quorate${near}; quorate diagram lists the machines`,
  );
}

function missing(
  file: string,
  name = '',
  machines: readonly string[],
  exported: readonly string[],
): Message {
  if (machines.length > 0) {
    const [known, near] = [machines.join(', '), meant(name, machines)];
    return t`${file} does not export the machine ${name}${near}; its machines: ${known}`;
  }
  const others = exported.length === 0 ? t`nothing` : exported.join(', ');
  return t`${file} exports no XState machine, but ${others}; a machine is made by createMachine of xstate 5`;
}
