/** Finds out whether a remote repository has the last commit of a branch, from git's remote references; git is not run. */

import {lstatSync, readdirSync, readFileSync} from 'node:fs';
import {posix} from 'node:path';
import {inflateSync} from 'node:zlib';

import {openable} from '../../containment/own-state.ts';
import {findRepository} from './git-repository.ts';

const maxCommits = 200;
const maxReferences = 2_000;
const maxBytes = 1024 * 1024;

/** `folder`: absolute. Undefined: unknown. Never throws. */
export function isPublished(folder: string): boolean | undefined {
  try {
    const gitFolder = findRepository(folder)?.gitFolder;
    if (gitFolder === undefined) return undefined;
    const common = commonFolder(gitFolder);
    return compare(common, readText(posix.join(gitFolder, 'HEAD')));
  } catch {
    return undefined;
  }
}

/** A worktree uses the references of its repository. */
function commonFolder(gitFolder: string): string {
  const file = posix.join(gitFolder, 'commondir');
  return lstatSync(file, {throwIfNoEntry: false})
    ? posix.resolve(gitFolder, readText(file))
    : gitFolder;
}

function readText(file: string): string {
  const stat = lstatSync(file);
  if (!stat.isFile() || stat.size > maxBytes) throw new RangeError(`${file} can't be read`);
  return readFileSync(openable(file), 'utf8').trimEnd();
}

const hash = /^[\da-f]{40}$/;

function compare(common: string, head: string): boolean | undefined {
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
  const references = readReferences(common);
  const last = branch === undefined ? head : references.get(`refs/heads/${branch}`);
  if (last === undefined || !hash.test(last)) return undefined;
  const remotes = [...references].filter(([name]) => name.startsWith('refs/remotes/'));
  if (remotes.length === 0) return false;
  if (remotes.some(([, each]) => each === last)) return true;
  const own = remotes.filter(([name]) => name.replace(/^refs\/remotes\/[^/]+\//, '') === branch);
  const before = ancestorsOf(common, last);
  const isBefore = ([, each]: readonly [string, string]) => before.has(each);
  return (own.length > 0 ? own.every(isBefore) : remotes.some(isBefore)) ? false : undefined;
}

/** Hashes by branch name, local and remote. A loose reference overrides a packed one. */
function readReferences(common: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const packed = posix.join(common, 'packed-refs');
  if (lstatSync(packed, {throwIfNoEntry: false})) {
    for (const line of readText(packed).split('\n')) {
      const [, value, name] = /^([\da-f]{40}) (refs\/(?:heads|remotes)\/.+)$/.exec(line) ?? [];
      if (value !== undefined && name !== undefined) found.set(name, value);
    }
  }
  for (const top of ['refs/heads', 'refs/remotes']) readLoose(common, top, found);
  return found;
}

function readLoose(common: string, name: string, found: Map<string, string>): void {
  if (found.size > maxReferences) throw new RangeError('has too many references');
  const path = posix.join(common, name);
  const stat = lstatSync(path, {throwIfNoEntry: false});
  if (stat?.isDirectory()) {
    for (const entry of readdirSync(path)) readLoose(common, `${name}/${entry}`, found);
  } else if (stat) {
    const text = readText(path);
    if (hash.test(text)) found.set(name, text);
  }
}

/** Only through loose commits, each in a file of its own, as commits made here recently are. */
function ancestorsOf(common: string, last: string): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [last];
  for (let at = open.shift(); at !== undefined && found.size < maxCommits; at = open.shift()) {
    for (const parent of parentsOf(common, at)) {
      if (!found.has(parent)) open.push(parent);
      found.add(parent);
    }
  }
  return found;
}

function parentsOf(common: string, commit: string): readonly string[] {
  const file = posix.join(common, 'objects', commit.slice(0, 2), commit.slice(2));
  const stat = lstatSync(file, {throwIfNoEntry: false});
  if (!stat?.isFile() || stat.size > maxBytes) return [];
  const text = inflateSync(readFileSync(openable(file)), {maxOutputLength: maxBytes}).toString(
    'latin1',
  );
  const header = text.slice(text.indexOf('\0') + 1).split('\n\n')[0] ?? '';
  return [...header.matchAll(/^parent ([\da-f]{40})$/gm)].map(([, parent = '']) => parent);
}
