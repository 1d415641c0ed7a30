/** Which paths the ignore files of a repository ignore. Where one of them can't be read whole, nothing below it is ignored. */

import {lstatSync, readFileSync} from 'node:fs';
import {posix} from 'node:path';

import {isIgnored, parseIgnoreFile, type RuleSet} from '../../read/ignored.ts';

const maxBytes = 100_000;
const maxRules = 500;

export interface Ignoring {
  /** `path` is relative to the root of the repository. */
  readonly isIgnored: (path: string, isFolder: boolean) => boolean;
}

export function createIgnoring(root: string, gitFolder: string): Ignoring {
  const sets = new Map<string, RuleSet | undefined>();
  const folders = new Map<string, boolean>();
  const setOf = (folder: string, depth: number): RuleSet | undefined => {
    if (!sets.has(folder))
      sets.set(folder, readRules(posix.join(root, folder, '.gitignore'), depth));
    return sets.get(folder);
  };
  const own = readRules(posix.join(gitFolder, 'info', 'exclude'), 0);
  const isOneIgnored = (parts: readonly string[], isFolder: boolean): boolean => {
    const above = parts.map((_, at) => setOf(parts.slice(0, at).join('/'), at));
    const all = [own, ...above];
    const complete = all.filter((set) => set !== undefined);
    return complete.length === all.length && isIgnored(parts, isFolder, complete);
  };
  /** Below an ignored folder nothing can be taken back in. */
  const isFolderIgnored = (parts: readonly string[]): boolean => {
    if (parts.length === 0) return false;
    const key = parts.join('/');
    const is =
      folders.get(key) ?? (isFolderIgnored(parts.slice(0, -1)) || isOneIgnored(parts, true));
    folders.set(key, is);
    return is;
  };
  return {
    isIgnored: (path, isFolder) => {
      const parts = path.split('/');
      if (isFolder) return isFolderIgnored(parts);
      return isFolderIgnored(parts.slice(0, -1)) || isOneIgnored(parts, false);
    },
  };
}

const none = (depth: number): RuleSet => ({depth, rules: []});

/** Undefined: there are rules that we don't read as git does. */
function readRules(path: string, depth: number): RuleSet | undefined {
  const stat = lstatSync(path, {throwIfNoEntry: false});
  if (!stat?.isFile()) return none(depth);
  if (stat.size > maxBytes) return undefined;
  const text = readFileSync(path, 'utf8');
  const lines = text.split(/\r?\n/).filter((line) => !/^(?:#.*|\s*)$/.test(line));
  const set = parseIgnoreFile(text, depth);
  const isWhole = lines.length <= maxRules && set.rules.length === lines.length;
  return isWhole && !lines.some((line) => line.length > 200) ? set : undefined;
}
