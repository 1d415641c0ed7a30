/**
 * Guards a repository's own folder: commands can commit in it, but not change files that later run or set rules.
 *
 * `git` obeys the files there at every call, including calls by a prompt or an editor while the command still runs. So the
 * folder itself is pinned, and so are the places in it that `repositories` names.
 */

import {basename, dirname, isAbsolute, join, resolve, relative} from 'node:path';

import {repositories, type RepositoryPlace} from '../../../machines/places/places.ts';
import {
  foldersBetween,
  type Guarded,
  type Held,
  isBelow,
  realPathOf,
  statsOf,
  smallFileText,
  type Guard,
} from '../../containment/guarded.ts';
import {createMemo} from '../../memo.ts';
import {isLeftover} from './reserved-paths.ts';

/** `folder`: one of the names of `repositories`, in `workspace` or, for a linked worktree, outside. */
export function guardRepository(
  folder: string,
  workspace: string,
  kind = basename(folder),
): readonly Guarded[] {
  const shut: Guarded = {path: folder, as: 'shut'};
  if (kind === '.git' && !looksLikeGit(folder)) return [shut];
  const configured = smallFileText(join(folder, 'config'));
  const named = (repositories[kind] ?? []).filter(({if: asked}) => asked?.test(configured) ?? true);
  // A link could be replaced if its folder is writable, so nothing is writable then: a person has to commit.
  if (named.some(({path}) => hasLink(folder, path))) {
    return [shut, ...named.flatMap(targetOf(folder, workspace))];
  }
  const own = named.flatMap((place) => guardPlace(folder, place));
  const obeyed = configuredIn(configured, folder, workspace).flatMap(({path, held}) =>
    guardAt(path, isBelow(folder, path) ? folder : workspace, held),
  );
  return [{path: folder, as: 'pinned'}, ...own, ...obeyed];
}

function looksLikeGit(folder: string): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => statsOf(join(folder, name)) !== undefined);
}

function hasLink(folder: string, path: string): boolean {
  const full = resolve(folder, path);
  return [full, ...foldersBetween(folder, full)].some(
    (at) => statsOf(at)?.isSymbolicLink() === true,
  );
}

function targetOf(folder: string, workspace: string) {
  return ({path}: RepositoryPlace): Guarded[] => {
    const target = realPathOf(join(folder, path));
    if (target === undefined || !isBelow(workspace, target) || isBelow(folder, target)) return [];
    return guardAt(target, workspace);
  };
}

function guardPlace(folder: string, {path, held}: RepositoryPlace): Guarded[] {
  return guardAt(join(folder, path), folder, held);
}

/** Shuts a place, and pins the folders on the way from `root`. A missing place gets a placeholder, or is left out. */
export function guardAt(path: string, root: string, held?: Held): Guarded[] {
  const isThere = isPresent(path);
  if (!isThere && held === undefined) return [];
  const way = foldersBetween(root, path).map((at): Guarded => {
    return isPresent(at) ? {path: at, as: 'pinned'} : {path: at, as: 'pinned', held: 'folder'};
  });
  const place: Guarded = {path, as: 'shut'};
  return [...way, isThere || held === undefined ? place : {...place, held}];
}

/** A placeholder left by a crash counts as missing: it is taken over, and removed. */
function isPresent(path: string): boolean {
  return statsOf(path) !== undefined && !isLeftover(path);
}

interface Obeyed {
  readonly path: string;
  readonly held: Held;
}

const named =
  /(?:^|\])[ \t]*(?<key>hookspath|path)[ \t]*=[ \t]*(?:"(?<quoted>[^"\n]*)"|(?<bare>[^\s#;]+))/gim;

/** Hooks elsewhere in the workspace, and files that the configuration includes. */
export function configuredIn(configuration: string, folder: string, workspace: string): Obeyed[] {
  const found = [...configuration.matchAll(named)].map(({groups = {}}): Obeyed => {
    const {key = '', quoted, bare = ''} = groups;
    const isHooks = key.toLowerCase() === 'hookspath';
    const base = isHooks ? dirname(folder) : folder;
    const path = resolve(base, quoted ?? bare);
    return {path: realPathOf(path) ?? path, held: isHooks ? 'folder' : {text: ''}};
  });
  return found.filter(({path}) =>
    [folder, workspace].some((root) => isBelow(root, path) && !hasLink(root, path)),
  );
}

