/** Lints the machines that the words of a command line select. */

import {relative, resolve} from 'node:path';

import type {AppError} from '../../machines/domain/app-error.ts';
import {type Finding, lintChart, type LintOptions} from '../../machines/testing/lint.ts';
import {findMachines, type FoundMachine} from './machine-file.ts';

/** The findings of one machine. */
export interface LintReport {
  /** Its id. */
  readonly machine: string;
  /** Of a machine in a module: its path relative to the working folder. */
  readonly file?: string;
  readonly export?: string;
  readonly findings: readonly Finding[];
}

/**
 * In the order of the words, each machine once. `report` receives what can't be imported among the modules of a folder.
 * Rejects as `findMachines`.
 */
export async function lintMachines(
  words: readonly string[],
  cwd: string,
  options: LintOptions,
  report: (error: AppError) => void,
): Promise<readonly LintReport[]> {
  const lists = await Promise.all(words.map(async (word) => await findMachines(word, cwd, report)));
  const found = lists.flat();
  const isFirst = ({machine}: FoundMachine, index: number) =>
    found.findIndex((each) => each.machine === machine) === index;
  return found.filter(isFirst).map((each) => reportOn(each, cwd, options));
}

function reportOn({machine, source}: FoundMachine, cwd: string, options: LintOptions): LintReport {
  const place = source ? {file: relative(resolve(cwd), source.file), export: source.name} : {};
  return {machine: machine.id, ...place, findings: lintChart(machine, options)};
}
