/** Checks the workspace after every command, confined or not: places that only a person may make are set aside. */

import {
  entriesBelow,
  isReserved,
  reservedAmong,
  setAside,
  type Below,
} from '../containment/guarded.ts';
import {
  disarmOwn,
  disarmRepositories,
  isNamedIn,
  maxFolders,
  mayMark,
  repositoriesAmong,
} from '../containment/repositories.ts';
import {isLeftover} from './sandbox/reserved-paths.ts';

/** Reverts changes that were not allowed. Resolves with a line for each, without a line end. Never rejects. */
export type PlacesCheck = () => Promise<readonly string[]>;

/**
 * Called before the command. `approved`: the text of the call, when a person allowed it. `holdsGit`: it runs other programs than known
 * readers, writers of plain files and git. `isUnknown`: it runs code that nobody knows. Never rejects.
 */
export async function beginPlacesCheck(
  workspace: string,
  approved: string | undefined,
  {holdsGit = false, isUnknown = false} = {},
): Promise<PlacesCheck> {
  const since = Date.now();
  const entries = await lookAt(workspace);
  const before = repositoriesAmong(entries, workspace);
  const reserved = new Set(reservedAmong(entries.found, workspace));
  return async () => {
    const now = await lookAt(workspace);
    const after = repositoriesAmong(now, workspace);
    const disarmed = disarmRepositories(after, {
      workspace,
      before,
      since,
      mayStay: (danger) => approved !== undefined && isNamedIn(approved, danger, workspace),
    });
    if (!holdsGit || approved !== undefined) return disarmed;
    const own = isUnknown ? disarmOwn(workspace, before, after) : [];
    const aside = reservedAmong(now.found, workspace)
      .filter((path) => !reserved.has(path) && !isLeftover(path))
      .flatMap((path) => setAside(workspace, path, onlyPerson));
    return [...disarmed, ...own, ...aside];
  };
}

async function lookAt(workspace: string): Promise<Below> {
  return await entriesBelow(
    [workspace],
    maxFolders,
    (entry) => mayMark(entry) || isReserved(entry, workspace),
  );
}

const onlyPerson = 'is protected: only a person may make it';
