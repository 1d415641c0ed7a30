/**
 * Confines a command by Landlock and seccomp, without an installed program: a thread restricts itself and starts the command,
 * which inherits the restrictions. The process itself stays unrestricted: it receives the orphans of the command and ends them.
 *
 * node landlock-process ORDER FILE ARGUMENT…
 *
 * restricting (a thread) → running → ended: no process of the command is left
 *
 * ORDER is the path of a file: see `LandlockOrder`. The variables of the command have the prefix `COMMAND_`. Exits as the command does; 126 when it can't be confined.
 * Constants: linux/landlock.h, linux/seccomp.h, linux/prctl.h, linux/capability.h, and the system calls of x64 and arm64.
 */

import {spawn} from 'node:child_process';
import {
  closeSync,
  constants as fileConstants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeSync,
} from 'node:fs';
import {constants} from 'node:os';
import {setTimeout as sleep} from 'node:timers/promises';
import {isMainThread, Worker} from 'node:worker_threads';

import type koffi from 'koffi';

import type {LandlockOrder, LandlockRule, Rights} from './landlock.ts';

type SystemCall = (number: number, ...args: readonly unknown[]) => number;

const calls = {
  landlockCreate: 444,
  landlockAdd: 445,
  landlockRestrict: 446,
  ...(process.arch === 'arm64'
    ? {prctl: 167, capset: 91, audit: 0xc000_00b7}
    : {prctl: 157, capset: 126, audit: 0xc000_003e}),
};

/**
 * Others: keys of the kernel, and ways around a filter of system calls (io_uring, bpf, perf). Modes: chmod, chown and setxattr by
 * path.
 */
const barredCalls =
  process.arch === 'arm64'
    ? {
        socket: 198,
        others: [217, 218, 219, 425, 426, 427, 241, 280],
        modes: [53, 54, 452, 5, 6, 14, 15],
      }
    : {
        socket: 41,
        others: [248, 249, 250, 425, 426, 427, 298, 321],
        modes: [90, 92, 94, 260, 268, 452, 188, 189, 197, 198],
      };

/** Before it, a file could be truncated that can't be written. Kernel 6.2. */
const leastAbi = 3;

const execute = 1n;
const writeFile = 2n;
const readFile = 4n;
const listFolder = 8n;
const truncate = 1n << 14n;
const deviceControl = 1n << 15n;

/** The rights that a rule for a file may name. */
const fileRights = execute | writeFile | readFile | truncate | deviceControl;

const noNewPrivileges = 38;
const pathOnly = 0o1000_0000;
const returnValue = {allow: 0x7fff_0000, error: 0x0005_0000};
const errors = {EPERM: 1, EACCES: 13};
/** Exit codes of commands are smaller. */
const signalBase = 1_000;
const {signals} = constants;
const prefix = 'COMMAND_';

if (isMainThread) await supervise();
else await startConfined();

async function supervise(): Promise<void> {
  const {library} = await openLibrary();
  const subreaper = 36;
  library(calls.prctl, 'long', subreaper, 'long', 1, 'long', 0, 'long', 0, 'long', 0);
  process.on('SIGTERM', () => void endGently());
  const worker = new Worker(new URL(import.meta.url), {argv: process.argv.slice(2)});
  worker.on('error', ({message}) => stop(message));
  worker.on('exit', (code) => void endAs(code));
}

function stop(problem: string): never {
  writeSync(2, `${problem}\n`);
  process.exit(126);
}

/** The sender of SIGTERM kills this process half a second later, and could not find the orphans. */
async function endGently(): Promise<void> {
  for (const pid of descendants()) kill(pid, 'SIGTERM');
  await sleep(350);
  await endAll();
  process.kill(process.pid, 'SIGKILL');
}

/** `code`: of the command, or the number of the signal that ended it and {@link signalBase}. */
async function endAs(code: number): Promise<void> {
  await endAll();
  if (code < signalBase) process.exit(code);
  const number = code - signalBase;
  const name = Object.entries(signals).find(([, value]) => value === number)?.[0];
  process.removeAllListeners(name);
  process.kill(process.pid, number);
}

