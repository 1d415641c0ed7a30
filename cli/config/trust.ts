/** The list of trusted folders, `trusted.json`, by path and content. A damaged list trusts nothing. */

import {chmod, mkdir, readFile, rename, writeFile} from 'node:fs/promises';
import {join} from 'node:path';

import {AppError} from '../../machines/domain/app-error.ts';
import type {Environment} from '../terminal.ts';
import {codeOf} from './file.ts';
import {dataFolder} from './paths.ts';

/** SHA-256 by the real path of a folder, or, from earlier versions, of a project file. */
type Trusted = Readonly<Record<string, string>>;

/** True when the list has one of these hashes for its path. */
export async function isListed(
  hashes: Readonly<Record<string, string>>,
  env: Environment,
): Promise<boolean> {
  const trusted = await readTrusted(env);
  return Object.entries(hashes).some(
    ([path, hash]) => Object.hasOwn(trusted, path) && trusted[path] === hash,
  );
}

/** Adds a path to the list, and removes the paths that it replaces. Throws AppError `io` when the data folder can't be written. */
export async function addTrust(
  {path, hash, replaces}: {readonly path: string; readonly hash: string; readonly replaces: string},
  env: Environment,
): Promise<void> {
  const {[replaces]: _, ...others} = await readTrusted(env);
  await writeTrusted({...others, [path]: hash}, dataFolder(env));
}

async function readTrusted(env: Environment): Promise<Trusted> {
  try {
    const text = await readFile(join(dataFolder(env), 'trusted.json'), 'utf8');
    const files: unknown = JSON.parse(text);
    if (typeof files !== 'object' || files === null) return {};
    return Object.fromEntries(Object.entries(files).map(([path, hash]) => [path, String(hash)]));
  } catch {
    return {};
  }
}

async function writeTrusted(files: Trusted, folder: string): Promise<void> {
  const path = join(folder, 'trusted.json');
  const draft = `${path}.${process.pid}`;
  try {
    await mkdir(folder, {recursive: true, mode: 0o700});
    await writeFile(draft, `${JSON.stringify(files, null, 2)}\n`, {mode: 0o600});
    await chmod(draft, 0o600);
    await rename(draft, path);
  } catch (cause) {
    throw new AppError(
      'io',
      `${path} can't be written (${codeOf(cause)}); check the folder or set QUORATE_HOME`,
      {cause},
    );
  }
}
