/** Process groups that outlived their owner: told apart from strangers with the same number, and ended. */

import {readFileSync} from 'node:fs';

/** When a process started, in clock ticks since boot. Undefined when it is gone, or where there is no /proc. */
export function startTimeOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // Field 2 is the command's name in parentheses and may itself hold spaces and parentheses.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

/** SIGKILLs the group if its leader still is the process that started at `startedAt`. Says whether it did. */
export function endProcessGroup(processGroup: number, startedAt: string): boolean {
  if (startedAt === '' || startTimeOf(processGroup) !== startedAt) return false;
  return signalGroup(processGroup, 'SIGKILL');
}

/** False when no such group is left, or it is not ours to signal. The signal 0 only asks. */
export function signalGroup(processGroup: number, signal: NodeJS.Signals | 0): boolean {
  if (!Number.isSafeInteger(processGroup) || processGroup <= 1) return false;
  try {
    return process.kill(-processGroup, signal);
  } catch {
    return false;
  }
}
