/**
 * Finds where control groups can be made that limit memory and processes: in version 2 if a group above this process delegates these
 * controllers, otherwise in both hierarchies of version 1. The limits of this process apply to new groups as well.
 */

import {readFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';

export type Controller = 'memory' | 'pids';

export interface Hierarchy {
  readonly version: 1 | 2;
  readonly controllers: readonly Controller[];
  /** Absolute: groups are made in it. */
  readonly folder: string;
  /** Absolute: groups that a process leaves when it is moved into a new one. Their limits no longer apply to it. */
  readonly left: readonly string[];
}

const wanted = ['memory', 'pids'] as const;

/** Empty if this kernel has no control groups, or this user may not make any. */
export function findHierarchies(): readonly Hierarchy[] {
  return hierarchiesIn(readProcFile('/proc/self/mountinfo'), readProcFile('/proc/self/cgroup'));
}

/** Parses the texts of `/proc/self/mountinfo` and `/proc/self/cgroup`. */
export function hierarchiesIn(mountinfo: string, membership: string): readonly Hierarchy[] {
  const mounts = mountinfo.split('\n').flatMap(mountOf);
  const memberships = membership.split('\n').flatMap(membershipOf);
  return inVersion2(mounts, memberships) ?? inVersion1(mounts, memberships) ?? [];
}

interface Mount {
  readonly type: string;
  /** The part of the hierarchy that is visible there. */
  readonly root: string;
  readonly folder: string;
  readonly options: readonly string[];
}

function mountOf(line: string): readonly Mount[] {
  const [own = '', shared = ''] = line.split(' - ');
  const [, , , root = '', folder = ''] = own.split(' ').map(unescaped);
  const [type = '', , options = ''] = shared.split(' ');
  return type.startsWith('cgroup') ? [{type, root, folder, options: options.split(',')}] : [];
}

function unescaped(field: string): string {
  return field.replaceAll(/\\([0-7]{3})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 8)),
  );
}

interface Membership {
  /** Empty in version 2. */
  readonly controllers: string;
  readonly path: string;
}

function membershipOf(line: string): readonly Membership[] {
  const groups = /^\d+:(?<controllers>[^:]*):(?<path>\/.*)$/.exec(line)?.groups;
  return groups ? [{controllers: groups['controllers'] ?? '', path: groups['path'] ?? ''}] : [];
}

/** The group itself, if the mount shows it. */
function ownGroup({root, folder}: Mount, path: string): string | undefined {
  if (root === '/') return resolve(folder, `.${path}`);
  return path === root || path.startsWith(`${root}/`)
    ? resolve(folder, `.${path.slice(root.length)}`)
    : undefined;
}

/** A group with processes of its own delegates nothing, so it is mostly a parent group. */
function inVersion2(
  mounts: readonly Mount[],
  memberships: readonly Membership[],
): readonly Hierarchy[] | undefined {
  const mount = mounts.find(({type}) => type === 'cgroup2');
  const path = memberships.find(({controllers}) => controllers === '')?.path;
  const own = mount && path !== undefined ? ownGroup(mount, path) : undefined;
  if (!mount || own === undefined) return undefined;
  const left: string[] = [];
  for (let at = own; at.startsWith(mount.folder); at = dirname(at)) {
    const handedOn = readProcFile(join(at, 'cgroup.subtree_control')).trim().split(' ');
    if (wanted.every((one) => handedOn.includes(one))) {
      return [{version: 2, controllers: wanted, folder: at, left}];
    }
    left.push(at);
  }
  return undefined;
}

function inVersion1(
  mounts: readonly Mount[],
  memberships: readonly Membership[],
): readonly Hierarchy[] | undefined {
  const found = wanted.flatMap((controller): Hierarchy[] => {
    const mount = mounts.find(
      ({type, options}) => type === 'cgroup' && options.includes(controller),
    );
    const own = memberships.find(({controllers}) => controllers.split(',').includes(controller));
    const folder = mount && own ? ownGroup(mount, own.path) : undefined;
    return folder === undefined ? [] : [{version: 1, controllers: [controller], folder, left: []}];
  });
  return found.length === wanted.length ? found : undefined;
}

function readProcFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
