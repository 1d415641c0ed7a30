/**
 * Reverts changes to places that could not be guarded while a command ran: links, protected places that take effect later, and,
 * under a confinement that can't make them read-only, all guarded places. Nothing is lost: the command's version gets another name.
 */

import {
  chmodSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';

import {attempt} from '../../containment/denial.ts';
import {
  namesIn,
  setAside,
  smallFileText,
  statsOf,
  type Guarded,
} from '../../containment/guarded.ts';
import {openable} from '../../containment/own-state.ts';
import type {Enclosure} from './confiner.ts';
import {isLeftover} from './reserved-paths.ts';
import {protectedIn} from './workspace.ts';

/** Reverts the changes and reports them: a line each, without a line end. Never throws. */
export type Revert = () => readonly string[];

/**
 * `held`: places that the command can't change, so another program made any change there. Of a trial, and of a program that runs
 * beside others, nothing is reverted.
 */
export function watchPlaces(
  {workspace, isTrial, isLasting}: Enclosure,
  links: readonly string[],
  held: readonly string[],
): Revert {
  if (isTrial === true || isLasting === true) return () => [];
  const before = new Set([...protectedIn(workspace), ...held]);
  const targets = links.map((path) => ({path, target: linkAt(path)}));
  const head = join(workspace, '.git/HEAD');
  const headText = smallFileText(head);
  return () => [
    ...targets.flatMap(({path, target}) => restoreLink(workspace, path, target)),
    ...protectedIn(workspace)
      .filter((path) => !before.has(path))
      .flatMap((path) => setAside(workspace, path, 'is protected: only a person may make it')),
    ...(headText !== '' && !isHead(head) ? [lostHead] : []),
  ];
}

const lostHead =
  '.git/HEAD no longer names a branch or a commit: until it does, git may obey other folders';

function isHead(path: string): boolean {
  const result = attempt(path, () => readFileSync(openable(path), 'latin1'));
  return result.ok && /^(?:ref: refs\/|[0-9a-f]{40})/.test(result.value);
}

function restoreLink(workspace: string, path: string, target: string | undefined): string[] {
  if (target === undefined || linkAt(path) === target) return [];
  const report = setAside(workspace, path, 'was a link, and is one again');
  return attempt(path, () => symlinkSync(target, path)).ok ? report : [];
}

function linkAt(path: string): string | undefined {
  const read = attempt(path, () => readlinkSync(path));
  return read.ok ? read.value : undefined;
}

export interface KeptPlaces {
  /** Returns a line for each change, without a line end. Never throws. */
  readonly restore: () => readonly string[];
}

type Kept =
  | {readonly kind: 'folder'; readonly mode: number}
  | {readonly kind: 'file'; readonly mode: number; readonly bytes: Buffer}
  | {readonly kind: 'link'; readonly target: string};

interface Known {
  readonly before: ReadonlyMap<string, Kept>;
  /** Places in a guarded one that the command may change. */
  readonly free: ReadonlySet<string>;
}

interface Room extends Pick<Known, 'free'> {
  entries: number;
  bytes: number;
}

const most = {entries: 4_000, bytes: 32 * 1_048_576};

const why = 'is protected: only a person may change it';

function pathsOf(places: readonly Guarded[]): readonly string[] {
  return places.map(({path}) => path);
}

/** Undefined when the places hold too much, or something that can't be read. */
export function keepPlaces(workspace: string, places: readonly Guarded[]): KeptPlaces | undefined {
  const there = places.filter(({held}) => held === undefined);
  const room: Room = {...most, free: new Set(pathsOf(places.filter(({as}) => as === 'pinned')))};
  const before = new Map<string, Kept>();
  const missing = places.flatMap(({path, held}) => (held === undefined ? [] : [path]));
  const folders = pathsOf(there)
    .filter((path) => statsOf(path)?.isDirectory() === true)
    .map((path) => ({path, inode: statsOf(path)?.ino}));
  for (const {path, as} of there) {
    if (as !== 'pinned' && !keep(path, before, room)) return undefined;
  }
  return {
    restore: () => [
      ...folders.flatMap(({path, inode}) => restoreFolder(workspace, path, inode)),
      ...missing
        .filter((path) => statsOf(path) !== undefined && !isLeftover(path))
        .flatMap((path) => setAside(workspace, path, why)),
      ...[...before].flatMap(([path, kept]) =>
        restorePlace(workspace, path, kept, {before, free: room.free}),
      ),
    ],
  };
}

function keep(path: string, before: Map<string, Kept>, room: Room): boolean {
  if (room.free.has(path)) return true;
  const kept = contentOf(path);
  if (kept === undefined) return false;
  room.entries -= 1;
  room.bytes -= kept.kind === 'file' ? kept.bytes.length : 0;
  if (room.entries < 0 || room.bytes < 0) return false;
  before.set(path, kept);
  return (
    kept.kind !== 'folder' || namesIn(path).every((name) => keep(join(path, name), before, room))
  );
}

/** Undefined for what is missing, too large, unreadable or another kind of file. */
function contentOf(path: string): Kept | undefined {
  const stats = statsOf(path);
  if (stats === undefined) return undefined;
  const mode = stats.mode & 0o7777;
  if (stats.isDirectory()) return {kind: 'folder', mode};
  if (stats.isSymbolicLink()) {
    const target = attempt(path, () => readlinkSync(path));
    return target.ok ? {kind: 'link', target: target.value} : undefined;
  }
  if (!stats.isFile() || stats.size > most.bytes) return undefined;
  const bytes = attempt(path, () => readFileSync(openable(path)));
  return bytes.ok ? {kind: 'file', mode, bytes: bytes.value} : undefined;
}

/** A folder that was moved away comes back. */
function restoreFolder(workspace: string, path: string, inode: number | undefined): string[] {
  if (inode === undefined || statsOf(path)?.ino === inode) return [];
  const lines = setAside(workspace, path, 'was replaced by the command');
  const moved = [dirname(path), workspace]
    .flatMap((folder) => namesIn(folder).map((name) => join(folder, name)))
    .find((other) => statsOf(other)?.ino === inode);
  if (moved !== undefined) attempt(path, () => renameSync(moved, path));
  return lines;
}

function restorePlace(
  workspace: string,
  path: string,
  kept: Kept,
  {before, free}: Known,
): string[] {
  if (kept.kind === 'folder' && statsOf(path)?.isDirectory() === true) {
    const added = namesIn(path).map((name) => join(path, name));
    return added
      .filter((one) => !before.has(one) && !free.has(one))
      .flatMap((one) =>
        setAside(workspace, one, 'is in a protected place: only a person may make it'),
      );
  }
  if (isSame(contentOf(path), kept)) return [];
  const lines = setAside(workspace, path, why);
  const made = attempt(path, () => make(path, kept));
  return made.ok ? lines : [...lines, `its former content could not be restored`];
}

function isSame(now: Kept | undefined, kept: Kept): boolean {
  if (now?.kind !== kept.kind) return false;
  if (now.kind === 'link') return kept.kind === 'link' && now.target === kept.target;
  if (now.kind === 'folder') return true;
  return kept.kind === 'file' && now.mode === kept.mode && now.bytes.equals(kept.bytes);
}

function make(path: string, kept: Kept): void {
  if (kept.kind === 'link') {
    symlinkSync(kept.target, path);
    return;
  }
  if (kept.kind === 'folder') mkdirSync(path);
  else writeFileSync(path, kept.bytes, {flag: 'wx', mode: 0o600});
  chmodSync(path, kept.mode);
}
