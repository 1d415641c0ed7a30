/** The paths that a pattern matches. Only folders on its way are listed; `**` does not follow links. */

import type {Dirent, Stats} from 'node:fs';
import {posix} from 'node:path';

import {compileGlob} from '../../read/glob.ts';
import type {MatchOptions} from '../surroundings.ts';
import {createPause, type Look} from './look.ts';

const maxMatches = 2_000;
const maxNames = 50_000;

interface Search {
  readonly look: Look;
  /** Counts the names looked at; false: they are too many. */
  readonly pause: () => Promise<boolean>;
  /** `**` also matches hidden files, as in programs that find them. */
  readonly hidden: boolean;
  readonly fits: (path: string) => boolean;
  /** The matches are only read: folders of git and of packages are skipped. */
  readonly isKept: boolean;
}

/**
 * Absolute, from the fixed beginning on; undefined when there are too many. `*`, `?` and `[…]` as in a shell; `**` as in
 * programs that find files: any number of folders, including hidden ones.
 */
export async function matchPattern(
  look: Look,
  pattern: string,
  {isKept = false, fits = () => true}: MatchOptions = {},
): Promise<readonly string[] | undefined> {
  const names = pattern.split('/').filter((name) => name !== '' && name !== '.');
  const pause = createPause(maxNames);
  const search: Search = {look, pause, fits, hidden: names.includes('**'), isKept};
  let found: readonly string[] | undefined = ['/'];
  for (const [at, name] of names.entries()) {
    const isLast = at === names.length - 1;
    // oxlint-disable-next-line no-await-in-loop -- one level after the other
    found = found && (await step(found, name, {search, isLast}));
  }
  return pattern.endsWith('/') ? found?.filter((path) => isFolder(look, path)) : found;
}

/** Follows links, as `*\/` does. */
function isFolder(look: Look, path: string): boolean {
  return resolvePath(look, path)?.stat?.isDirectory() ?? false;
}

/** In some shells `.*` also matches `.` and `..`, which lead elsewhere. */
const dots = ['.', '..'];

async function step(
  folders: readonly string[],
  name: string,
  {search, isLast}: {readonly search: Search; readonly isLast: boolean},
): Promise<readonly string[] | undefined> {
  if (name === '**') return allBelow(folders, search);
  if (!/[*?[]/.test(name)) return namedIn(search.look, folders, name);
  const plain = name.replaceAll(/[{}\\]/g, String.raw`\$&`).replaceAll(/\*+/g, '*');
  const glob = compileGlob(plain, {hidden: search.hidden});
  const hasDots = name.startsWith('.') && !(isLast && search.isKept);
  if (!glob.ok) return undefined;
  const found: string[] = [];
  for (const folder of folders) {
    const names = hasDots ? dots.filter(glob.value.matches) : [];
    // oxlint-disable-next-line no-await-in-loop -- one folder after the other, up to a limit
    const entries = await entriesIn(folder, search, ({name: inside}) => glob.value.matches(inside));
    if (!entries) return undefined;
    names.push(...entries.map((entry) => entry.name));
    const paths = names.map((each) => `${folder === '/' ? '' : folder}/${each}`);
    found.push(...paths.filter((path) => !isLast || search.fits(path)));
    if (found.length > maxMatches) return undefined;
  }
  return found;
}

/** Not resolved: after a link, `..` is another folder. */
function namedIn(look: Look, folders: readonly string[], name: string): readonly string[] {
  const named = folders.map((folder) => `${folder === '/' ? '' : folder}/${name}`);
  return named.length > 1 ? named.filter((path) => resolvePath(look, path, true)?.stat) : named;
}

/** The folders themselves, and all folders below them. */
async function allBelow(
  folders: readonly string[],
  search: Search,
): Promise<readonly string[] | undefined> {
  const found = [...folders];
  for (const folder of found) {
    // oxlint-disable-next-line no-await-in-loop -- one folder after the other, up to a limit
    const below = await entriesIn(folder, search, (entry) => entry.isDirectory());
    if (!below) return undefined;
    found.push(...below.map((entry) => posix.join(folder, entry.name)));
    if (found.length > maxMatches) return undefined;
  }
  return found;
}

/** Sorted by name, as a shell sorts them. Undefined: there are too many. */
async function entriesIn(
  folder: string,
  {look, pause, hidden, isKept}: Search,
  isWanted: (entry: Dirent) => boolean,
): Promise<readonly Dirent[] | undefined> {
  const passedBy = hidden && isKept ? /^(?:\.git|node_modules)$/ : /(?!)/;
  const wanted: Dirent[] = [];
  try {
    for (const entry of look.entriesOf(folder)) {
      // oxlint-disable-next-line no-await-in-loop -- other work gets its turn
      if (!(await pause())) return undefined;
      if (!passedBy.test(entry.name) && isWanted(entry)) wanted.push(entry);
    }
  } catch {
    return [];
  }
  return wanted.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

// Resolves a path as the operating system does: link by link; `..` is the parent of a link's target.

const maxLinks = 40;
const maxLength = 4_096;

export interface Resolved {
  /** Absolute, links resolved. */
  readonly path: string;
  /** Undefined: nothing is there. */
  readonly stat: Stats | undefined;
  /** Absolute: the links that were followed. */
  readonly links: readonly string[];
}

/** `path` is absolute. `isLinkItself`: its last name is not followed. Undefined: unknown. */
export function resolvePath(look: Look, path: string, isLinkItself = false): Resolved | undefined {
  if (path.length > maxLength || path.includes('\0')) return undefined;
  try {
    return walk(look, namesOf(path), isLinkItself);
  } catch {
    return undefined;
  }
}

function walk(
  {statOf, linkAt}: Look,
  names: readonly string[],
  isLinkItself: boolean,
): Resolved | undefined {
  const todo = names.toReversed();
  let at: readonly string[] = [];
  const links: string[] = [];
  for (let name = todo.pop(); name !== undefined; name = todo.pop()) {
    const here = name === '..' ? at.slice(0, -1) : [...at, name];
    const isKept = name === '..' || (isLinkItself && todo.length === 0);
    if (isKept || !statOf(pathOf(here))?.isSymbolicLink()) {
      at = here;
      continue;
    }
    links.push(pathOf(here));
    if (links.length > maxLinks) return undefined;
    const target = linkAt(pathOf(here));
    if (target.startsWith('/')) at = [];
    todo.push(...namesOf(target).toReversed());
  }
  return {path: pathOf(at), stat: statOf(pathOf(at)), links};
}

function namesOf(path: string): readonly string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}

function pathOf(names: readonly string[]): string {
  return `/${names.join('/')}`;
}
