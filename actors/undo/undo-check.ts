/** A check after an undo: restored files may, together with files that were left, form a repository that never existed. */

import {statSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';

import {disarmRepositories, findRepositories} from '../../tools/containment/repositories.ts';
import type {Undone} from './undo-report.ts';

/** Renames such repositories. Resolves with one line of text for each, without a line break. Never rejects. */
export type UndoCheck = (files: readonly Undone[]) => Promise<readonly string[]>;

/** Call it before the undo. `began`: the start of the run, epoch ms; older files are the user's own. Never rejects. */
export async function beginUndoCheck(workspace: string, began: number): Promise<UndoCheck> {
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

/** Without these paths the folder is not a repository. */
function partsOf(mark: string): string[] {
  return [mark, ...['objects', 'refs'].map((name) => join(dirname(mark), name))];
}

/** Compares the birth time of a folder: its other times change with its content. An absent path counts as older. */
function isOlder(path: string, time: number): boolean {
  const stats = statSync(path, {throwIfNoEntry: false});
  return stats === undefined || (stats.isDirectory() ? stats.birthtimeMs : stats.ctimeMs) < time;
}
