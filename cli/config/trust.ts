/** The project files that the user trusts, by path and content. */

import {chmod, mkdir, readFile, realpath, rename, writeFile} from 'node:fs/promises';
import {join} from 'node:path';

import {AppError} from '../../machines/domain/app-error.ts';
import {localError} from '../line/usage-error.ts';
import type {Environment} from '../terminal.ts';
import {codeOf, readConfigFile} from './file.ts';
import {dataFolder} from './paths.ts';
import {parseConfigText} from './toml.ts';

/** SHA-256 by the real path of the file. */
type TrustedFiles = Readonly<Record<string, string>>;

export interface Trust {
  readonly path: string;
  readonly sha256: string;
}

/** True when exactly this content of this file is trusted. A damaged list trusts nothing. */
export async function isTrusted(path: string, sha256: string, env: Environment): Promise<boolean> {
  const files = await readTrusted(env);
  const key = await realpath(path);
  return Object.hasOwn(files, key) && files[key] === sha256;
}

/**
 * Trusts a project file as it is now. Throws AppError `not_found` when it does not exist, `config` when it is invalid, `io`
 * when the data folder can't be written.
 */
export async function trustProject(path: string, env: Environment): Promise<Trust> {
  const file = await readConfigFile(path);
  if (!file) {
    throw localError('not_found', {
      en: `there is no ${path} to trust`,
      ja: `信頼するファイル ${path} がありません`,
    });
  }
  await parseConfigText(path, file.text);
  const files = {...(await readTrusted(env)), [await realpath(path)]: file.sha256};
  await writeTrusted(files, dataFolder(env));
  return {path, sha256: file.sha256};
}

async function readTrusted(env: Environment): Promise<TrustedFiles> {
  try {
    const text = await readFile(join(dataFolder(env), 'trusted.json'), 'utf8');
    const files: unknown = JSON.parse(text);
    if (typeof files !== 'object' || files === null) return {};
    return Object.fromEntries(Object.entries(files).map(([path, hash]) => [path, String(hash)]));
  } catch {
    return {};
  }
}

async function writeTrusted(files: TrustedFiles, folder: string): Promise<void> {
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
