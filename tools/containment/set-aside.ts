/** Renames a file or folder that was not allowed: nothing is lost, and no program obeys it. */

import {renameSync} from 'node:fs';
import {relative} from 'node:path';

import {attempt} from './denial.ts';
import {statsOf} from './guarded.ts';

export const runsPrograms =
  'belongs to a repository that runs programs: only a person may make one';

const maxNames = 100;

export function isAside(name: string): boolean {
  return /\.not-allowed\d*$/.test(name);
}

/** A free name beside `path`; undefined when too many are taken. */
export function nameAside(path: string): string | undefined {
  const names = Array.from(
    {length: maxNames},
    (_, at) => `${path}.not-allowed${at === 0 ? '' : at}`,
  );
  return names.find((name) => statsOf(name) === undefined);
}

/** Returns the report as lines, without line ends. `why`: a clause whose subject is the path. */
export function setAside(workspace: string, path: string, why: string): string[] {
  const shown = relative(workspace, path);
  if (statsOf(path) === undefined) return [`${shown} ${why}`];
  const other = nameAside(path);
  if (other === undefined || !attempt(path, () => renameSync(path, other)).ok) {
    return [`${shown} ${why}, and could not be reverted`];
  }
  return [`${shown} ${why}; the new version is now ${relative(workspace, other)}`];
}
