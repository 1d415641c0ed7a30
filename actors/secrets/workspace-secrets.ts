/**
 * Masks the values of a workspace's files with credentials in all texts that models see. A value that was found once stays
 * masked, also after its file was deleted.
 */

import {constants, type BigIntStats} from 'node:fs';
import {open, readFile, readdir, stat} from 'node:fs/promises';
import {join} from 'node:path';

import {isCredentialPlace} from '../../machines/places/places.ts';
import {openable} from '../../tools/containment/own-state.ts';
import {runGit} from '../../tools/machine/git.ts';
import {allowedEnv} from '../../tools/run/quota.ts';
import {credentialValues} from './credential-values.ts';
import {createFinder, createMask, encodingsOf} from './mask.ts';

export interface WorkspaceSecrets {
  readonly mask: (text: string) => string;
  /** True while no value is masked. */
  readonly isIdle: () => boolean;
  /**
   * Reads new and changed files with credentials. `afterEffect`: a tool ran and may have made such a file, so the workspace
   * is searched again; without it, the search is repeated only as often as it costs little. Never rejects.
   */
  readonly refresh: (how?: 'afterEffect') => Promise<void>;
}

const limits = {files: 200, bytesAFile: 256 * 1024, values: 2_000};
/** The pause after a search for files: the longer of `restMs` and `restTimes` times the duration of that search. */
const restMs = 1_000;
const restTimes = 20;

/** `workspace` is an absolute path. A value that is part of this path is not masked. */
export function createWorkspaceSecrets(workspace: string, mark: string): WorkspaceSecrets {
  const stamps = new Map<string, string>();
  const needles = new Set<string>();
  /** Suspected values that committed files contain. */
  const known = new Set<string>();
  let mask = createMask([], mark);
  let files: readonly string[] = [];
  let nextSearch = 0;
  let refreshing = Promise.resolve();

  const search = async (): Promise<void> => {
    const before = performance.now();
    files = await credentialFilesIn(workspace);
    const after = performance.now();
    nextSearch = after + Math.max(restMs, restTimes * (after - before));
  };
  const take = async (changed: readonly Changed[]): Promise<void> => {
    const all = changed.map(({path, text}) => credentialValues(path, text));
    const named = all.flatMap((one) => one.named);
    const suspected = all.flatMap((one) => one.suspected).filter((value) => !known.has(value));
    const committed = suspected.length === 0 ? known : await committedAmong(suspected, workspace);
    for (const value of committed) known.add(value);
    const secret = [...named, ...suspected.filter((value) => !committed.has(value))];
    const found = [
      ...secret.filter((value) => !workspace.includes(value)).flatMap(encodingsOf),
      ...all.flatMap((one) => one.keyLines),
    ];
    for (const needle of found) needles.add(needle);
    mask = createMask([...needles].slice(0, limits.values * 8), mark);
  };
  const look = async (how?: 'afterEffect'): Promise<void> => {
    if (how === 'afterEffect' || performance.now() >= nextSearch) await search();
    const changed = (await Promise.all(files.map(async (path) => changedAt(path, stamps)))).flat();
    if (changed.length > 0) await take(changed);
  };
  return {
    mask: (text) => mask(text),
    isIdle: () => needles.size === 0,
    refresh: async (how) => {
      refreshing = refreshing.then(async () => look(how));
      await refreshing;
    },
  };
}

/** Absolute paths. A credential folder is replaced by the files below it. */
async function credentialFilesIn(workspace: string): Promise<readonly string[]> {
  const {nestedIn} = await import('../../tools/containment/guarded.ts');
  const {credentials} = await nestedIn(workspace);
  const files = await Promise.all(credentials.slice(0, limits.files).map(filesAt));
  return files.flat().slice(0, limits.files);
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
  readonly text: string;
}

/** Empty for a file that is unchanged, deleted or binary. */
async function changedAt(path: string, stamps: Map<string, string>): Promise<readonly Changed[]> {
  try {
    const stats = await stat(path, {bigint: true});
    const stamp = stampOf(stats);
    if (!stats.isFile() || stamps.get(path) === stamp) return [];
    const text = await beginningOfFile(path);
    stamps.set(path, stamp);
    return text.includes('\0') ? [] : [{path, text}];
  } catch {
    return [];
  }
}

function stampOf({dev, ino, size, mtimeNs, ctimeNs}: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}

/** Reads at most `limits.bytesAFile`: of a larger file, its beginning. */
async function beginningOfFile(path: string): Promise<string> {
  const file = await open(openable(path), constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const {bytesRead, buffer} = await file.read(Buffer.alloc(limits.bytesAFile), 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

const searched = {files: 1_000, bytesAFile: 128 * 1024, bytes: 8 * 1024 * 1024};
const listing = {maxBytes: 64 * 1024 * 1024, timeoutMs: 10_000, isAlone: true};

/** Searches within `searched`, and skips files with credentials. Never rejects. */
async function committedAmong(
  values: readonly string[],
  workspace: string,
): Promise<ReadonlySet<string>> {
  const call = {...listing, env: allowedEnv(process.env)};
  const listed = await runGit(['ls-files', '--stage', '-z', ':/'], workspace, call);
  if (!listed.ok) return new Set();
  const find = createFinder(values);
  const found = new Set<string>();
  let bytes = 0;
  for (const entry of listed.text.split('\0').slice(0, searched.files)) {
    // oxlint-disable-next-line no-await-in-loop -- one file is in memory at a time
    const text = await committedText(workspace, entry);
    bytes += text.length;
    if (bytes > searched.bytes) break;
    for (const {needle} of find(text)) found.add(needle);
  }
  return found;
}

/** `entry`: mode, object, stage, path. Empty for a link, a submodule, a file that differs from its object or cannot be read. */
async function committedText(workspace: string, entry: string): Promise<string> {
  const [, object = '', path = ''] = /^100\d+ (\w+) 0\t([^]+)$/.exec(entry) ?? [];
  if (path === '' || isCredentialPlace(path)) return '';
  try {
    const file = join(workspace, path);
    const {size} = await stat(file);
    if (size > searched.bytesAFile) return '';
    const content = await readFile(openable(file));
    return objectOf(content, object.length) === object ? content.toString('utf8') : '';
  } catch {
    return '';
  }
}

/** The name that git gives the content, of the length that its repository uses. */
function objectOf(content: Buffer, length: number): string {
  // Loaded when it is needed: a program that only imports the library does without it.
  const {createHash} = process.getBuiltinModule('node:crypto');
  const hash = createHash(length === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${content.length}\0`).update(content).digest('hex');
}
