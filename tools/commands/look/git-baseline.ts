/**
 * The state of a repository when a run began: its index and its ignore files, as git has them. Changes that the run makes to
 * them can neither turn data into build output nor make git ignore files that it held.
 */

import {createHash} from 'node:crypto';
import {lstatSync, readFileSync} from 'node:fs';
import {readFile, stat} from 'node:fs/promises';
import {posix} from 'node:path';

import {z} from 'zod';

import {openable} from '../../containment/own-state.ts';
import {createIgnoring, type Ignoring, ignoreTextsOf, maxIgnoreBytes} from './git-ignore.ts';
import {type GitIndex, maxIndexBytes, readIndexBytes} from './git-index.ts';
import {looseText} from './git-objects.ts';
import {findRepository} from './git-repository.ts';
import {createLook} from './look.ts';

export interface Baseline {
  /** The root of the repository that contained the workspace; undefined: there was none. */
  readonly root: string | undefined;
  readonly index: GitIndex;
  /** When the index was written, ms: a file changed then or later may be newer than its entry. */
  readonly indexedMs: number;
  /** Judged by git's ignore files and by those in the work tree. `path` is relative to the root. */
  readonly isIgnored: Ignoring['isIgnored'];
}

/** The stored part of a baseline. */
export interface Captured {
  readonly header: z.infer<typeof header>;
  /** The index file; empty if there was none. */
  readonly index: Uint8Array;
}

const header = z.object({
  workspace: z.string(),
  root: z.string().exactOptional(),
  indexedMs: z.number(),
  /** For each folder, relative to the root, whose ignore file is in the index: git's text of it. */
  ignoreFiles: z.array(z.tuple([z.string(), z.string()])),
  /** The texts in the work tree, where they differed. */
  changedFiles: z.array(z.tuple([z.string(), z.string()])),
  excludes: z.string().exactOptional(),
});

const maxIgnoreFiles = 2_000;

/** Undefined: the repository can't be read. Rejects with the operating system's error. */
export async function captureBaseline(workspace: string): Promise<Captured | undefined> {
  const look = createLook();
  const found = findRepository(look, workspace);
  if (!found)
    return {
      header: {workspace, indexedMs: 0, ignoreFiles: [], changedFiles: []},
      index: new Uint8Array(),
    };
  const {root, gitFolder} = found;
  if (gitFolder === undefined) return undefined;
  const {index, indexedMs} = await readIndexFile(posix.join(gitFolder, 'index'));
  const parsed = index && (await readIndexBytes(index));
  if (!index || !parsed) return undefined;
  const {excludes} = ignoreTextsOf(look, root, gitFolder);
  return {
    header: {
      workspace,
      root,
      indexedMs,
      ...ignoreFilesIn(root, gitFolder, parsed),
      ...(typeof excludes === 'string' ? {excludes} : {}),
    },
    index,
  };
}

async function readIndexFile(path: string) {
  try {
    const {size, mtimeMs} = await stat(path);
    if (size > maxIndexBytes) return {index: undefined, indexedMs: 0};
    return {index: new Uint8Array(await readFile(openable(path))), indexedMs: mtimeMs};
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isMissing) throw error;
    return {index: new Uint8Array(), indexedMs: 0};
  }
}

type Texts = [folder: string, text: string][];

/** Ignore files in the index: read from the work tree where unchanged, else from git's objects where readable. */
function ignoreFilesIn(root: string, gitFolder: string, {entries}: GitIndex) {
  const ignoreFiles: Texts = [];
  const changedFiles: Texts = [];
  const files = [...entries.values()].filter(({path}) => /(?:^|\/)\.gitignore$/.test(path));
  for (const {path, hash} of files.slice(0, maxIgnoreFiles)) {
    const folder = path.slice(0, Math.max(0, path.length - '/.gitignore'.length));
    const now = readBytes(posix.join(root, path));
    const isSame = sameTexts(now).some((each) => blobHash(each) === hash);
    const text = isSame ? now.toString() : looseText(gitFolder, hash);
    if (text !== undefined) ignoreFiles.push([folder, text]);
    if (!isSame) changedFiles.push([folder, now.toString()]);
  }
  return {ignoreFiles, changedFiles};
}

/** Empty if there is no such file, or it is too large. */
function readBytes(path: string): Buffer {
  const found = lstatSync(path, {throwIfNoEntry: false});
  return found?.isFile() && found.size <= maxIgnoreBytes
    ? readFileSync(openable(path))
    : Buffer.alloc(0);
}

/** Git may store other line ends. */
function sameTexts(bytes: Buffer): readonly Buffer[] {
  return [bytes, Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')];
}

export function blobHash(content: Buffer): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}

/** Undefined for malformed data. */
export async function toBaseline({header: kept, index}: Captured): Promise<Baseline | undefined> {
  const parsed = await readIndexBytes(index);
  if (!parsed) return undefined;
  const committed = new Map(kept.ignoreFiles);
  const found = new Map([...kept.ignoreFiles, ...kept.changedFiles]);
  const byGit = createIgnoring({
    textIn: (folder) => committed.get(folder),
    excludes: kept.excludes,
  });
  const byFiles = createIgnoring({textIn: (folder) => found.get(folder), excludes: kept.excludes});
  const isIgnored = (path: string, isFolder: boolean): boolean =>
    byGit.isIgnored(path, isFolder) && byFiles.isIgnored(path, isFolder);
  return {root: kept.root, index: parsed, indexedMs: kept.indexedMs, isIgnored};
}

export function writtenBaseline({header: kept, index}: Captured): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify(kept)}\n`), index]);
}

/** Throws for malformed data. */
export function parseBaseline(bytes: Buffer): Captured {
  const end = bytes.indexOf('\n');
  const kept = header.parse(JSON.parse(bytes.toString('utf8', 0, end)));
  return {header: kept, index: bytes.subarray(end + 1)};
}

/** Git ignored the folder then; `path` is relative to the workspace. Without git, false. */
export function wasIgnoredIn(
  baseline: Baseline | 'lost',
  workspace: string,
): (path: string) => boolean {
  if (baseline === 'lost') return () => false;
  const {root, isIgnored} = baseline;
  if (root === undefined) return () => true;
  const above = posix.relative(root, workspace);
  return (path) => isIgnored(posix.join(above, path), true);
}