/** The file `.git` of a linked worktree or a submodule leads to a folder elsewhere. */
export function guardLinked(file: string): readonly Guarded[] {
  const workspace = dirname(file);
  const found = /^gitdir: (?<path>.+?)\r?\n?$/.exec(smallFileText(file))?.groups?.['path'];
  const folder = found === undefined ? undefined : realPathOf(resolve(workspace, found));
  if (folder === undefined || isBelow(workspace, folder)) return [{path: file, as: 'shut'}];
  return [{path: file, as: 'shut'}, ...guardElsewhere(file, folder)];
}

/** Only the repository's own pointer counts: a file in the workspace could name any folder. */
function guardElsewhere(file: string, folder: string): readonly Guarded[] {
  const workspace = dirname(file);
  const common = smallFileText(join(folder, 'commondir')).trim();
  if (common === '') {
    return workTreeOf(folder) === workspace ? guardRepository(folder, workspace, '.git') : [];
  }
  const isMeant = realPathOf(smallFileText(join(folder, 'gitdir')).trim()) === file;
  return isMeant ? guardWorktree(folder, resolve(folder, common)) : [];
}

/** Commits go into the folder that all worktrees share; everything else there is read-only. */
function guardWorktree(folder: string, common: string): readonly Guarded[] {
  const written = ['objects', 'refs', 'logs'].map((name) => join(common, name));
  const own = ['commondir', 'gitdir', 'config.worktree'];
  return [
    {path: common, as: 'shut'},
    ...[...written, folder]
      .filter((path) => statsOf(path)?.isDirectory() === true)
      .map((path): Guarded => ({path, as: 'pinned'})),
    ...guardAt(join(common, 'objects/info/alternates'), common, {text: ''}),
    ...own.flatMap((name) => guardAt(join(folder, name), folder)),
  ];
}

function workTreeOf(folder: string): string | undefined {
  const found = /^[ \t]*worktree[ \t]*=[ \t]*"?(?<path>[^"\n]+)"?$/im.exec(
    smallFileText(join(folder, 'config')),
  );
  const path = found?.groups?.['path']?.trim();
  if (path === undefined) return undefined;
  return realPathOf(isAbsolute(path) ? path : join(folder, path));
}

const shared: ReadonlySet<string> = new Set([
  '/',
  '/tmp',
  '/var/tmp',
  '/dev/shm',
  '/home',
  '/root',
]);

/**
 * The repository that contains the workspace: shown read-only, because neither git nor many builds work without it. Absolute paths;
 * none when the workspace is a repository, or when no folder above it, below the home folder, is one.
 */
export function enclosingRepository(workspace: string, home: string | undefined): string[] {
  if (statsOf(join(workspace, '.git'))) return [];
  for (let at = dirname(workspace); !shared.has(at) && !holds(at, home); at = dirname(at)) {
    const own = statsOf(join(at, '.git'));
    if (own && own.uid !== process.getuid?.()) return [];
    if (own?.isDirectory() === true) return [at];
    if (own) return [at, ...elsewhere(at)];
  }
  return [];
}

function holds(folder: string, home: string | undefined): boolean {
  return home !== undefined && (folder === home || isBelow(folder, home));
}

/** The repository of a linked worktree, if it names the worktree in turn. */
function elsewhere(workspace: string): string[] {
  const file = join(workspace, '.git');
  const gitFile = /^gitdir: (?<path>.+?)\r?\n?$/.exec(smallFileText(file))?.groups?.['path'];
  const folder = gitFile === undefined ? undefined : realPathOf(resolve(workspace, gitFile));
  if (folder === undefined) return [];
  if (realPathOf(smallFileText(join(folder, 'gitdir')).trim()) !== file) return [];
  const common = realPathOf(resolve(folder, smallFileText(join(folder, 'commondir')).trim()));
  return common === undefined ? [] : [common];
}

