/**
 * The state of a repository when a run began: its index and its ignore files, as git has them. Changes that the run makes to
 * them can neither turn data into build output nor make git ignore files that it held.
 */

import {posix} from 'node:path';

import {z} from 'zod';

import {createIgnoring, type Ignoring, ignoreTextsOf} from './git-ignore.ts';
import {
  findRepository,
  type GitIndex,
  type Here,
  listIndex,
  parseIndex,
  textsIn,
} from './git-repository.ts';
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

/** The stored part of a baseline. Texts of ignore files are named by their folders, relative to the root. */
const capture = z.object({
  workspace: z.string(),
  root: z.string().exactOptional(),
  /** As git lists it; empty if there is none. */
  index: z.string(),
  indexedMs: z.number(),
  /** Git's texts of the files in the index. */
  ignoreFiles: z.array(z.tuple([z.string(), z.string()])),
  /** The texts in the work tree, where they differ. */
  changedFiles: z.array(z.tuple([z.string(), z.string()])),
  excludes: z.string().exactOptional(),
});

export type Captured = z.infer<typeof capture>;

const maxIgnoreFiles = 2_000;

/** Undefined: the repository can't be read. Rejects with the operating system's error. */
export async function captureBaseline(workspace: string): Promise<Captured | undefined> {
  const look = createLook();
  const found = findRepository(look, workspace);
  if (!found) return {workspace, index: '', indexedMs: 0, ignoreFiles: [], changedFiles: []};
  const {root, gitFolder} = found;
  if (gitFolder === undefined) return undefined;
  const indexedMs = look.statOf(posix.join(gitFolder, 'index'))?.mtimeMs ?? 0;
  const index = await listIndex({root, gitFolder});
  const parsed = index === undefined ? undefined : await parseIndex(index);
  if (index === undefined || !parsed) return undefined;
  const now = ignoreTextsOf(look, root, gitFolder);
  const files = await textsOf({root, gitFolder}, parsed);
  return {
    workspace,
    root,
    index,
    indexedMs,
    ignoreFiles: files.flatMap(({folder, text}) => (text === undefined ? [] : [[folder, text]])),
    changedFiles: files.flatMap(({folder, text}) => {
      const current = now.textIn(folder) || '';
      return current === text ? [] : [[folder, current]];
    }),
    ...(typeof now.excludes === 'string' ? {excludes: now.excludes} : {}),
  };
}

/** The ignore files in the index, with git's texts. */
async function textsOf(here: Here, {entries}: GitIndex) {
  const files = [...entries.values()].filter(({path}) => /(?:^|\/)\.gitignore$/.test(path));
  const some = files.slice(0, maxIgnoreFiles);
  const texts = await textsIn(
    here,
    some.map(({hash}) => hash),
  );
  return some.map(({path, hash}) => ({
    folder: path.slice(0, Math.max(0, path.length - '/.gitignore'.length)),
    text: texts.get(hash),
  }));
}

/** Undefined for malformed data. */
export async function toBaseline(kept: Captured): Promise<Baseline | undefined> {
  const index = await parseIndex(kept.index);
  if (!index) return undefined;
  const committed = new Map(kept.ignoreFiles);
  const found = new Map([...kept.ignoreFiles, ...kept.changedFiles]);
  const byGit = createIgnoring({
    textIn: (folder) => committed.get(folder),
    excludes: kept.excludes,
  });
  const byFiles = createIgnoring({textIn: (folder) => found.get(folder), excludes: kept.excludes});
  const isIgnored = (path: string, isFolder: boolean): boolean =>
    byGit.isIgnored(path, isFolder) && byFiles.isIgnored(path, isFolder);
  return {root: kept.root, index, indexedMs: kept.indexedMs, isIgnored};
}

/** Throws for malformed data. */
export function parseBaseline(text: string): Captured {
  return capture.parse(JSON.parse(text));
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
