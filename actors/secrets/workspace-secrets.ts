/**
 * Masks the values of a workspace's files with credentials in all texts that models see. A value that was found once stays
 * masked, also after its file was deleted.
 */

import {constants} from 'node:fs';
import {open, readdir, stat} from 'node:fs/promises';
import {join, relative} from 'node:path';

import {openable} from '../../tools/containment/own-state.ts';
import {credentialValues} from './credential-values.ts';
import {createMask, encodingsOf} from './mask.ts';

export interface WorkspaceSecrets {
  readonly mask: (text: string) => string;
  /** True while no value is masked. */
  readonly isIdle: () => boolean;
  /**
   * Reads new and changed files with credentials. `afterEffect`: a tool ran and may have made such a file, so the workspace
   * is searched again; without it, the search is repeated only as often as it costs little. Resolves with a warning for each
   * limit that was exceeded since the beginning, because secrets beyond it are not masked. Never rejects.
   */
  readonly refresh: (how?: 'afterEffect') => Promise<ReadonlySet<string>>;
}

const limits = {files: 200, kilobytesAFile: 256, encodings: 16_000};
/** The pause after a search for files: the longer of `restMs` and `restTimes` times the duration of that search. */
const restMs = 1_000;
const restTimes = 20;

/** `workspace` is an absolute path. A value that is part of this path is not masked. */
export function createWorkspaceSecrets(workspace: string, mark: string): WorkspaceSecrets {
  const stamps = new Map<string, string>();
  const needles = new Set<string>();
  const warnings = new Set<string>();
  let mask: (text: string) => string = String;
  let files: readonly string[] = [];
  let nextSearch = 0;
  let refreshing = Promise.resolve();

  const search = async (): Promise<void> => {
    const before = performance.now();
    const found = await credentialFilesIn(workspace);
    ({files} = found);
    if (found.isPart)
      warnings.add(
        `the folder is too large to find all files with credentials: only the secrets in ${files.length} of them are masked`,
      );
    const after = performance.now();
    nextSearch = after + Math.max(restMs, restTimes * (after - before));
  };
  const take = (path: string, text: string): void => {
    const values = credentialValues(path, text).filter((value) => !workspace.includes(value));
    for (const value of values) {
      if (needles.size >= limits.encodings) {
        warnings.add(
          'the files with credentials have too many secrets: not all of them are masked',
        );
        return;
      }
      for (const needle of encodingsOf(value)) needles.add(needle);
    }
  };
  const look = async (how?: 'afterEffect'): Promise<void> => {
    if (how === 'afterEffect' || performance.now() >= nextSearch) await search();
    const changed = await Promise.all(files.map(async (path) => await changedAt(path, stamps)));
    for (const {path, text, isPart} of changed.flat()) {
      take(path, text);
      if (isPart)
        warnings.add(
          `${relative(workspace, path)} is too large: only the secrets in its first ${limits.kilobytesAFile} KB are masked`,
        );
    }
    if (changed.flat().length > 0 && needles.size > 0) mask = createMask([...needles], mark);
  };
  return {
    mask: (text) => mask(text),
    isIdle: () => needles.size === 0,
    refresh: async (how) => {
      refreshing = refreshing.then(async () => await look(how));
      await refreshing;
      return warnings;
    },
  };
}

/** Absolute paths; a credential folder is replaced by the files below it. `isPart`: there may be more. */
async function credentialFilesIn(workspace: string) {
  const {nestedIn} = await import('../../tools/containment/guarded.ts');
  const {credentials, isPart} = await nestedIn(workspace);
  const found = (await Promise.all(credentials.slice(0, limits.files).map(filesAt))).flat();
  const most = Math.max(credentials.length, found.length);
  return {files: found.slice(0, limits.files), isPart: isPart || most > limits.files};
}

async function filesAt(path: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(openable(path), {recursive: true, withFileTypes: true});
    return entries
      .filter((entry) => entry.isFile())
      .map(({parentPath, name}) => join(parentPath, name));
  } catch {
    return [path];
  }
}

interface Changed {
  readonly path: string;
  /** The beginning of the file. */
  readonly text: string;
  readonly isPart: boolean;
}

/** Empty for a file that is unchanged, deleted or binary. */
async function changedAt(path: string, stamps: Map<string, string>): Promise<readonly Changed[]> {
  try {
    const stats = await stat(path, {bigint: true});
    const {dev, ino, size, mtimeNs, ctimeNs} = stats;
    const stamp = [dev, ino, size, mtimeNs, ctimeNs].join(':');
    if (!stats.isFile() || stamps.get(path) === stamp) return [];
    const text = await beginningOfFile(path);
    stamps.set(path, stamp);
    return text.includes('\0') ? [] : [{path, text, isPart: size > limits.kilobytesAFile * 1024}];
  } catch {
    return [];
  }
}

async function beginningOfFile(path: string): Promise<string> {
  const file = await open(openable(path), constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const {bytesRead, buffer} = await file.read(Buffer.alloc(limits.kilobytesAFile * 1024), 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
