/** Process groups that outlived their owner: distinguished from unrelated groups with the same number, and ended. */

import {readFileSync} from 'node:fs';

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
export function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
}
