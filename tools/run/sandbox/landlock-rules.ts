/**
 * What a command may reach under Landlock, as a list of paths with rights: whatever no rule names is closed. A right holds for
 * everything below its path, so a folder that contains a closed place gets its entries one by one.
 */

import {join} from 'node:path';

import {type Guarded, isBelow, namesIn, statsOf} from '../../containment/guarded.ts';

/** `list`: names only. `read`: also contents, and running. `change`: everything except reading contents. `write`: everything. */
export type Rights = 'list' | 'read' | 'change' | 'write';

export interface LandlockRule {
  /** Absolute. */
  readonly path: string;
  readonly rights: Rights;
}

/** The restrictions of a command: whatever no rule names is closed. */
export interface LandlockOrder {
  readonly rules: readonly LandlockRule[];
  /** Owners, modes and extended attributes of files can't be changed by path, as Landlock does not restrict that. */
  readonly keepsModes: boolean;
}

export interface WorkspaceGround {
  readonly workspace: string;
  readonly places: readonly Guarded[];
  /** Guarded places are read-only, at the price that nothing can be made in a folder that directly contains one. */
  readonly isStrict: boolean;
}

const maxRules = 20_000;

/** Throws when the workspace has too many entries beside its closed places. */
export function workspaceRules(ground: WorkspaceGround): LandlockRule[] {
  return [...insideRules(ground), ...outsideRules(ground)];
}

/** The data of a linked worktree's repository. */
function outsideRules({workspace, places, isStrict}: WorkspaceGround): LandlockRule[] {
  return places
    .filter(({path, as}) => !isBelow(workspace, path) && (as === 'pinned' || as === 'shut'))
    .map(({path, as}) => ({path, rights: as === 'pinned' && !isStrict ? 'write' : 'read'}));
}

function insideRules({workspace, places, isStrict}: WorkspaceGround): LandlockRule[] {
  const special = places.filter(({as}) => as !== 'pinned' && (isStrict || as !== 'shut'));
  const byPath = new Map(special.map((place) => [place.path, place]));
  const rules: LandlockRule[] = [];
  const add = (path: string): void => {
    const place = byPath.get(path);
    if (place) {
      if (place.as === 'shut' && place.held === undefined) rules.push({path, rights: 'read'});
      return;
    }
    if (!special.some((one) => isBelow(path, one.path))) {
      rules.push({path, rights: 'write'});
      return;
    }
    rules.push({path, rights: isStrict ? 'list' : 'change'});
    if (rules.length > maxRules)
      throw new Error('the workspace has too many files beside closed ones');
    for (const name of namesIn(path)) {
      const entry = join(path, name);
      if (statsOf(entry)?.isSymbolicLink() === false) add(entry);
    }
  };
  add(workspace);
  return rules;
}

/** Files of /proc and /dev that programs need, and that say nothing about other processes. */
export const systemRules: readonly LandlockRule[] = [
  ...'cpuinfo filesystems loadavg meminfo stat sys uptime version'
    .split(' ')
    .map((name): LandlockRule => ({path: `/proc/${name}`, rights: 'read'})),
  ...'null zero full random urandom'
    .split(' ')
    .map((name): LandlockRule => ({path: `/dev/${name}`, rights: 'write'})),
];
