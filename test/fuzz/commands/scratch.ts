/** A fresh copy of the world for each command, and the changes that a command made in it. */

import {execFileSync} from 'node:child_process';
import {lstatSync, readdirSync, readFileSync, readlinkSync} from 'node:fs';
import {join} from 'node:path';

/** A path before and after: kind, permissions and content. */
export interface Change {
  /** Relative to the copied folder. */
  readonly path: string;
  readonly how: 'created' | 'changed' | 'deleted' | 'rights';
}

export interface Scratch {
  /** Absolute: a copy of the whole world. */
  readonly folder: string;
  /** The differences from the world; then restores it. */
  readonly changes: () => readonly Change[];
  readonly remove: () => void;
}

interface Seen {
  /** Changes with every change of content or permissions; a command cannot set it back. */
  readonly stamp: string;
  readonly mode: number;
  readonly kind: 'folder' | 'file' | 'link' | 'other';
}

/** @param world The folder to copy. @param parent Where the copy is made. */
export function createScratch(world: string, parent: string): Scratch {
  const folder = join(parent, 'world');
  execFileSync('cp', ['-a', world, folder]);
  let before = look(folder);
  return {
    folder,
    changes: () => {
      const after = look(folder);
      const changes = compare(world, folder, before, after);
      if (isTouched(before, after)) before = restore(world, folder, before, after);
      return changes;
    },
    remove: () => removeAll(parent),
  };
}

type Sight = ReadonlyMap<string, Seen>;

/** Restores touched files to the state of the world. */
function restore(world: string, folder: string, before: Sight, after: Sight): Sight {
  const touched = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path)?.kind !== after.get(path)?.kind || isOther(path, before, after),
  );
  const isBelow = (path: string) => touched.some((other) => path.startsWith(`${other}/`));
  for (const path of touched.filter((each) => !isBelow(each))) {
    removeAll(join(folder, path));
    if (before.has(path)) execFileSync('cp', ['-a', join(world, path), join(folder, path)]);
  }
  return look(folder);
}

/** Of a folder, only its permissions: its content is listed separately. */
function isOther(path: string, before: Sight, after: Sight): boolean {
  const [then, now] = [before.get(path), after.get(path)];
  if (then?.kind === 'folder') return then.mode !== now?.mode;
  return then?.stamp !== now?.stamp;
}

/** Also removes files without permissions. */
function removeAll(path: string): void {
  execFileSync('sh', ['-c', 'chmod -R u+rwx "$1" 2>/dev/null; rm -rf -- "$1"', 'sh', path]);
}

function look(folder: string): Sight {
  const sight = new Map<string, Seen>();
  const visit = (path: string): void => {
    for (const name of readdirSync(join(folder, path))) {
      const below = path === '' ? name : `${path}/${name}`;
      const status = lstatSync(join(folder, below), {bigint: true});
      const kind = status.isDirectory()
        ? 'folder'
        : status.isFile()
          ? 'file'
          : status.isSymbolicLink()
            ? 'link'
            : 'other';
      sight.set(below, {
        stamp: `${status.ino} ${status.ctimeNs} ${status.size}`,
        mode: Number(status.mode),
        kind,
      });
      if (kind === 'folder' && isReadable(join(folder, below))) visit(below);
    }
  };
  visit('');
  return sight;
}

function isReadable(folder: string): boolean {
  try {
    readdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

function isTouched(before: Sight, after: Sight): boolean {
  if (before.size !== after.size) return true;
  return [...after].some(([path, {stamp}]) => before.get(path)?.stamp !== stamp);
}

function compare(world: string, folder: string, before: Sight, after: Sight): readonly Change[] {
  const changes: Change[] = [];
  for (const path of before.keys()) {
    if (!after.has(path)) changes.push({path, how: 'deleted'});
  }
  for (const [path, now] of after) {
    const then = before.get(path);
    const how = then ? difference(join(world, path), join(folder, path), then, now) : 'created';
    if (how) changes.push({path, how});
  }
  return changes;
}

function difference(
  original: string,
  copy: string,
  then: Seen,
  now: Seen,
): Change['how'] | undefined {
  if (then.stamp === now.stamp) return undefined;
  if (then.kind !== now.kind) return 'changed';
  if (now.kind === 'file' && !readFileSync(original).equals(readFileSync(copy))) return 'changed';
  if (now.kind === 'link' && readlinkSync(original) !== readlinkSync(copy)) return 'changed';
  return then.mode === now.mode ? undefined : 'rights';
}