/** Killed parents leave orphans, which become children of this process. */
async function endAll(rounds = 200): Promise<void> {
  const left = descendants();
  if (left.length === 0 || rounds === 0) return;
  for (const pid of left) kill(pid, 'SIGKILL');
  await sleep(5);
  await endAll(rounds - 1);
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

/** Without those that have ended. */
function descendants(): readonly number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    const [, state = 'Z', parent = ''] = Number.isInteger(pid) ? statOf(pid) : [];
    if (state !== 'Z' && state !== 'X') parents.set(pid, Number(parent));
  }
  const isOwn = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent === process.pid || (parent !== undefined && parent > 1 && isOwn(parent));
  };
  return [...parents.keys()].filter(isOwn);
}

function statOf(pid: number): readonly string[] {
  try {
    return /\) (\w) (\d+) [^)]*$/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? [];
  } catch {
    return [];
  }
}

/** In the thread, which ends as the command did. */
async function startConfined(): Promise<void> {
  const [, , path = '', file = '', ...args] = process.argv;
  try {
    const {rules, keepsModes} = parseOrder(readFileSync(path, 'utf8'));
    const {library, types} = await openLibrary();
    restrictFiles(library, rules);
    dropCapabilities(library);
    restrictCalls(library, types, keepsModes);
  } catch (error) {
    stop(error instanceof Error ? error.message : String(error));
  }
  const child = spawn(file, args, {stdio: 'inherit', env: commandEnv()});
  child.on('error', ({message}) => stop(message));
  child.on('exit', (code, signal) =>
    process.exit(signal === null ? (code ?? 1) : signalBase + signals[signal]),
  );
}

/** Variables of the command have a prefix, so that none of them changes this process, which is not confined. */
function commandEnv(): NodeJS.ProcessEnv {
  const all = Object.entries(process.env);
  const own = all.filter(([name]) => !name.startsWith(prefix));
  const given = all.filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries([
    ...own,
    ...given.map(([name, value]) => [name.slice(prefix.length), value]),
  ]);
}

/** Written by the process that starts this one. */
function parseOrder(text: string): LandlockOrder {
  const order: LandlockOrder = JSON.parse(text);
  return order;
}

async function openLibrary(): Promise<{library: SystemCall; types: typeof koffi}> {
  const {default: types} = await import('koffi');
  const call = types.load(null).func('long syscall(long, ...)') as (
    ...args: readonly unknown[]
  ) => number | bigint;
  return {
    types,
    library: (number, ...args) => Number(call(number, ...args)),
  };
}

/** Throws when the kernel can't. */
function restrictFiles(library: SystemCall, rules: readonly LandlockRule[]): void {
  const version = 1;
  const abi = library(calls.landlockCreate, 'void *', null, 'size_t', 0, 'uint32_t', version);
  if (abi < leastAbi)
    throw new Error(`the kernel has Landlock ${Math.max(abi, 0)}, not ${leastAbi}`);
  const handled = rightsMask('write', abi);
  const attributes = Buffer.alloc(24);
  attributes.writeBigUInt64LE(handled, 0);
  attributes.writeBigUInt64LE(abi >= 4 ? 3n : 0n, 8);
  attributes.writeBigUInt64LE(scopesOf(abi), 16);
  const size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
  const set = library(calls.landlockCreate, 'void *', attributes, 'size_t', size, 'uint32_t', 0);
  if (set < 0) throw new Error('Landlock: no set of rules could be made');
  for (const rule of rules) addRule(library, set, {...rule, abi});
  library(calls.prctl, 'long', noNewPrivileges, 'long', 1, 'long', 0, 'long', 0, 'long', 0);
  if (library(calls.landlockRestrict, 'int', set, 'uint32_t', 0) !== 0)
    throw new Error('Landlock: the rules could not be applied');
  closeSync(set);
}

