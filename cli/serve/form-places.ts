/** The files of the served forms: of a folder, or matched by a glob. */

import {readdir, realpath, stat} from 'node:fs/promises';
import {basename, join, relative, resolve, sep} from 'node:path';

import {AppError} from '../../machines/domain/app-error.ts';

export interface FormPlace {
  /** The name of the file, without `.toml` or `.json`. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
}

export interface FormPlaces {
  /** By path. Rejects with the operating system's error for a folder that can't be read. */
  readonly find: () => Promise<readonly FormPlace[]>;
  /** Changes with the file. Undefined for a removed file, and for one that a link in its path places outside. */
  readonly stamp: (path: string) => Promise<string | undefined>;
}

const formFile = /^([A-Za-z0-9][\w.-]{0,99})\.(?:toml|json)$/;

/** `where` is a folder or a glob, relative to `cwd`. Rejects with AppError `config` for a folder that does not exist. */
export async function openFormPlaces(where: string, cwd: string): Promise<FormPlaces> {
  const folder = resolve(cwd, where);
  const isFolder = await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  return isFolder ? placesIn(await realpath(folder)) : await placesOfGlob(where, cwd);
}

function placesIn(root: string): FormPlaces {
  return {
    find: async () => toPlaces((await readdir(root)).map((file) => join(root, file))),
    stamp: async (path) => await stampInside(path, [root]),
  };
}

/** Does not follow links, and skips hidden files, `.git` and `node_modules`. */
async function placesOfGlob(glob: string, cwd: string): Promise<FormPlaces> {
  const {default: fastGlob} = await import('fast-glob');
  const options = {cwd, ignore: ['**/node_modules/**'], followSymbolicLinks: false};
  const tasks = fastGlob.isDynamicPattern(glob) ? fastGlob.generateTasks(glob, options) : [];
  const roots = await Promise.all(
    tasks.map(async ({base}) => await rootOf(resolve(cwd, base), glob)),
  );
  if (roots.length === 0) throw noFolder(glob);
  return {
    find: async () => toPlaces((await fastGlob(glob, options)).map((path) => resolve(cwd, path))),
    stamp: async (path) => await stampInside(path, roots),
  };
}

async function rootOf(folder: string, glob: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (error) {
    throw noFolder(glob, error);
  }
}

function noFolder(where: string, cause?: unknown): AppError {
  return new AppError('config', `--forms ${where}: there is no such folder`, {cause});
}

function toPlaces(paths: readonly string[]): FormPlace[] {
  return paths.toSorted().flatMap((path) => {
    const [, name] = formFile.exec(basename(path)) ?? [];
    return name === undefined ? [] : [{name, path}];
  });
}

async function stampInside(path: string, roots: readonly string[]): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    const {mtimeMs, size} = await stat(real);
    const isInside = roots.some((root) => real.startsWith(root + sep));
    return isInside ? `${path} ${mtimeMs} ${size}` : undefined;
  } catch {
    return undefined;
  }
}

/** Two files with the same name: only one of them can be served. */
export interface NameClash {
  readonly name: string;
  readonly problem: string;
}

export function clashesOf(places: readonly FormPlace[], cwd: string): NameClash[] {
  const byName = Map.groupBy(places, ({name}) => name);
  return [...byName].flatMap(([name, same]) => {
    if (same.length < 2) return [];
    const files = same.map(({path}) => relative(cwd, path)).join(' and ');
    return [{name, problem: `${files} are both the form "${name}"; rename one of them`}];
  });
}
