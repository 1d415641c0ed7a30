/**
 * The arguments of bubblewrap: an empty file system in which programs are visible read-only, the workspace is writable except
 * for guarded places, and home, /tmp and shared memory are folders in memory that end with the command.
 */

import {type Guarded, isBelow, merged, statsOf} from '../../containment/guarded.ts';
import {systemPlaces} from './system.ts';
import {systemFolders, toolchainsOf} from './toolchains.ts';

export interface Confinement {
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
