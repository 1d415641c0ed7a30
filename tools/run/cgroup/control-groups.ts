/**
 * The control groups of commands. Their names contain the marks of their processes, so that groups left by a
 * killed runtime are recognised and removed.
 */

import {readdirSync} from 'node:fs';
import {join} from 'node:path';

import {markOf} from '../escaped.ts';
import {startTimeOf} from '../processes.ts';
import type {Limits} from '../quota.ts';
import {type ControlGroup, isRemoved, makeGroup} from './control-group.ts';
import {findHierarchies, type Hierarchy} from './hierarchies.ts';

export interface ControlGroups {
  /**
   * Moves a process that has not started its work into a group of its own. Undefined if none can be made: then only the
   * limits of its processes apply.
   */
  readonly make: (pid: number, limits: Limits) => ControlGroup | undefined;
  /** Undefined when groups can be made, tried with a process; otherwise the reason, a clause. Never rejects. */
  readonly problem: (limits: Limits) => Promise<string | undefined>;
}

const prefix = 'quorate-';

export function createControlGroups(): ControlGroups {
  let known: readonly Hierarchy[] | undefined;
  const tryMake = (pid: number, limits: Limits): ControlGroup => {
    if (!known) {
      known = findHierarchies();
      for (const {folder} of known) sweep(folder);
    }
    if (known.length === 0) throw new Error('no control group here delegates memory and processes');
    return makeGroup(known, `${prefix}${markOf(pid)}`, limits, pid);
  };
  return {
    make: (pid, limits) => {
      try {
        return tryMake(pid, limits);
      } catch {
        return undefined;
      }
    },
    problem: async (limits) => {
      const {execa} = await import('execa');
      const trial = execa('/bin/sh', ['-c', 'read -r line'], {reject: false});
      try {
        const group = tryMake(trial.pid ?? 0, limits);
        group.kill(0);
        await trial;
        return group.remove() ? undefined : 'a control group can be made, but not removed';
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      } finally {
        trial.kill('SIGKILL');
      }
    },
  };
}

/** Removes groups of commands that have ended. */
function sweep(folder: string): void {
  for (const name of namesIn(folder)) {
    const [, group = '', startedAt = ''] = /^quorate-(\d+)-(\d+)$/.exec(name) ?? [];
    if (group !== '' && startTimeOf(Number(group)) !== startedAt) isRemoved(join(folder, name));
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
