/** Confinement by bubblewrap, on Linux. */

import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

import {type Guarded, isBelow, merged, namesIn, statsOf} from '../../containment/guarded.ts';
import {temporaryFolder} from '../../temporary-folder.ts';
import {type Confiner, type Enclosure, ownFiles, problemWith} from './confiner.ts';
import type {Destination} from './destination.ts';
import {gitIdentity, gitSettings, withGitSettings, enclosingRepository} from './repository.ts';
import {reservePaths, unremovable} from './reserved-paths.ts';
import {watchPlaces} from './revert.ts';
import {systemFolders, systemPlaces, toolchainsOf, guardWorkspace} from './workspace.ts';

// The arguments of bubblewrap: an empty file system in which programs are visible read-only, the workspace is writable except for guarded places, and home, /tmp and shared memory are folders in memory that end with the command.

interface Confinement {
  /** Absolute, links resolved. */
  readonly workspace: string;
  /** The starting folder: absolute, inside the workspace. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Sorted by path; all of it exists. */
  readonly places: readonly Guarded[];
  /** An empty file that is mounted over masked files. Absent: a device. */
  readonly emptyFile?: string | undefined;
  /** Visible read-only besides programs: absolute paths that exist. */
  readonly shown?: readonly string[];
  /** Further mounts. */
  readonly more?: readonly string[];
}

const namespaces =
  '--unshare-all --unshare-user --disable-userns --die-with-parent --new-session --cap-drop ALL';

const mebibyte = 1_048_576;
/** The size limits of the folders in memory. */
const sizes = {tmp: 1_024 * mebibyte, home: 512 * mebibyte, shared: 256 * mebibyte};

/** Replaces a home that contains or lies in the workspace, or a missing one. */
const spareHome = '/tmp/home';

/** The words that precede the program; none contains the value of a variable. */
export function confine(confinement: Confinement): string[] {
  const {workspace, folder, env, places, emptyFile = device, shown = [], more = []} = confinement;
  const system = systemPlaces();
  const home = homeInside(env['HOME'], workspace);
  const tools = toolchainsOf({env, home: env['HOME'], workspace});
  const all = merged([{path: workspace, as: 'pinned'}, ...places]);
  return [
    ...namespaces.split(' '),
    ...system.shown.flatMap((path) => ['--ro-bind', path, path]),
    ...system.links.flatMap(({path, target}) => ['--symlink', target, path]),
    // The superuser may write to files in /proc that control the machine, even after dropping capabilities.
    ...'--proc /proc --remount-ro /proc --dev /dev'.split(' '),
    ...inMemory('/dev/shm', sizes.shared, '1777'),
    ...'--remount-ro /dev'.split(' '),
    ...inMemory('/tmp', sizes.tmp, '1777'),
    ...'--symlink ../tmp /var/tmp --dir /run'.split(' '),
    ...(home === spareHome ? ['--dir', home] : inMemory(home, sizes.home, '0700')),
    ...[...tools, ...shown].flatMap((path) => ['--ro-bind', path, path]),
    ...all.flatMap((place) => mountOf(place, emptyFile)),
    ...more,
    ...'--remount-ro / --setenv TMPDIR /tmp --setenv HOME'.split(' '),
    home,
    '--chdir',
    folder,
  ];
}

function inMemory(path: string, bytes: number, mode: string): string[] {
  return ['--perms', mode, '--size', `${bytes}`, '--tmpfs', path];
}

const device = '/dev/null';

function mountOf({path, as}: Guarded, emptyFile: string): string[] {
  if (as === 'pinned') return ['--bind', path, path];
  if (as === 'shut') return ['--ro-bind', path, path];
  return statsOf(path)?.isDirectory() === true
    ? ['--tmpfs', path, '--remount-ro', path]
    : ['--ro-bind', as === 'masked' ? emptyFile : device, path];
}

const notForHomes = [...systemFolders, '/etc', '/proc', '/dev', '/sys'];

function homeInside(home: string | undefined, workspace: string): string {
  if (home === undefined || !home.startsWith('/') || home === '/') return spareHome;
  const isWorkedIn = home === workspace || isBelow(workspace, home);
  const isTaken = notForHomes.some((path) => path === home || isBelow(path, home));
  return isWorkedIn || isTaken ? spareHome : home;
}

