/** Finds machines for the commands that read charts: in a user's module, or in Quorate's registry. */

import {existsSync} from 'node:fs';
import {registerHooks} from 'node:module';
import {basename, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

import type {AnyStateMachine} from 'xstate';

import {AppError} from '../../machines/domain/app-error.ts';
import {once} from '../../machines/domain/once.ts';
import {listed, type Message, t} from '../../machines/message.ts';
import {isMachine} from '../../machines/testing/chart.ts';
import {meant, usageError} from '../line/usage-error.ts';

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

const importable = /\.(?:[cm]?[jt]s)$/;

/** Quorate's own machines. */
export async function ownMachines(): Promise<readonly AnyStateMachine[]> {
  return (await import('../../machines/index.ts')).machines;
}

/**
 * The machines for a word: a machine of Quorate, one export of a module, or all machines that a module exports. A module is
 * imported, so its code runs. Rejects with AppError `usage`, `not_found` or `io`; the message names problem and remedy.
 */
export async function findMachines(word: string, cwd = '.'): Promise<readonly FoundMachine[]> {
  const {file, name, path} = fileIn(word, cwd);
  if (file === undefined) return [await ownMachine(word, path)];
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

/** A file outside of a project takes `xstate` from Quorate. */
const lendXstate = once(() =>
  registerHooks({
    resolve: (specifier, context, next) => {
      try {
        return next(specifier, context);
      } catch (error) {
        if (!/^xstate(?:\/|$)/.test(specifier)) throw error;
        return next(specifier, {...context, parentURL: import.meta.url});
      }
    },
  }),
);

/** The exports of a module, by name. Rejects with AppError `io` when it cannot be imported. */
export async function exportsOf(file: string): Promise<Readonly<Record<string, unknown>>> {
  lendXstate();
  try {
    const exported: Record<string, unknown> = await import(pathToFileURL(file).href);
    return exported;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError('io', `${file} cannot be imported: ${reason}`, {cause: error});
  }
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
