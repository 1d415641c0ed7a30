/**
 * Files of a repository that make git run a program, or obey settings stored elsewhere. git obeys any folder that looks like a
 * repository: as soon as a prompt or an editor asks for the state of a folder, git runs the programs that its settings name.
 */

import {join, relative, resolve} from 'node:path';

import {disk, type Disk} from './disk.ts';
import {isBelow, realPathOf, statsOf} from './guarded.ts';
import {riskySettings} from './harmless-config.ts';

const maxConfigBytes = 65_536;

export interface Danger {
  /** Absolute. */
  readonly path: string;
  /** For a configuration, `section.key = value`: settings not known to be harmless. */
  readonly settings?: readonly string[];
}

export interface Repository {
  /** Absolute path of git's own folder, often named `.git`. */
  readonly folder: string;
  /** Absolute path of the folder that may be its work tree. */
  readonly worktree?: string;
  /** Absolute paths of the workspace's own repository: a pointer to it adds no new settings. */
  readonly own?: readonly string[];
}

/** Git treats the folder as a repository's own. */
export function isRepository(folder: string, files: Disk = disk): boolean {
  const has = (name: string): boolean => files.kindOf(join(folder, name)) !== undefined;
  return has('HEAD') && ((has('objects') && has('refs')) || has('commondir'));
}

export function dangersIn(repository: Repository, files: Disk = disk): readonly Danger[] {
  const {folder, own = []} = repository;
  const common = join(folder, 'commondir');
  if (files.kindOf(common) === undefined) {
    const settings = ['config', 'config.worktree'].flatMap((name) =>
      settingsIn(repository, name, files),
    );
    return [...hooksIn(folder, files), ...settings];
  }
  const target = realPathOf(resolve(folder, files.smallFileText(common).trim()));
  const isOwn = target !== undefined && own.includes(target);
  return isOwn ? settingsIn(repository, 'config.worktree', files) : [{path: common}];
}

function hooksIn(folder: string, files: Disk): Danger[] {
  const hooks = join(folder, 'hooks');
  if (files.kindOf(hooks) === 'link') return [{path: hooks}];
  const names = files.namesIn(hooks).filter((name) => !name.endsWith('.sample'));
  return names.map((name) => ({path: join(hooks, name)}));
}

function settingsIn({folder, worktree}: Repository, name: string, files: Disk): Danger[] {
  const path = join(folder, name);
  const kind = files.kindOf(path);
  if (kind === undefined) return [];
  if (kind !== 'file' || files.sizeOf(path) > maxConfigBytes) return [{path}];
  const settings = riskySettings(files.smallFileText(path), {
    mayHaveWorktree: (value) => worktree !== undefined && resolve(folder, value) === worktree,
  });
  return settings.length === 0 ? [] : [{path, settings}];
}

/** Equal while the danger is unchanged. */
export function stampOf({path, settings}: Danger): string {
  if (settings) return [path, ...settings].join('\n');
  const stats = statsOf(path);
  return stats ? [path, stats.ino, stats.size, stats.ctimeMs].join('\n') : path;
}

const obeyedNames: ReadonlySet<string> = new Set(
  'head config config.worktree commondir gitdir hooks objects refs info'.split(' '),
);

/** Git obeys the file at `path` in a repository's folder. */
export function isObeyedIn(folder: string, path: string): boolean {
  const [name = ''] = relative(folder, path).split('/');
  return isBelow(folder, path) && obeyedNames.has(name.toLowerCase());
}

/** The text of an approved call names the danger: by its path, or each setting by its key. */
export function isNamedIn(text: string, {path, settings = []}: Danger, workspace: string): boolean {
  if (text.includes(relative(workspace, path))) return true;
  const folded = text.toLowerCase();
  const keys = settings.map((setting) => setting.split(' =')[0] ?? setting);
  return keys.length > 0 && keys.every((key) => folded.includes(key.toLowerCase()));
}
