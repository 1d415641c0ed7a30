/** The places of a sandbox, found just before a command runs: those of the workspace that it may not change, and the parts of the machine that it sees. */

import {existsSync, readlinkSync} from 'node:fs';
import {basename, dirname, join, resolve} from 'node:path';

import {
  credentialFiles,
  credentialFolders,
  reservedPaths,
  mayHoldProtected,
  protectedKind,
  repositories,
} from '../../../machines/places/places.ts';
import {
  isBelow,
  merged,
  namesIn,
  nestedIn,
  realPathOf,
  statsOf,
  type Guard,
  type Guarded,
} from '../../containment/guarded.ts';
import {closedAmong, type Enclosure} from './confiner.ts';
import {guardAt, guardLinked, guardRepository} from './repository.ts';
import {isLeftover} from './reserved-paths.ts';

/**
 * Never rejects. `holdsPlaces`: protected places in any folder are read-only, not only those of the workspace itself. In a home
 * folder (`HOME` of the user's environment) in the workspace, credentials are closed as well.
 */
export async function guardWorkspace({
  workspace,
  env,
  holdsGit = false,
  isUnknown = false,
  holdsPlaces = holdsGit,
  ...opening
}: Omit<Enclosure, 'folder'> & {readonly holdsPlaces?: boolean | undefined}): Promise<Guard> {
  const links: string[] = [];
  const top = protectedIn(workspace).flatMap((path) =>
    guardEntry(path, workspace, {links, holdsGit}),
  );
  const held = reservedPaths
    .map((path) => join(workspace, path))
    .filter((path) => !isThere(path) && isPlain(dirname(path)))
    .flatMap((path) => guardAt(path, workspace, 'folder'));
  const deep = await nestedIn(workspace);
  const credentials = [...deep.credentials, ...credentialsOfHome(workspace, env['HOME'])];
  const {closed, barred, readable} = await closedAmong(credentials, workspace, opening);
  const masked = closed.map((path): Guarded => ({
    path,
    as: barred.includes(path) ? 'barred' : 'masked',
  }));
  const shut = readable
    .filter((path) => opening.opened?.includes(path) === true || isSettings(basename(path)))
    .map((path): Guarded => ({path, as: 'shut'}));
  return {
    places: merged([
      ...top,
      ...held,
      ...deep.places,
      ...(holdsPlaces ? guardAll(deep.reserved, workspace) : []),
      ...(isUnknown ? guardPackages(deep.packages, workspace) : []),
      ...masked,
      ...shut,
    ]),
    links,
    packages: isUnknown ? deep.packages : [],
    closed,
  };
}

/** Folders in which tools keep data between runs. */
const caches = ['.cache', '.vite', '.vite-temp', '.vitest', '.tmp'];

function guardAll(paths: readonly string[], workspace: string): Guarded[] {
  return paths
    .filter((path) => statsOf(path)?.isSymbolicLink() === false)
    .flatMap((path) => guardAt(path, workspace));
}

/** Unknown code must not change packages: they later run without another check. */
function guardPackages(packages: readonly string[], workspace: string): Guarded[] {
  const caching = packages.flatMap((folder) =>
    basename(folder) === 'node_modules' ? caches.map((name) => join(folder, name)) : [],
  );
  return [
    ...guardAll(packages, workspace),
    ...caching.filter((path) => isPlain(path)).map((path) => cacheAt(path)),
  ];
}

function cacheAt(path: string): Guarded {
  return isThere(path) ? {path, as: 'pinned'} : {path, as: 'pinned', held: 'folder'};
}

/** Absolute paths of protected places in the workspace itself, or in a folder that may contain some. */
export function protectedIn(workspace: string): string[] {
  return ['', ...mayHoldProtected]
    .filter((folder) => isPlain(join(workspace, folder)))
    .flatMap((folder) => namesIn(join(workspace, folder)).map((name) => join(folder, name)))
    .filter((path) => protectedKind(path) !== undefined)
    .map((path) => join(workspace, path))
    .filter((path) => !isLeftover(path));
}

function isThere(path: string): boolean {
  return statsOf(path) !== undefined && !isLeftover(path);
}

/** Nothing yet, or a folder: a placeholder can be made in it. */
function isPlain(path: string): boolean {
  const stats = statsOf(path);
  return stats === undefined || stats.isDirectory();
}

