/** The report of an undo, and the check after it. */

import {statSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';

import {disarmRepositories, findRepositories} from '../../tools/containment/repositories.ts';

/** The outcome for one file; of a dry run, the expected outcome. */
export interface Undone {
  /** Relative to the workspace. */
  readonly path: string;
  /** `asBefore`: it already was as before the run. `left`: it stays as it is. */
  readonly outcome: 'restored' | 'removed' | 'asBefore' | 'left';
  /** Why the file is left, or only partly undone. */
  readonly why?: string;
}

export interface UndoReport {
  readonly interaction: string;
  readonly workspace: string;
  /** The last written file comes first. */
  readonly files: readonly Undone[];
  /** One line for each repository that was renamed, because it would run programs. */
  readonly setAside: readonly string[];
  /** The number of commands and other calls that may have changed more than these files. Those changes are unknown and stay. */
  readonly commands: number;
  /** The subset of these calls whose changes to files of the workspace are not known either. */
  readonly unknown: number;
  /** A file would be left, and with `isWhole` nothing was undone. */
  readonly isRefused?: true;
  /** The run can still be resumed. */
  readonly isOpen: boolean;
}

export interface UndoOptions {
  /** Changes nothing: reports what would be done. */
  readonly dryRun?: boolean;
  /** Only changes that were begun after this entry. */
  readonly after?: number;
  /** Undoes nothing if any file would be left. */
  readonly isWhole?: boolean;
}

/**
 * Renames repositories that never existed, which restored files may form together with files that were left. Resolves with one line
 * of text for each, without a line break. Never rejects.
 */
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
