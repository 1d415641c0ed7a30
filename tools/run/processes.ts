/**
 * Processes of commands: groups that outlived their owner, processes that have left their group, as `setsid` and daemons do, and the shell
 * that ends a command whose runtime is killed. Without /proc only groups are found.
 */

import {spawn} from 'node:child_process';
import {readFileSync, readdirSync, readlinkSync} from 'node:fs';

export interface ProcessStat {
  readonly name: string;
  readonly parent: number;
  readonly group: number;
  /** In clock ticks since boot. */
  readonly startedAt: number;
}

/** Undefined when the process is gone, or has ended and is not reaped yet, or where there is no /proc. */
export function statOf(pid: number): ProcessStat | undefined {
  const fields = fieldsOf(pid);
  const [state = 'Z', parent, group] = fields?.rest ?? [];
  if (!fields || 'ZX'.includes(state)) return undefined;
  const startedAt = Number(fields.rest[19]);
  return {name: fields.name, parent: Number(parent), group: Number(group), startedAt};
}

/** When a process started, in clock ticks since boot. Undefined when it is gone, or where there is no /proc. */
export function startTimeOf(pid: number): string | undefined {
  return fieldsOf(pid)?.rest[19];
}

function fieldsOf(
  pid: number,
): {readonly name: string; readonly rest: readonly string[]} | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // Field 2 is the command's name in parentheses and may itself contain spaces and parentheses.
    const end = stat.lastIndexOf(')');
    return {name: stat.slice(stat.indexOf('(') + 1, end), rest: stat.slice(end + 2).split(' ')};
  } catch {
    return undefined;
  }
}

/** Sends SIGKILL to the group if its leader still is the process that started at `startedAt`. Returns true if it did. */
export function endProcessGroup(processGroup: number, startedAt: string): boolean {
  if (startedAt === '' || startTimeOf(processGroup) !== startedAt) return false;
  return signalGroup(processGroup, 'SIGKILL');
}

/** False when no such group is left, or this user may not signal it. The signal 0 only checks. */
export function signalGroup(processGroup: number, signal: NodeJS.Signals | 0): boolean {
  if (!Number.isSafeInteger(processGroup) || processGroup <= 1) return false;
  try {
    return process.kill(-processGroup, signal);
  } catch {
    return false;
  }
}

/** Sends SIGKILL to one process, if it exists and this user may signal it. */
function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
}

/** The variable that contains the mark. */
export const markName = 'QUORATE_RUN';

/** Processes may fork during the search, so it is repeated. */
const maxRounds = 10;

/** The mark of all processes that a group's leader starts: unique to the group while the system runs. */
export function markOf(processGroup: number, startedAt = startTimeOf(processGroup)): string {
  return `${processGroup}-${startedAt ?? ''}`;
}

/**
 * Sends SIGKILL to the processes with the mark and to their descendants, except the group itself. Returns these processes.
 * `isLate`: process numbers may have wrapped around since.
 */
export function endMarked(mark: string, isLate = false): readonly number[] {
  const ended = new Set<number>();
  for (let round = 0; round < maxRounds; round += 1) {
    const found = markedBy(mark, isLate).filter((pid) => !ended.has(pid));
    if (found.length === 0) break;
    for (const pid of found) {
      endProcess(pid);
      ended.add(pid);
    }
  }
  return [...ended];
}

/** Processes that began after the command, have no parent, work in the folder and are not among the given ones: `sleep (4711)`. */
export function straysIn(
  folder: string,
  mark: string,
  ended: readonly number[],
): readonly string[] {
  const {group, startedAt} = partsOf(mark);
  return processesSince(group)
    .filter((pid) => !ended.includes(pid))
    .flatMap((pid) => {
      const stat = statOf(pid);
      if (stat?.parent !== 1 || stat.group === group || stat.startedAt < startedAt) return [];
      return isIn(folder, pid) ? [`${stat.name} (${pid})`] : [];
    });
}

function markedBy(mark: string, isLate: boolean): readonly number[] {
  const {group} = partsOf(mark);
  const candidates = isLate ? processes() : processesSince(group);
  const running = candidates.flatMap((pid) => {
    const stat = statOf(pid);
    return stat ? [{pid, ...stat}] : [];
  });
  const marked = new Set(running.flatMap(({pid}) => (hasMark(pid, mark) ? [pid] : [])));
  let size: number;
  do {
    size = marked.size;
    for (const {pid, parent} of running) if (marked.has(parent)) marked.add(pid);
  } while (marked.size > size);
  return running.flatMap((each) =>
    marked.has(each.pid) && each.group !== group ? [each.pid] : [],
  );
}

function partsOf(mark: string): {readonly group: number; readonly startedAt: number} {
  const [group = 0, startedAt = 0] = mark.split('-').map(Number);
  return {group, startedAt};
}

/** Numbers are assigned in order: those between the group leader's and the last one, unless they have wrapped around. */
function processesSince(first: number): readonly number[] {
  const last = lastProcess();
  const all = processes();
  return last < first ? all : all.filter((pid) => pid > first && pid <= last);
}

function lastProcess(): number {
  try {
    return Number(readFileSync('/proc/loadavg', 'latin1').trim().split(' ').at(-1));
  } catch {
    return 0;
  }
}

function processes(): readonly number[] {
  try {
    const pids = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
    return pids.filter((pid) => pid !== process.pid);
  } catch {
    return [];
  }
}

/** Known only for processes of this user. */
function hasMark(pid: number, mark: string): boolean {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
    return variables.includes(`${markName}=${mark}`);
  } catch {
    return false;
  }
}

function isIn(folder: string, pid: number): boolean {
  try {
    const place = readlinkSync(`/proc/${pid}/cwd`);
    return place === folder || place.startsWith(`${folder}/`);
  } catch {
    return false;
  }
}

const script = `IFS= read -r line || kill -s KILL -- "-$1"`;

export interface Guard {
  /** Nothing is left to guard. */
  readonly dismiss: () => void;
}

/** Never throws. */
export function guard(processGroup: number): Guard {
  const watching = spawn('/bin/sh', ['-c', script, 'sh', `${processGroup}`], {
    cwd: '/',
    env: {PATH: '/usr/bin:/bin'},
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watching.on('error', () => undefined);
  watching.stdin.on('error', () => undefined);
  watching.unref();
  return {dismiss: () => void watching.stdin.end('ended\n')};
}
