/** Where a server starts, so that the working folder does not decide what runs. */

import {createHash} from 'node:crypto';
import {readFileSync, realpathSync, statSync} from 'node:fs';
import {isAbsolute, join, resolve} from 'node:path';

import {openable} from '../containment/own-state.ts';
import type {NamedFile, StdioLaunch} from './server.ts';

/**
 * Why a server can't be started here, a clause: its program, or the file that it runs, is in the working folder, or a file of
 * its row has changed since the folder was trusted. A row with a `cwd` in the working folder has chosen that.
 */
export function startProblem(launch: StdioLaunch, workspace: string): string | undefined {
  const {command, args, cwd, files = []} = launch;
  const changed = files.find((file) => hashOfFile(file.path) !== file.sha256);
  if (changed) {
    return `${changed.path} has changed since this run began or the folder was trusted; check it, then: quorate config --trust`;
  }
  if (cwd !== undefined && isIn(realOf(cwd), workspace)) return undefined;
  const own = new Set(files.map(({path}) => path));
  const operand = args.find((word) => !word.startsWith('-'));
  const inside = [programOf(command, workspace), operand].find(
    (path) => path !== undefined && !own.has(path) && isFileIn(path, workspace),
  );
  return inside === undefined
    ? undefined
    : `${inside} is in the working folder, which could change what is started; if you trust what is there, add cwd = "workspace" to its row`;
}

/**
 * The folder of the workspace for a start that runs code of it: a file that its row names, or anything, as it starts there.
 * Undefined for any other.
 */
export function folderInside(
  {cwd, files = []}: StdioLaunch,
  workspace: string,
): string | undefined {
  const folder = cwd === undefined ? undefined : realOf(cwd);
  if (folder !== undefined && isIn(folder, workspace)) return folder;
  return files.some(({path}) => isFileIn(path, workspace)) ? workspace : undefined;
}

/** The search path without folders of the workspace. */
export function pathOutside(path: string, workspace: string): string {
  return path
    .split(':')
    .filter((folder) => isAbsolute(folder) && !isIn(realOf(folder), realOf(workspace)))
    .join(':');
}

/** The files of a folder that texts name, also in part (`--config=a.json`), with their hashes. */
export function namedFiles(texts: readonly string[], folder: string): NamedFile[] {
  const words = texts.flatMap((text) => [text, ...text.split(/[\s=,:;]+/)]);
  const paths = new Set(words.filter((word) => word !== '').map((word) => resolve(folder, word)));
  return [...paths].flatMap((path) => {
    const sha256 = isFileIn(path, folder) ? hashOfFile(path) : undefined;
    return sha256 === undefined ? [] : [{path, sha256}];
  });
}

function programOf(command: string, workspace: string): string | undefined {
  if (command.includes('/')) return resolve('/', command);
  const folders = pathOutside(process.env['PATH'] ?? '', workspace).split(':');
  return folders.map((folder) => join(folder, command)).find((path) => isFile(path));
}

function hashOfFile(path: string): string | undefined {
  try {
    return createHash('sha256')
      .update(readFileSync(openable(path)))
      .digest('hex');
  } catch {
    return undefined;
  }
}

/** Below the folder by its name, or by where its links lead. */
function isFileIn(path: string, folder: string): boolean {
  if (!isAbsolute(path) || !isFile(path)) return false;
  return isIn(path, folder) || isIn(realOf(path), realOf(folder));
}

export function isFile(path: string): boolean {
  return statSync(path, {throwIfNoEntry: false})?.isFile() === true;
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
