/** Checks a write that turns a folder of the workspace into a repository that runs programs, or changes such a repository. */

import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {join, relative} from 'node:path';

import {configuredIn} from '../run/sandbox/repository.ts';
import type {OnReplace} from '../tool.ts';
import {attempt} from './denial.ts';
import {disk, type Disk, diskWith} from './disk.ts';
import {foldersBetween, isBelow, statsOf, smallFileText} from './guarded.ts';
import {openable} from './own-state.ts';
import {dangersIn, isObeyedIn, isRepository} from './repository-dangers.ts';
import {nameAside, runsPrograms, setAside} from './set-aside.ts';

/** The reason why only a person may allow a file of the workspace to get this text; undefined when others may. */
export function repositoryReason(
  workspace: string,
  path: string,
  after: string,
): string | undefined {
  const full = join(workspace, path);
  const [folder] = foldersObeying(workspace, full, diskWith(full, after));
  if (folder !== undefined) {
    const shown = relative(workspace, folder) || 'the workspace';
    return `${path} makes ${shown} a repository that runs programs: only a person may allow that`;
  }
  return isConfigured(workspace, full)
    ? `${path} is named in git's configuration as hooks or settings: only a person may allow a change`
    : undefined;
}

/** Only the folders above a file can become a repository by its write. */
function foldersObeying(workspace: string, path: string, files: Disk): readonly string[] {
  return [...foldersBetween(workspace, path), workspace].filter(
    (folder) =>
      isObeyedIn(folder, path) &&
      isRepository(folder, files) &&
      dangersIn({folder}, files).length > 0,
  );
}

function isConfigured(workspace: string, path: string): boolean {
  const folder = join(workspace, '.git');
  return configuredIn(smallFileText(join(folder, 'config')), folder, workspace).some(
    ({path: at}) => at === path || isBelow(at, path),
  );
}

export interface FileWrite {
  readonly workspace: string;
  /** Relative to the workspace. */
  readonly path: string;
  readonly onReplace?: OnReplace | undefined;
}

/**
 * Checks after the write: another order of writes, or another program's writes, may have made a repository that no preview
 * showed. Returns a line for each folder, without a line end. Never rejects.
 */
export async function disarmAfterWrite(write: FileWrite): Promise<string[]> {
  const {workspace, path} = write;
  const folders = foldersObeying(workspace, join(workspace, path), disk);
  const lines = await Promise.all(folders.map(async (folder) => await disarm(folder, write)));
  return lines.flat();
}

async function disarm(folder: string, {workspace, onReplace}: FileWrite): Promise<string[]> {
  const head = join(folder, 'HEAD');
  await recordRename(workspace, head, onReplace);
  return setAside(workspace, head, runsPrograms);
}

/** Lets undo know both names. A rename that can't be recorded happens nevertheless. */
async function recordRename(
  workspace: string,
  path: string,
  onReplace: OnReplace | undefined,
): Promise<void> {
  const other = nameAside(path);
  const read = attempt(path, () => readFileSync(openable(path)));
  if (!onReplace || other === undefined || !read.ok) return;
  const content = read.value;
  const state = createHash('sha256').update(content).digest('hex');
  const mode = (statsOf(path)?.mode ?? 0o644) & 0o777;
  try {
    await onReplace([
      {path: relative(workspace, path), before: {state, content, mode}},
      {path: relative(workspace, other), after: state},
    ]);
  } catch {
    // A repository that runs programs must not stay.
  }
}