// The settings of git in a sandbox: author and format of commits from the user's configuration, without an address or a credential,
// the places that git leaves alone, and the versions that it can't write as a whole.

/** git writes the files of a version that it can, and fails for the others: so the versions are compared before. */
const checkVersions =
  'check() { IFS="\n"; set -f; for range in $1; do ' +
  'found=$(git diff --no-ext-diff --name-only "$range" -- $2 2>/dev/null) && [ -n "$found" ] && ' +
  '{ echo "${range##*..} differs in" $found", which a confined command can\'t write; a person can"; exit 1; }; ' +
  'done; set +f; unset IFS; }; ';

/**
 * Writes its first two arguments, compares the versions of the third in the paths of the fourth, then becomes the rest. An existing
 * file stays: without trying it is unknown whether the home is the sandbox's own.
 */
export const withGitSettings =
  `${checkVersions}put() { [ -e "$1" ] || printf %s "$2" >"$1"; }; mkdir -p "$HOME/.config/git"; ` +
  'put "$HOME/.gitconfig" "$1"; put "$HOME/.config/git/ignore" "$2"; check "$3" "$4"; shift 4; exec "$@"';

/** The arguments before those of the command. `root`: of the work tree. */
export function gitSettings(
  identity: string,
  {ignored, versions = [], places, root}: GitPlaces,
): readonly string[] {
  const compared = places.filter(({as}) => as === 'shut').map(({path}) => relative(root, path));
  const specs = compared.filter((path) => !/^\.git(?:\/|$)|\n/.test(path));
  return [
    identity,
    ignoredPlaces(ignored, root),
    versions.join('\n'),
    specs.map((path) => `:(top,literal)${path}`).join('\n'),
  ];
}

interface GitPlaces extends Pick<Guard, 'places'> {
  /** Absolute. */
  readonly ignored: readonly string[];
  readonly versions: readonly string[] | undefined;
  readonly root: string;
}

/** Lines for a file of ignored places: git can't remove a mount, and would stop half-way. */
function ignoredPlaces(paths: readonly string[], root: string): string {
  return paths
    .map((path) => relative(root, path).replaceAll(/[\\*?[\] ]/g, String.raw`\$&`))
    .filter((path) => !/^\.git\/|\n/.test(path))
    .map((path) => `/${path}\n`)
    .join('');
}

const limitMs = 2_000;

const passedKeys =
  String.raw`^(user\.(name|email)|init\.defaultbranch|core\.(autocrlf|eol|quotepath)|safe\.directory|` +
  String.raw`pull\.(rebase|ff)|merge\.conflictstyle|diff\.(algorithm|renames)|commit\.cleanup|push\.default)$`;

const remember = createMemo<string>();

/**
 * The text of a configuration; empty without git or without such settings. Looked up once per home, and again when git gave no
 * answer. Never rejects.
 */
export async function gitIdentity(env: Readonly<Record<string, string>>): Promise<string> {
  const {HOME: home = '', PATH: path = ''} = env;
  if (home === '') return '';
  const found = remember(home, async () => {
    const {execa} = await import('execa');
    const {stdout, failed, exitCode} = await execa(
      'git',
      ['config', '--global', '--null', '--get-regexp', passedKeys],
      {cwd: '/', env: {HOME: home, PATH: path}, extendEnv: false, timeout: limitMs, reject: false},
    );
    if (exitCode === undefined) throw new Error('git gave no answer');
    return failed ? '' : configurationText(stdout);
  });
  return await found.catch(() => '');
}

function configurationText(listed: string): string {
  return listed
    .split('\0')
    .filter((entry) => entry.includes('\n'))
    .map((entry) => {
      const [key = '', ...lines] = entry.split('\n');
      const [section = '', name = ''] = key.split('.');
      return `[${section}]\n\t${name} = ${gitConfigString(lines.join('\n'))}\n`;
    })
    .join('');
}

function gitConfigString(value: string): string {
  const escaped = value
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`);
  return `"${escaped}"`;
}