interface Terms {
  /** Collects the links found. */
  readonly links: string[];
  readonly holdsGit: boolean;
}

function guardEntry(path: string, workspace: string, terms: Terms): readonly Guarded[] {
  const stats = statsOf(path);
  if (stats?.isSymbolicLink() === true) {
    terms.links.push(path);
    const target = realPathOf(path);
    return target !== undefined && isBelow(workspace, target) ? guardAt(target, workspace) : [];
  }
  const name = basename(path);
  if (!Object.hasOwn(repositories, name)) return guardAt(path, workspace);
  const places =
    stats?.isDirectory() === true ? guardRepository(path, workspace) : guardLinked(path);
  return terms.holdsGit ? places.flatMap(heldAsAWhole(path, workspace)) : places;
}

/** Places elsewhere in the workspace, such as hooks, stay guarded as before. */
function heldAsAWhole(repository: string, workspace: string) {
  return (place: Guarded): Guarded[] => {
    const {path, held} = place;
    const isIn = isBelow(repository, path);
    if (isBelow(workspace, path) && path !== repository && !isIn) return [place];
    return isIn || held !== undefined ? [] : [{path, as: 'shut'}];
  };
}

/** Files that git seldom tracks, so that nothing restores them. A checkout may replace the others. */
function isSettings(name: string): boolean {
  return credentialFiles.includes(name) || name.startsWith('.env');
}

/** For a workspace in a home folder: the sandbox has a home of its own. */
function credentialsOfHome(workspace: string, home: string | undefined): string[] {
  if (home === undefined || (home !== workspace && !isBelow(workspace, home))) return [];
  return [...credentialFolders, ...credentialFiles]
    .map((name) => join(home, name))
    .filter((path) => statsOf(path) !== undefined);
}

// The parts of the machine that are visible in a sandbox, read-only: programs, and the settings that they need.

/** From /etc: nothing secret. */
const settings: readonly string[] = [
  'alternatives',
  'ca-certificates',
  'crypto-policies',
  'fonts',
  'group',
  'gitconfig',
  'hosts',
  'java',
  'ld.so.cache',
  'localtime',
  'mime.types',
  'nsswitch.conf',
  'os-release',
  'passwd',
  'pki/ca-trust',
  'pki/java',
  'pki/tls/certs',
  'pki/tls/cert.pem',
  'protocols',
  'services',
  'ssl/cert.pem',
  'ssl/certs',
  'ssl/openssl.cnf',
];

interface SystemPlaces {
  /** Folders and files under their own paths. */
  readonly shown: readonly string[];
  /** Links whose targets are shown. */
  readonly links: readonly {readonly path: string; readonly target: string}[];
}

let known: SystemPlaces | undefined;

/** Looked up once: a system does not change while it runs. */
export function systemPlaces(): SystemPlaces {
  known ??= look();
  return known;
}

function look(): SystemPlaces {
  const there = [
    ...systemFolders,
    ...settings.map((name) => `/etc/${name}`),
    '/sys/devices/system/cpu',
  ].filter((path) => existsSync(path));
  const links = there.flatMap((path) => {
    if (statsOf(path)?.isSymbolicLink() !== true) return [];
    const target = readlinkSync(path);
    return resolve(dirname(path), target).startsWith('/usr/') ? [{path, target}] : [];
  });
  const linked = new Set(links.map(({path}) => path));
  return {shown: there.filter((path) => !linked.has(path)), links};
}

// Programs outside the system's folders: their parts that are visible in a sandbox, read-only.

/** Visible as a whole: ownership of the files in /opt and in these stores is unknown, and they contain programs. */
export const systemFolders: readonly string[] = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/opt',
  '/nix/store',
  '/gnu/store',
];