/** The rights known to a version of Landlock: linux/landlock.h. */
function rightsMask(rights: Rights, abi: number): bigint {
  const known = (1n << (abi >= 5 ? 16n : 15n)) - 1n;
  if (rights === 'list') return listFolder;
  if (rights === 'read') return execute | readFile | listFolder;
  return rights === 'change' ? known & ~(readFile | execute) : known;
}

/** Abstract Unix sockets, and signals to processes outside. */
function scopesOf(abi: number): bigint {
  return abi >= 6 ? 3n : 0n;
}

/** A path that is missing now gets no rule, nor one that leads elsewhere now: another process may have put a link into it. */
function openPlace(path: string): number | undefined {
  try {
    const place = openSync(path, fileConstants.O_RDONLY | pathOnly);
    if (readlinkSync(`/proc/self/fd/${place}`) === path) return place;
    closeSync(place);
  } catch {
    // It is missing.
  }
  return undefined;
}

function addRule(
  library: SystemCall,
  set: number,
  {path, rights, abi}: LandlockRule & {readonly abi: number},
): void {
  const place = openPlace(path);
  if (place === undefined) return;
  const mask = rightsMask(rights, abi);
  const rule = Buffer.alloc(12);
  rule.writeBigUInt64LE(fstatSync(place).isDirectory() ? mask : mask & fileRights, 0);
  rule.writeInt32LE(place, 8);
  const beneath = 1;
  const result = library(
    calls.landlockAdd,
    'int',
    set,
    'int',
    beneath,
    'void *',
    rule,
    'uint32_t',
    0,
  );
  closeSync(place);
  if (result !== 0) throw new Error(`Landlock: no rule could be made for ${path}`);
}

/** The superuser would keep powers that are not about files. */
function dropCapabilities(library: SystemCall): void {
  const dropBounding = 24;
  for (let capability = 0; capability < 64; capability += 1)
    library(calls.prctl, 'long', dropBounding, 'long', capability, 'long', 0, 'long', 0, 'long', 0);
  const header = Buffer.alloc(8);
  header.writeUInt32LE(0x2008_0522, 0);
  if (library(calls.capset, 'void *', header, 'void *', Buffer.alloc(24)) !== 0)
    throw new Error('the capabilities of the process could not be dropped');
}

/** A program of the Berkeley packet filter: 8 bytes an instruction. */
function callFilter(keepsModes: boolean): Buffer {
  const [load, equal, atLeast, result] = [0x20, 0x15, 0x35, 0x06];
  const barred = [...barredCalls.others, ...(keepsModes ? barredCalls.modes : [])];
  const deny = (error: number): readonly number[] => [result, 0, 0, returnValue.error | error];
  const program: readonly (readonly number[])[] = [
    [load, 0, 0, 4],
    [equal, 1, 0, calls.audit],
    deny(errors.EPERM),
    [load, 0, 0, 0],
    [atLeast, 0, 1, 0x4000_0000],
    deny(errors.EPERM),
    [equal, 0, 1, barredCalls.socket],
    deny(errors.EACCES),
    ...barred.flatMap((number) => [[equal, 0, 1, number], deny(errors.EPERM)]),
    [result, 0, 0, returnValue.allow],
  ];
  return Buffer.concat(
    program.map(([code = 0, yes = 0, no = 0, k = 0]) => {
      const instruction = Buffer.alloc(8);
      instruction.writeUInt16LE(code, 0);
      instruction.writeUInt8(yes, 2);
      instruction.writeUInt8(no, 3);
      instruction.writeUInt32LE(k, 4);
      return instruction;
    }),
  );
}

function restrictCalls(library: SystemCall, types: typeof koffi, keepsModes: boolean): void {
  const filter = callFilter(keepsModes);
  const program = Buffer.alloc(16);
  program.writeUInt16LE(filter.length / 8, 0);
  program.writeBigUInt64LE(types.address(filter), 8);
  const [setSeccomp, filtering] = [22, 2];
  const done = library(
    calls.prctl,
    'long',
    setSeccomp,
    'long',
    filtering,
    'void *',
    program,
    'long',
    0,
    'long',
    0,
  );
  if (done !== 0) throw new Error('the filter of system calls could not be applied');
}
