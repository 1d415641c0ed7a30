/** Looks at the file system to understand a command. Looking changes nothing and runs nothing of the workspace. */

import type {Stats, Dirent} from 'node:fs';
import {homedir} from 'node:os';
import {posix} from 'node:path';

import {once} from '../../machines/domain/once.ts';
import {secretIn} from '../../machines/places/secrets.ts';
import {compileGlob} from '../read/glob.ts';
import {
  createGitState,
  type GitState,
  type GitStateOptions,
  listRepository,
} from './look/git-state.ts';
import {createLook, type Look, createPause} from './look/look.ts';
import type {Place} from './understanding.ts';

export interface LookOptions {
  /** Paths that this run wrote: their state is `written` instead of `changed` or `untracked`. */
  readonly written?: ReadonlySet<string>;
  /** If the last name of the path is a link, it is not followed: deleting or moving affects the link. */
  readonly isLinkItself?: boolean;
  /** Nothing is lost there: a folder's content is not looked at, and its state is `unknown`. */
  readonly isKept?: boolean;
}

interface MatchOptions extends Pick<LookOptions, 'isKept'> {
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

// The paths that a pattern matches. Only folders on its way are listed; `**` does not follow links.

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
async function matchPattern(
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
  return pattern.endsWith('/') ? found?.filter((path) => leadsToFolder(look, path)) : found;
}

/** Follows links, as `*\/` does. */
function leadsToFolder(look: Look, path: string): boolean {
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

interface Resolved {
  /** Absolute, links resolved. */
  readonly path: string;
  /** Undefined: nothing is there. */
  readonly stat: Stats | undefined;
  /** Absolute: the links that were followed. */
  readonly links: readonly string[];
}

/** `path` is absolute. `isLinkItself`: its last name is not followed. Undefined: unknown. */
function resolvePath(look: Look, path: string, isLinkItself = false): Resolved | undefined {
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

// Files whose names suggest credentials but that contain none: settings such as `.npmrc`, certificates in PEM.

const names: ReadonlySet<string> = new Set(['.npmrc', '.pypirc', '.my.cnf', '.dockercfg']);
const maxBytes = {settings: 64 * 1024, certificates: 512 * 1024};

/** `//registry.example/:_authToken=…`; a value from the environment does not count: `${NPM_TOKEN}`. */
const setting =
  /^[ \t]*[^#;\s][^\n=]*?(?:auth|pass|token|secret|key|cert|user)[\w"'-]*[ \t]*[=:][ \t]*(?!["']?\$\{\w+\}["']?[ \t]*$)\S/im;
/** A section, a comment, or a name with a value. */
const form = /^[ \t]*(?:$|[#;]|\[[^\]]*\][ \t]*$|[\w.@/:-]+(?:\[\])?[ \t]*=)/;

/** The file is of such a kind and contains no credentials. `path` is absolute and not a link. */
export function holdsNoSecret(look: Pick<Look, 'bytesOf'>, path: string, stat: Stats): boolean {
  const name = posix.basename(path);
  const isCertificate = name.endsWith('.pem');
  if ((!isCertificate && !names.has(name)) || !stat.isFile()) return false;
  if (stat.size > (isCertificate ? maxBytes.certificates : maxBytes.settings)) return false;
  try {
    const text = look.bytesOf(path).toString().replaceAll(/\r\n?/g, '\n');
    return secretIn(text) === undefined && (isCertificate ? isPublic(text) : isBare(text));
  } catch {
    return false;
  }
}

function isBare(text: string): boolean {
  return (
    !/:\/\/[^\s/@]*@/.test(text) &&
    !setting.test(text) &&
    linesOf(text).every((line) => form.test(line))
  );
}

const publicBlock =
  /-----BEGIN ((?:TRUSTED )?CERTIFICATE|CERTIFICATE REQUEST|(?:RSA )?PUBLIC KEY|X509 CRL|DH PARAMETERS)-----[\w+/=\s]*-----END \1-----/g;

/** Only certificates, public keys and comments. */
function isPublic(text: string): boolean {
  const rest = text.replaceAll(publicBlock, '');
  return rest !== text && linesOf(rest).every((line) => /^\s*(?:#|$)/.test(line));
}

function linesOf(text: string): string[] {
  return text.split('\n');
}
