/** One control group: limited by the kernel, and ended as a whole, including processes that left their process group or session. */

import {mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {errorCode} from '../../containment/denial.ts';
import {endProcess, statOf} from '../processes.ts';
import type {Limits} from '../quota.ts';
import type {Controller, Hierarchy} from './hierarchies.ts';

export interface ControlGroup {
  /** Absolute: one in each hierarchy. */
  readonly folders: readonly string[];
  /** The limits by which the kernel has ended a process, or refused one. */
  readonly met: () => readonly Controller[];
  /** Sends SIGKILL to all processes in it, and prevents new ones. Returns the processes that had left the process group. */
  readonly kill: (processGroup: number) => readonly number[];
  /** False while a process in it is still running. */
  readonly remove: () => boolean;
}

/** Throws the operating system's error when the group can't be made, limited or entered; then nothing of it remains. */
export function makeGroup(
  hierarchies: readonly Hierarchy[],
  name: string,
  limits: Limits,
  pid: number,
): ControlGroup {
  const folders = hierarchies.map(({folder}) => join(folder, name));
  try {
    for (const [at, hierarchy] of hierarchies.entries())
      bound(hierarchy, folders[at] ?? '', limits);
    for (const folder of folders) write(join(folder, 'cgroup.procs'), `${pid}`);
  } catch (error) {
    for (const [at, {folder}] of hierarchies.entries()) giveUp(folder, folders[at] ?? '', pid);
    throw error;
  }
  return {
    folders,
    met: () => metIn(folders),
    kill: (processGroup) => killIn(folders, processGroup),
    remove: () => folders.map(isRemoved).every(Boolean),
  };
}

function bound({version, controllers, left}: Hierarchy, folder: string, limits: Limits): void {
  mkdirSync(folder);
  for (const controller of controllers) {
    const {most, swap} = files[version][controller];
    const wanted = controller === 'memory' ? limits.memory : limits.processes;
    const lowest = Math.min(wanted, ...left.map((group) => numberIn(join(group, most))));
    write(join(folder, most), `${lowest}`);
    if (swap) writeIfThere(join(folder, swap), version === 2 ? '0' : `${lowest}`);
  }
}

/** `swap`: missing where the kernel does not count swap; in version 1 the limit of memory and swap together. */
const files: Record<1 | 2, Record<Controller, {readonly most: string; readonly swap?: string}>> = {
  1: {
    memory: {most: 'memory.limit_in_bytes', swap: 'memory.memsw.limit_in_bytes'},
    pids: {most: 'pids.max'},
  },
  2: {memory: {most: 'memory.max', swap: 'memory.swap.max'}, pids: {most: 'pids.max'}},
};

function giveUp(parent: string, folder: string, pid: number): void {
  writeIfThere(join(parent, 'cgroup.procs'), `${pid}`);
  isRemoved(folder);
}

/** The kernel's counters, in either version. */
const counters: readonly (readonly [Controller, string, RegExp])[] = [
  ['memory', 'memory.events', /^oom_kill [1-9]/m],
  ['memory', 'memory.oom_control', /^oom_kill [1-9]/m],
  ['pids', 'pids.events', /^max [1-9]/m],
];

function metIn(folders: readonly string[]): readonly Controller[] {
  const met = counters.filter(([, file, pattern]) =>
    folders.some((folder) => pattern.test(readGroupFile(join(folder, file)))),
  );
  return [...new Set(met.map(([controller]) => controller))];
}

/** A process that is being created is found in the next round: no further one can start. */
function killIn(folders: readonly string[], processGroup: number): readonly number[] {
  for (const folder of folders) writeIfThere(join(folder, 'pids.max'), '0');
  const killed = new Map<number, number>();
  for (let size = -1; size < killed.size;) {
    size = killed.size;
    for (const pid of folders.flatMap(processesIn)) {
      const stat = statOf(pid);
      if (stat && !killed.has(pid)) killed.set(pid, stat.group);
      endProcess(pid);
    }
  }
  for (const folder of folders) writeIfThere(join(folder, 'cgroup.kill'), '1');
  return [...killed].flatMap(([pid, group]) => (group === processGroup ? [] : [pid]));
}

/** Also processes in subgroups that a command has made. */
function processesIn(folder: string): readonly number[] {
  const own = readGroupFile(join(folder, 'cgroup.procs')).split('\n').filter(Boolean).map(Number);
  return [...own, ...foldersIn(folder).flatMap(processesIn)];
}

function foldersIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, {withFileTypes: true});
    return entries.filter((entry) => entry.isDirectory()).map(({name}) => join(folder, name));
  } catch {
    return [];
  }
}

/** Trying is safe: a group with a running process is not removed. */
export function isRemoved(folder: string): boolean {
  for (const inner of foldersIn(folder)) isRemoved(inner);
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    return errorCode(error) === 'ENOENT';
  }
}

/** A control group's files can't be created, only written. */
function write(path: string, text: string): void {
  writeFileSync(path, text, {flag: 'r+'});
}

function writeIfThere(path: string, text: string): void {
  try {
    write(path, text);
  } catch {
    // This kernel does not have it.
  }
}

function numberIn(path: string): number {
  const text = readGroupFile(path).trim();
  return /^\d+$/.test(text) ? Number(text) : Infinity;
}

function readGroupFile(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
