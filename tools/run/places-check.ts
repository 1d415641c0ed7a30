/** Checks the workspace after every command, confined or not: places that only a person may make are set aside. */

import type {Dirent} from 'node:fs';

import {
  type Below,
  entriesBelow,
  isReserved,
  pathOf,
  reservedAmong,
} from '../containment/nested.ts';
import {disarmOwn} from '../containment/own-repository.ts';
import {isPackageFile} from '../containment/package-files.ts';
import {
  disarmRepositories,
  maxFolders,
  mayMark,
  repositoriesAmong,
} from '../containment/repositories.ts';
import {isNamedIn} from '../containment/repository-dangers.ts';
import {setAside} from '../containment/set-aside.ts';
import {readPackages, rememberHooks, takeBackPackages} from './package-check.ts';
import {isLeftover} from './sandbox/reserved-paths.ts';

/** Reverts changes that were not allowed. Resolves with a line for each, without a line end. Never rejects. */
export type PlacesCheck = () => Promise<readonly string[]>;

/**
 * Called before the command. `approved`: the text of the call, when a person allowed it. `isUnknown`: its effects are unknown. Never
 * rejects.
 */
export async function beginPlacesCheck(
  workspace: string,
  approved: string | undefined,
  isUnknown = false,
): Promise<PlacesCheck> {
  const since = Date.now();
  const entries = await lookAt(workspace);
  const before = repositoriesAmong(entries, workspace);
  const packages = readPackages(packagesAmong(entries));
  rememberHooks(packages);
  const reserved = new Set(reservedAmong(entries.found, workspace));
  return async () => {
    const now = await lookAt(workspace);
    const lines = await takeBackPackages({
      workspace,
      before: packages,
      paths: packagesAmong(now),
      since,
      isApproved: (name) => approved !== undefined && isSettingNamed(approved, name),
    });
    const after = repositoriesAmong(now, workspace);
    const disarmed = disarmRepositories(after, {
      workspace,
      before,
      since,
      mayStay: (danger) => approved !== undefined && isNamedIn(approved, danger, workspace),
    });
    if (!isUnknown || approved !== undefined) return [...lines, ...disarmed];
    const own = disarmOwn(workspace, before, after);
    const aside = reservedAmong(now.found, workspace)
      .filter((path) => !reserved.has(path) && !isLeftover(path))
      .flatMap((path) => setAside(workspace, path, onlyPerson));
    return [...lines, ...disarmed, ...own, ...aside];
  };
}

/** `npm install` does not name `scripts.install`: the call must contain its key in quotes, or with the keys above it. */
function isSettingNamed(text: string, name: string): boolean {
  const key = name.slice(name.lastIndexOf('.') + 1);
  const isKey = /^[\w-]+$/.test(key) && !name.includes(' ');
  if (text.includes(name) || (isKey && text.includes(`"${key}"`))) return true;
  return isKey && !name.startsWith('scripts.') && text.split(/[\s=]+/).includes(key);
}

async function lookAt(workspace: string): Promise<Below> {
  return await entriesBelow(
    [workspace],
    maxFolders,
    (entry) => isWanted(entry) || isReserved(entry, workspace),
  );
}

const onlyPerson = 'is protected: only a person may make it';

function isWanted(entry: Dirent): boolean {
  return mayMark(entry) || isPackageFile(entry.name);
}

function packagesAmong({found}: Below): readonly string[] {
  return found.filter(({name}) => isPackageFile(name)).map(pathOf);
}
