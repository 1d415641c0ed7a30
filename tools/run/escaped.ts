/**
 * Processes of a command that have left its group, as `setsid` and daemons do: found by the mark in their environment, or by
 * their parents. Without /proc nothing is found.
 */

import {readdirSync, readFileSync, readlinkSync} from 'node:fs';

import {endProcess, startTimeOf, statOf} from './processes.ts';

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
