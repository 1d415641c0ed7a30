/** A look after an undo: what it brought back may, with what it had to leave, be a repository that never was one. */

import {statSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';

import {disarmRepositories, findRepositories} from '../../tools/containment/repositories.ts';
import type {Undone} from './undo-report.ts';

/** Renames such repositories. Resolves with a line for each, without an end. Never rejects. */
export type UndoLook = (files: readonly Undone[]) => Promise<readonly string[]>;

/** Before the undo. `began`: the run's begin, epoch ms: what is older is the user's own. Never rejects. */
export async function beginUndoLook(workspace: string, began: number): Promise<UndoLook> {
  const since = Date.now();
  const before = await findRepositories(workspace);
  return async (files) => {
    const back = new Set(files.filter(({outcome}) => outcome !== 'left').map(({path}) => path));
    const isOwn = (path: string): boolean =>
      back.has(relative(workspace, path)) || isOlder(path, began);
    return disarmRepositories(await findRepositories(workspace), {
      workspace,
      before,
      since,
      mayStay: (danger, mark) => isOwn(danger.path) && partsOf(mark).every(isOwn),
    });
  };
}

/** Without these the folder is not a repository. */
function partsOf(mark: string): string[] {
  return [mark, ...['objects', 'refs'].map((name) => join(dirname(mark), name))];
}

/** Of a folder, when it was made: its other times change with what it holds. Absent counts as older. */
function isOlder(path: string, time: number): boolean {
  const stats = statSync(path, {throwIfNoEntry: false});
  return stats === undefined || (stats.isDirectory() ? stats.birthtimeMs : stats.ctimeMs) < time;
}