export function createBubblewrap(file: string, rules: readonly Destination[]): Confiner {
  return {
    by: 'bubblewrap',
    problemWith,
    ...ownFiles,
    confine: async (argv, enclosure) => {
      const {workspace, folder, env, isTrial = false, closesNetwork = false} = enclosure;
      const [guard, identity, way] = await Promise.all([
        guardWorkspace(enclosure),
        isTrial ? '' : gitIdentity(env),
        openSandboxEgress(closesNetwork ? [] : rules),
      ]);
      const shown = enclosingRepository(workspace, env['HOME']);
      const held = reservePaths(placesFor(enclosure, guard.places), workspace);
      const revert = watchPlaces(enclosure, guard.links, held.paths);
      const empty = await makeEmptyFile();
      const args = confine({
        workspace,
        folder,
        env,
        places: held.places,
        emptyFile: empty.path,
        shown,
        more: way.mounts,
      });
      const settings = gitSettings(identity, {
        ignored: unremovable(guard, held, enclosure),
        versions: enclosure.versions,
        places: guard.places,
        root: shown[0] ?? workspace,
      });
      const inner = isTrial ? argv : ['/bin/sh', '-c', withGitSettings, 'sh', ...settings, ...argv];
      return {
        file,
        args: [...args, '--', ...way.before, ...inner],
        env: {...env, ...way.env},
        closed: guard.closed,
        release: async () => {
          await way.close();
          held.release();
          await empty.remove();
          return revert();
        },
      };
    },
  };
}

/** Without a placeholder, nothing is made in a folder in which a protected place could be made: it is read-only, its folders are not. */
function placesFor(
  {isTrial, isLasting}: Enclosure,
  places: readonly Guarded[],
): readonly Guarded[] {
  if (isTrial !== true && isLasting !== true) return places;
  const {there = [], missing = []} = Object.groupBy(places, ({held}) =>
    held === undefined ? 'there' : 'missing',
  );
  if (isLasting !== true) return there;
  const parents = [...new Set(missing.map(({path}) => dirname(path)))].filter(isFolder);
  const inside = parents.flatMap((folder) => namesIn(folder).map((name) => join(folder, name)));
  return merged([
    ...there,
    ...parents.map((path): Guarded => ({path, as: 'shut'})),
    ...inside.filter(isFolder).map((path): Guarded => ({path, as: 'pinned'})),
  ]);
}

function isFolder(path: string): boolean {
  return statsOf(path)?.isDirectory() === true;
}

/** A masked file is readable and empty: programs that read a whole tree continue. */
async function makeEmptyFile(): Promise<{path: string; remove: () => Promise<void>}> {
  const folder = await mkdtemp(join(temporaryFolder(), 'quorate-empty-'));
  const path = join(folder, 'empty');
  await writeFile(path, '', {mode: 0o444});
  return {path, remove: async () => await rm(folder, {recursive: true, force: true})};
}

// The egress of a sandbox without a network: the mounts, variables and program through which it reaches the named hosts.

/** Beside this module in the sources; in the package, at a path of its own, as the build merges modules into a few. */
const inSources = new URL('./forward-process.ts', import.meta.url);
const inPackage = new URL('../tools/run/sandbox/forward-process.js', import.meta.url);
const program = fileURLToPath(import.meta.url.endsWith('.ts') ? inSources : inPackage);

export interface SandboxEgress {
  /** Arguments of bubblewrap. */
  readonly mounts: readonly string[];
  /** The words that precede the command. */
  readonly before: readonly string[];
  /** The variables by which programs find the proxy. */
  readonly env: Readonly<Record<string, string>>;
  /** Never rejects. */
  readonly close: () => Promise<void>;
}

const none: SandboxEgress = {
  mounts: [],
  before: [],
  env: {},
  close: async () => await Promise.resolve(),
};

/** Nothing else listens in the sandbox. */
const port = 3128;
const egressFolder = '/run/quorate';

/** Rejects with the operating system's error when no socket can listen here. */
async function openSandboxEgress(rules: readonly Destination[]): Promise<SandboxEgress> {
  if (rules.length === 0) return none;
  const {startProxy} = await import('./proxy.ts');
  const {socket, close} = await startProxy(rules);
  const forward = `${egressFolder}/forward-process${program.slice(program.lastIndexOf('.'))}`;
  const node = `${egressFolder}/node`;
  return {
    mounts: [
      ['--ro-bind', process.execPath, node],
      ['--ro-bind', program, forward],
      ['--bind', socket, `${egressFolder}/proxy.sock`],
    ].flat(),
    before: [node, '--no-warnings', forward, `${egressFolder}/proxy.sock`, `${port}`],
    env: proxied(rules),
    close,
  };
}

/** Servers inside the sandbox are reached without the proxy, unless the same name is allowed outside. */
function proxied(rules: readonly Destination[]): Record<string, string> {
  const url = `http://127.0.0.1:${port}`;
  const here = ['localhost', '127.0.0.1', '::1']
    .filter((name) => rules.every(({host}) => host !== name))
    .join(',');
  return {
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
    NO_PROXY: here,
    NODE_USE_ENV_PROXY: '1',
    http_proxy: url,
    https_proxy: url,
    no_proxy: here,
  };
}