/** Managers of programs in a home folder: the folders that are visible when a folder of theirs is in PATH. None contains credentials. */
const managers: Readonly<Record<string, readonly string[]>> = {
  '.cargo': ['.cargo/bin', '.cargo/registry', '.cargo/git', '.rustup'],
  '.local': [
    '.local/bin',
    '.local/lib',
    '.local/pipx',
    '.local/share/fnm',
    '.local/share/mise',
    '.local/share/pipx',
    '.local/share/pnpm',
    '.local/share/uv',
    '.local/share/virtualenvs',
  ],
  go: ['go/bin', 'go/pkg'],
  '.bun': ['.bun/bin', '.bun/install/global'],
  '.deno': ['.deno/bin'],
  '.npm-global': ['.npm-global'],
  '.asdf': ['.asdf'],
  '.dotnet': ['.dotnet'],
  '.fnm': ['.fnm'],
  '.ghcup': ['.ghcup'],
  '.goenv': ['.goenv'],
  '.jenv': ['.jenv'],
  '.juliaup': ['.juliaup', '.julia/juliaup'],
  '.linuxbrew': ['.linuxbrew'],
  '.nodenv': ['.nodenv'],
  '.nvm': ['.nvm'],
  '.opam': ['.opam'],
  '.phpenv': ['.phpenv'],
  '.pyenv': ['.pyenv'],
  '.rbenv': ['.rbenv'],
  '.rvm': ['.rvm'],
  '.sdkman': ['.sdkman'],
  '.volta': ['.volta'],
  anaconda3: ['anaconda3'],
  miniconda3: ['miniconda3'],
  miniforge3: ['miniforge3'],
};

/** Variables that name the home of a toolchain. */
const homes =
  /^(?:JAVA_HOME|GOROOT|RUSTUP_HOME|NVM_DIR|PYENV_ROOT|VOLTA_HOME|VIRTUAL_ENV|CONDA_PREFIX|DOTNET_ROOT|ANDROID_(?:HOME|SDK_ROOT)|SDKMAN_DIR|M2_HOME|GRADLE_HOME|MAVEN_HOME)$/;

/** Folders beside the folder of programs, from which programs load files. */
const beside = ['lib', 'lib64', 'libexec', 'share', 'include'];

interface Ground {
  readonly env: Readonly<Record<string, string>>;
  /** The user's home; undefined where there is none. */
  readonly home: string | undefined;
  readonly workspace: string;
}

/** Absolute paths of folders that exist outside the system's folders and the workspace; sorted, each once. */
export function toolchainsOf({env, home, workspace}: Ground): string[] {
  const inPath = (env['PATH'] ?? '').split(':').filter((path) => path.startsWith('/'));
  const named = Object.entries(env).flatMap(([name, path]) =>
    homes.test(name) && path.startsWith('/') ? [path] : [],
  );
  const wanted = [...inPath.flatMap((path) => shownFor(path, home)), ...named];
  const shown = [...new Set([...wanted, ...wanted.flatMap((path) => realPathOf(path) ?? [])])]
    .filter((path) => statsOf(path) !== undefined && existsSync(path))
    .filter((path) => !holdsTooMuch(path, {home, workspace}) && !isShown(path));
  return shown.toSorted();
}

function isShown(path: string): boolean {
  return systemFolders.some((folder) => folder === path || isBelow(folder, path));
}

/** A folder that contains the home or the workspace, or lies in the workspace, does not count as a folder of programs. */
function holdsTooMuch(
  path: string,
  {home, workspace}: Pick<Ground, 'home' | 'workspace'>,
): boolean {
  return (
    [home, workspace].some((one) => one === path || (one !== undefined && isBelow(path, one))) ||
    isBelow(workspace, path)
  );
}

function shownFor(folder: string, home: string | undefined): string[] {
  const packages = folder.lastIndexOf('/node_modules/');
  if (packages >= 0) return [folder.slice(0, packages + '/node_modules'.length)];
  const first = home !== undefined && isBelow(home, folder) ? folder.slice(home.length + 1) : '';
  const managed = managers[first.split('/')[0] ?? ''];
  if (managed !== undefined && home !== undefined) {
    return [folder, ...managed.map((path) => join(home, path))];
  }
  if (basename(folder) !== 'bin') return [folder];
  const root = dirname(folder);
  const isWhole = ['go', 'java'].some((name) => existsSync(join(folder, name)));
  return isWhole && isDistribution(root)
    ? [root]
    : [folder, ...beside.map((name) => join(root, name))];
}

/** Distributions of Go and Java: they need more than their libraries, and a marker file shows that they contain nothing else. */
function isDistribution(root: string): boolean {
  return ['VERSION', 'release'].some((name) => existsSync(join(root, name)));
}
