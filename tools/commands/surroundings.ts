/** Looks at the file system to understand a command. Looking changes nothing and runs nothing of the workspace. */

import type {Stats} from 'node:fs';
import {homedir} from 'node:os';

import {once} from '../../machines/domain/once.ts';
import {holdsNoSecret} from './look/credential-settings.ts';
import {
  createGitState,
  type GitState,
  type GitStateOptions,
  listRepository,
} from './look/git-state.ts';
import {createLook, type Look} from './look/look.ts';
import {matchPattern, type Resolved, resolvePath} from './look/pattern-matches.ts';
import type {Place} from './understanding.ts';

export interface LookOptions {
  /** Paths that this run wrote: their state is `written` instead of `changed` or `untracked`. */
  readonly written?: ReadonlySet<string>;
  /** If the last name of the path is a link, it is not followed: deleting or moving affects the link. */
  readonly isLinkItself?: boolean;
  /** Nothing is lost there: a folder's content is not looked at, and its state is `unknown`. */
  readonly isKept?: boolean;
}

export interface MatchOptions extends Pick<LookOptions, 'isKept'> {
  /** Only paths that fit are wanted, and count against the limit. */
  readonly fits?: (path: string) => boolean;
}

/** Relative to the workspace. */
export interface WorkspaceFiles {
  readonly tracked: readonly string[];
  /** Git neither knows nor ignores them; includes links. Empty without git. */
  readonly untracked: readonly string[];
}

export interface Surroundings {
  /** Absolute, links resolved. */
  readonly workspace: string;
  /** The value of `~` and `$HOME` in commands; absent: unknown. */
  readonly home?: string;
  /**
   * The place to which a path leads: relative to the workspace or absolute, links resolved. Never rejects: a place that can't be looked at
   * is `unknown`.
   */
  readonly placeOf: (path: string, options?: LookOptions) => Promise<Place>;
  /** The text of a file inside; undefined if it does not exist, is larger than 256 KB, or is not UTF-8. */
  readonly readFileText: (path: string) => Promise<string | undefined>;
  /** Listed once. Undefined when there are too many, or git's index can't be read. */
  readonly files: () => Promise<WorkspaceFiles | undefined>;
  /**
   * Paths inside that a pattern of the shell matches, relative to the workspace; undefined when there are too many. The
   * pattern is relative to the workspace or absolute; `**` in it is any number of folders; if nothing is lost, folders of git and of
   * packages are skipped.
   */
  readonly matches: (
    pattern: string,
    options?: MatchOptions,
  ) => Promise<readonly string[] | undefined>;
}

// The surroundings of a workspace: its files and their git state. Nothing of the workspace is run.

export const maxTextBytes = 256 * 1024;

/** `workspace`: absolute, links resolved. `baseline`: as in {@link GitStateOptions}. `look`: notes all that is looked at. */
export function createSurroundings(
  workspace: string,
  baseline?: GitStateOptions['baseline'],
  look: Look = createLook(),
): Surroundings {
  const git = createGitState({look, workspace, baseline});
  const absolute = (path: string) => (path.startsWith('/') ? path : `${workspace}/${path}`);
  const placeOf: Surroundings['placeOf'] = async (path, options = {}) => {
    const resolved = resolvePath(look, absolute(path), options.isLinkItself);
    return resolved ? placeAt({workspace, look, git}, resolved, options) : unseen(path);
  };
  return {
    workspace,
    home: process.env['HOME'] ?? homedir(),
    placeOf,
    files: once(async () => filesIn({workspace, look, git})),
    readFileText: async (path) => {
      const resolved = resolvePath(look, absolute(path));
      if (!resolved?.stat?.isFile() || relative(workspace, resolved.path) === undefined)
        return undefined;
      return readText(look, resolved.path, resolved.stat);
    },
    matches: async (pattern, options = {}) => {
      const fixed = absolute(pattern).replace(/\/[^/]*[*?[].*$/s, '');
      const resolved = resolvePath(look, fixed);
      if (!resolved) return undefined;
      if (relative(workspace, resolved.path) === undefined) {
        return pattern.includes('**') ? undefined : [];
      }
      const rest = absolute(pattern).slice(fixed.length);
      const matched = await matchPattern(look, resolved.path + rest, options);
      return matched?.map((path) => relative(workspace, path) ?? path);
    },
  };
}

interface Ground {
  readonly workspace: string;
  readonly look: Look;
  readonly git: GitState;
}

async function filesIn({workspace, look, git}: Ground): Promise<WorkspaceFiles | undefined> {
  try {
    return await listRepository(workspace, {...look, ...git});
  } catch {
    return undefined;
  }
}

function unseen(path: string): Place {
  return {path, inside: false, isFolder: false, state: 'unknown'};
}

/** Undefined: outside. */
function relative(workspace: string, path: string): string | undefined {
  if (path === workspace) return '';
  const root = workspace === '/' ? '/' : `${workspace}/`;
  return path.startsWith(root) ? path.slice(root.length) : undefined;
}

async function placeAt(
  {workspace, look, git}: Ground,
  resolved: Resolved,
  {written = new Set(), isKept = false}: LookOptions,
): Promise<Place> {
  const {path, stat} = resolved;
  const below = relative(workspace, path);
  const isFolder = stat?.isDirectory() ?? false;
  const place = {isFolder, ...linked(workspace, resolved)};
  if (below === undefined) return {...place, path, inside: false, state: outerState(stat)};
  const inside = {...place, ...bare(look, path, stat), ...ofStat(stat), path: below, inside: true};
  if (!stat) {
    const isIgnored = await git.ignores(path);
    return {...inside, ...(isIgnored ? {isIgnored} : {}), state: 'absent'};
  }
  if (isFolder && isKept) return {...inside, state: 'unknown'};
  const isWritten = (each: string) => written.has(relative(workspace, each) ?? each);
  return {...inside, state: await git.stateOf({path, stat, isWritten})};
}

function outerState(stat: Stats | undefined): Place['state'] {
  return stat ? 'unknown' : 'absent';
}

function ofStat(stat: Stats | undefined): Pick<Place, 'isShared' | 'isSpecial'> {
  if (stat?.isFile()) return stat.nlink > 1 ? {isShared: true} : {};
  return !stat || stat.isDirectory() || stat.isSymbolicLink() ? {} : {isSpecial: true};
}

function linked(workspace: string, {path, stat, links}: Resolved): Pick<Place, 'links'> {
  const all = stat?.isSymbolicLink() ? [...links, path] : links;
  return all.length > 0 ? {links: all.map((link) => relative(workspace, link) ?? link)} : {};
}

function bare(look: Look, path: string, stat: Stats | undefined): {readonly holdsNoSecret?: true} {
  return stat && holdsNoSecret(look, path, stat) ? {holdsNoSecret: true} : {};
}

function readText(look: Look, path: string, {size}: Stats): string | undefined {
  try {
    if (size > maxTextBytes) return undefined;
    return new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(look.bytesOf(path));
  } catch {
    return undefined;
  }
}
