/** The paths that the ignore files of a repository ignore. Below an ignore file that can't be read whole, nothing is ignored. */

import {posix} from 'node:path';

import {isIgnored, parseIgnoreFile, type RuleSet} from '../../read/ignored.ts';
import type {Look} from './look.ts';

export const maxIgnoreBytes = 100_000;
const maxRules = 500;

export interface Ignoring {
  /** `path` is relative to the root of the repository. */
  readonly isIgnored: (path: string, isFolder: boolean) => boolean;
  /** The number of leading names of the path after which git ignores it; 0: it does not. */
  readonly ignoredNames: (path: string, isFolder: boolean) => number;
}

/** Texts of ignore files. Undefined: there is none. False: it is too large to read. */
export interface IgnoreTexts {
  /** `folder` is relative to the root of the repository. */
  readonly textIn: (folder: string) => string | false | undefined;
  readonly excludes: string | false | undefined;
}

/** The current texts. */
export function ignoreTextsOf(look: Look, root: string, gitFolder: string): IgnoreTexts {
  return {
    textIn: (folder) => readIgnoreFile(look, posix.join(root, folder, '.gitignore')),
    excludes: readIgnoreFile(look, posix.join(gitFolder, 'info', 'exclude')),
  };
}

function readIgnoreFile(look: Look, path: string): string | false | undefined {
  const stat = look.statOf(path);
  if (!stat?.isFile()) return undefined;
  return stat.size > maxIgnoreBytes ? false : look.bytesOf(path).toString();
}

export function createIgnoring({textIn, excludes}: IgnoreTexts): Ignoring {
  const sets = new Map<string, RuleSet | undefined>();
  const folders = new Map<string, boolean>();
  const setOf = (folder: string, depth: number): RuleSet | undefined => {
    if (!sets.has(folder)) sets.set(folder, readRules(textIn(folder), depth));
    return sets.get(folder);
  };
  const own = readRules(excludes, 0);
  const isOneIgnored = (parts: readonly string[], isFolder: boolean): boolean => {
    const above = parts.map((_, at) => setOf(parts.slice(0, at).join('/'), at));
    const all = [own, ...above];
    const complete = all.filter((set) => set !== undefined);
    return complete.length === all.length && isIgnored(parts, isFolder, complete);
  };
  /** Below an ignored folder, no rule can re-include a file. */
  const isFolderIgnored = (parts: readonly string[]): boolean => {
    if (parts.length === 0) return false;
    const key = parts.join('/');
    const is =
      folders.get(key) ?? (isFolderIgnored(parts.slice(0, -1)) || isOneIgnored(parts, true));
    folders.set(key, is);
    return is;
  };
  const isPathIgnored = (parts: readonly string[], isFolder: boolean): boolean => {
    if (isFolder) return isFolderIgnored(parts);
    return isFolderIgnored(parts.slice(0, -1)) || isOneIgnored(parts, false);
  };
  return {
    isIgnored: (path, isFolder) => isPathIgnored(path.split('/'), isFolder),
    ignoredNames: (path, isFolder) => {
      const parts = path.split('/');
      if (!isPathIgnored(parts, isFolder)) return 0;
      const above = parts.findIndex((_, at) => isFolderIgnored(parts.slice(0, at + 1)));
      return above < 0 ? parts.length : above + 1;
    },
  };
}

const none = (depth: number): RuleSet => ({depth, rules: []});

/** Undefined: there are rules that this parser does not read as git does. */
function readRules(text: string | false | undefined, depth: number): RuleSet | undefined {
  if (text === undefined) return none(depth);
  if (text === false) return undefined;
  const lines = text.split(/\r?\n/).filter((line) => !/^(?:#.*|\s*)$/.test(line));
  const set = parseIgnoreFile(text, depth);
  const isWhole = lines.length <= maxRules && set.rules.length === lines.length;
  return isWhole && !lines.some((line) => line.length > 200) ? set : undefined;
}
