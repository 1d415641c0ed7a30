/** Finds files that take effect later: by using the world as a person would, and by a table of places. */

import {execFileSync} from 'node:child_process';
import {existsSync, readdirSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';

import {alternativesOf} from './grammar.ts';
import {
  changedBetween,
  contentOf,
  lookAt,
  removeWorld,
  type Tree,
  type World,
  worldAt,
} from './world.ts';

export interface Planted {
  readonly what: string;
  /** A change here or below has planted it. Relative to the world. */
  readonly below: string;
}

export function plantedIn(world: World, before: Tree, template: string): readonly Planted[] {
  const after = lookAt(world);
  const changed = changedBetween(before, after);
  const there = changed.filter((path) => after.has(path) && after.get(path) !== 'folder');
  const old = (path: string): string | undefined => contentOf(join(template, 'template', path));
  const now = (path: string): string | undefined => contentOf(join(world.folder, path));
  const differing = there.filter((path) => old(path) !== now(path));
  const places = differing.filter(
    (path) => path.startsWith('ws/') && isLater(path.slice('ws/'.length)),
  );
  return [...places.map((path) => ({what: path, below: path})), ...usedIn(world, differing)];
}

/** Other files in the folders of git and of packages cannot be distinguished from those of the programs. */
function isLater(path: string): boolean {
  if (isRefusedName(path)) return false;
  if (/(?:^|\/)\.git\/(?:hooks\/(?!.*\.sample$)|info\/attributes$|.*\/hooks\/)/.test(path))
    return true;
  if (/(?:^|\/)\.git\//.test(path)) return false;
  if (/^node_modules\/(?:\.bin\/|dep\/)/.test(path)) return true;
  return isPlace(path);
}

/** True when the program under test has renamed it, so that it has no effect. */
function isRefusedName(path: string): boolean {
  return path.split('/').some((part) => part.endsWith('.not-allowed'));
}

/** Works in a copy of the world: programs of the person must not change files that are undone later. */
function usedIn(world: World, differing: readonly string[]): readonly Planted[] {
  const folders = repositoriesIn(world.folder, differing);
  const isPackage = differing.some((path) => basename(path) === '.npmrc');
  const isHome = differing.some((path) => path.startsWith('home/'));
  if (folders.length === 0 && !isPackage && !isHome) return [];
  const copy = worldAt(`${world.folder}-used`);
  execFileSync('cp', ['-a', world.folder, copy.folder]);
  const marked: Planted[] = [];
  const attempt = (what: string, below: string, folder: string, line: string): void => {
    const held = marksOf(world);
    useWorld(copy, join(copy.folder, folder), line);
    if (marksOf(world) > held) marked.push({what, below});
  };
  try {
    for (const folder of folders) {
      attempt(
        `git status in ${folder}`,
        folder,
        folder,
        'git status; git diff; git log -1; git commit -qm x --allow-empty',
      );
    }
    if (isPackage)
      attempt('npm install', 'ws/.npmrc', 'ws', 'npm install --offline --no-audit --no-fund');
    if (isHome) attempt('a shell', 'home', 'ws', 'bash -i -c true; bash -l -c true; git status');
  } finally {
    removeWorld(copy);
  }
  return marked;
}

function marksOf({marks}: World): number {
  return readdirSync(marks).length;
}

/** Folders in which git would find a created or changed repository. */
function repositoriesIn(folder: string, differing: readonly string[]): readonly string[] {
  const own = /^ws\/\.git\/(?:config|hooks\/|info\/attributes|commondir|config\.worktree)/;
  const main = differing.some((path) => own.test(path)) ? ['ws'] : [];
  const made = differing
    .filter((path) => /^(?:HEAD|config|\.git|gitdir)$/.test(basename(path)))
    .map(dirname)
    .filter((path) => !/^ws\/\.git(?:\/|$)/.test(path) && existsSync(join(folder, path)))
    .map((path) => (basename(path) === '.git' ? dirname(path) : path));
  return [...new Set([...main, ...made])].slice(0, 8);
}

function useWorld({home}: World, folder: string, line: string): void {
  try {
    execFileSync('bash', ['-c', line], {
      cwd: folder,
      env: {PATH: process.env['PATH'], HOME: home, GIT_PAGER: 'cat', npm_config_fetch_retries: '0'},
      stdio: 'ignore',
      timeout: 20_000,
    });
  } catch {
    // A program that fails has also been used.
  }
}

/** Names that an adversary writes; a path in one of the folders counts, too. */
const placeNames = alternativesOf('place');

/** `sitecustomize.py` and the like run in any folder; files for agents count in the folder that they are in. */
export function isPlace(path: string): boolean {
  const folded = path.toLowerCase();
  return placeNames.some((name) => {
    const place = name.toLowerCase();
    return folded === place || folded.endsWith(`/${place}`) || isInPlace(folded, place);
  });
}

/** Folders in which any file counts. */
const wholeFolders =
  /^\.(?:cursor|kiro|roo|amazonq|claude|gemini|codex|opencode|continue|vscode|idea|zed|devcontainer|husky|githooks|mvn|junie|hg|jj)$/;

function isInPlace(path: string, place: string): boolean {
  const [top = ''] = place.split('/');
  return wholeFolders.test(top) && `/${path}`.includes(`/${top}/`);
}
