/**
 * Files of a repository that make git run a program, or obey settings stored elsewhere. git obeys any folder that looks like a
 * repository: as soon as a prompt or an editor asks for the state of a folder, git runs the programs that its settings name.
 */

import {join, relative, resolve} from 'node:path';

import {isBelow, namesIn, realPathOf, smallFileText, statsOf} from './guarded.ts';

/** A file with this text that is regarded as if it were there, with the folders above it. */
export interface Draft {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

/** Undefined when nothing exists. Links are not followed. */
function kindOf(path: string, draft?: Draft): 'file' | 'folder' | 'link' | 'other' | undefined {
  if (path === draft?.path) return 'file';
  const stats = statsOf(path);
  if (stats === undefined) return draft && isBelow(path, draft.path) ? 'folder' : undefined;
  if (stats.isSymbolicLink()) return 'link';
  if (stats.isDirectory()) return 'folder';
  return stats.isFile() ? 'file' : 'other';
}

function textOf(path: string, draft?: Draft): string {
  return path === draft?.path ? draft.text : smallFileText(path);
}

function sizeOf(path: string, draft?: Draft): number {
  return path === draft?.path ? Buffer.byteLength(draft.text) : (statsOf(path)?.size ?? 0);
}

function namesWith(folder: string, draft?: Draft): readonly string[] {
  const [made = ''] =
    draft && isBelow(folder, draft.path) ? relative(folder, draft.path).split('/') : [];
  return made === '' ? namesIn(folder) : [...new Set([...namesIn(folder), made])];
}

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
export function isRepository(folder: string, draft?: Draft): boolean {
  const has = (name: string): boolean => kindOf(join(folder, name), draft) !== undefined;
  return has('HEAD') && ((has('objects') && has('refs')) || has('commondir'));
}

export function dangersIn(repository: Repository, draft?: Draft): readonly Danger[] {
  const {folder, own = []} = repository;
  const common = join(folder, 'commondir');
  if (kindOf(common, draft) === undefined) {
    const settings = ['config', 'config.worktree'].flatMap((name) =>
      settingsIn(repository, name, draft),
    );
    return [...hooksIn(folder, draft), ...settings];
  }
  const target = realPathOf(resolve(folder, textOf(common, draft).trim()));
  const isOwn = target !== undefined && own.includes(target);
  return isOwn ? settingsIn(repository, 'config.worktree', draft) : [{path: common}];
}

function hooksIn(folder: string, draft: Draft | undefined): Danger[] {
  const hooks = join(folder, 'hooks');
  if (kindOf(hooks, draft) === 'link') return [{path: hooks}];
  const names = namesWith(hooks, draft).filter((name) => !name.endsWith('.sample'));
  return names.map((name) => ({path: join(hooks, name)}));
}

function settingsIn(
  {folder, worktree}: Repository,
  name: string,
  draft: Draft | undefined,
): Danger[] {
  const path = join(folder, name);
  const kind = kindOf(path, draft);
  if (kind === undefined) return [];
  if (kind !== 'file' || sizeOf(path, draft) > maxConfigBytes) return [{path}];
  const settings = riskySettings(textOf(path, draft), {
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

/** By section, in lower case. */
const keys: Readonly<Record<string, RegExp>> = {
  core: /^(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|safecrlf|eol|quotepath|longpaths|sparsecheckout(?:cone)?)$/,
  extensions: /^(?:objectformat|refstorage|partialclone)$/,
  user: /^(?:name|email|useconfigonly)$/,
  init: /^defaultbranch$/,
  remote: /^(?:url|fetch|tagopt|promisor|partialclonefilter)$/,
  branch: /^(?:remote|merge|rebase)$/,
  submodule: /^(?:url|active|path)$/,
  lfs: /^(?:repositoryformatversion|access)$/,
  pull: /^(?:rebase|ff)$/,
  push: /^(?:default|autosetupremote)$/,
  merge: /^(?:ff|conflictstyle)$/,
  gc: /^auto(?:detach)?$/,
  advice: /^[a-z]+$/,
};

/** Signing runs a program: only switching it off is harmless. */
const signing: ReadonlySet<string> = new Set(['commit.gpgsign', 'tag.gpgsign']);

const header = /^\[(?<section>[A-Za-z]+)(?: "[^"\\]*")?\]$/;
const setting = /^(?<key>[A-Za-z][A-Za-z\d-]*)(?:\s*=\s*(?<value>[^\\]*))?$/;

/** `worktree`: the folder is one that the repository may name as its work tree. */
export interface Terms {
  readonly mayHaveWorktree?: (value: string) => boolean;
}

/** `section.key = value`, without the subsection, the key in lower case; for a line that is not understood, the line. */
export function riskySettings(text: string, {mayHaveWorktree}: Terms = {}): string[] {
  const risky: string[] = [];
  let section = '';
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '' || /^[#;]/.test(line)) continue;
    const named = header.exec(line)?.groups?.['section'];
    if (named === undefined) risky.push(...riskIn(section, line, mayHaveWorktree));
    section = named?.toLowerCase() ?? section;
  }
  return risky;
}

function riskIn(
  section: string,
  line: string,
  mayHaveWorktree: Terms['mayHaveWorktree'] = () => false,
): string[] {
  const groups = setting.exec(line)?.groups;
  if (!groups) return [line];
  const {key = '', value = ''} = groups;
  const name = `${section}.${key.toLowerCase()}`;
  const isHarmless =
    name === 'core.worktree' ? mayHaveWorktree(value) : isPlain(section, name, value);
  return isHarmless ? [] : [`${name} = ${value}`];
}

function isPlain(section: string, name: string, value: string): boolean {
  if (signing.has(name)) return value === 'false';
  const known = Object.hasOwn(keys, section) ? keys[section] : undefined;
  // `ext::` and the like run a program.
  return known?.test(name.slice(section.length + 1)) === true && !value.includes('::');
}
