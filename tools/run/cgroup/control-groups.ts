/**
 * The control groups of commands. They are named by the marks of the processes that they are made for, so that those which a
 * killed runtime has left are known, and removed.
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
   * Moves a process, which has begun nothing yet, into a group of its own. Undefined where none can be made: the limits of
   * its processes are all that bounds it then.
   */
  readonly make: (pid: number, limits: Limits) => ControlGroup | undefined;
  /** Undefined when groups can be made, tried with a process; else why not, a clause. Never rejects. */
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
    if (known.length === 0) throw new Error('no control group here hands on memory and processes');
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

/** Of commands that are gone. */
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
