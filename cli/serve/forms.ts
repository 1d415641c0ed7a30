/** The forms that are served: the files of a folder, or those that a glob matches, each by the name of its file. */

import {readdir, realpath, stat} from 'node:fs/promises';
import {basename, join, relative, resolve, sep} from 'node:path';

import type {Logger} from '../../actors/logger.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import type {Questionnaire} from '../../machines/questionnaire/questionnaire.ts';
import {readFormFile} from '../../tools/questionnaire/form-file.ts';

export interface ServedForm {
  /** The name of its file, without `.toml` or `.json`. */
  readonly name: string;
  readonly questionnaire: Questionnaire;
}

export interface Forms {
  /** By the name of its file, or by its id. Undefined for an unknown one. */
  readonly find: (name: string) => Promise<ServedForm | undefined>;
  /** By name. */
  readonly list: () => Promise<readonly ServedForm[]>;
}

export const noForms: Forms = {find: async () => undefined, list: async () => []};

interface Kept extends ServedForm {
  readonly path: string;
  /** Stamp of the file when it was read. */
  readonly stamp: string;
}

/**
 * `where` is a folder or a glob, relative to `cwd`. Rejects with AppError `config` for a folder that does not exist, for
 * invalid forms and for two files of one name. Later, an invalid change is logged and the last valid form stays; a second
 * file of a name is logged and not served. A form whose file is removed is no longer served.
 */
export async function openForms(
  where: string,
  logger: Logger,
  cwd: string = process.cwd(),
): Promise<Forms> {
  const places = await openFormPlaces(where, cwd);
  const kept = new Map<string, Kept>();
  const problems = new Set<string>();
  const report = (form: string, found: readonly string[]): void => {
    for (const problem of found) problems.add(problem);
    logger.warn('a form can not be read', {form, problems: found});
  };
  const look = async ({name, path}: FormPlace): Promise<Kept | undefined> => {
    const stamp = await places.stamp(path);
    const known = kept.get(name);
    if (stamp === undefined || known?.stamp === stamp)
      return stamp === undefined ? undefined : known;
    const form = await readFormFile(path);
    if (form.kind === 'read') return {name, path, stamp, questionnaire: form.questionnaire};
    report(name, form.problems);
    return known && {...known, stamp};
  };
  const lookAtAll = async (): Promise<void> => {
    const all = await places.find();
    for (const {name, problem} of clashesOf(all, cwd))
      if (!problems.has(problem)) report(name, [problem]);
    const found = await Promise.all(servedOf(all, kept).map(look));
    kept.clear();
    for (const form of found) if (form) kept.set(form.name, form);
  };
  const refresh = createShared(lookAtAll);
  await refresh();
  if (problems.size > 0)
    throw new AppError('config', `--forms ${where}: ${[...problems].join('; ')}`);
  return {
    find: async (name) => {
      await refresh();
      return kept.get(name) ?? kept.values().find(({questionnaire}) => questionnaire.id === name);
    },
    list: async () => {
      await refresh();
      return [...kept.values()];
    },
  };
}

/** Of files with the same name: the one that is already served, else the first. */
function servedOf(all: readonly FormPlace[], kept: ReadonlyMap<string, Kept>): FormPlace[] {
  return [...Map.groupBy(all, ({name}) => name)].flatMap(([name, same]) => {
    const served = same.find(({path}) => path === kept.get(name)?.path);
    return served ?? same.slice(0, 1);
  });
}

/** Calls that arrive before the next run begins share it. A run that began before the call may have missed a change. */
function createShared(work: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  const begin = async (): Promise<void> => {
    next = undefined;
    await work();
  };
  return async () => {
    if (!next) {
      next = current.then(begin, begin);
      current = next;
    }
    await next;
  };
}

// The files of the served forms: of a folder, or matched by a glob.

interface FormPlace {
  /** The name of the file, without `.toml` or `.json`. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
}

interface FormPlaces {
  /** By path. Rejects with the operating system's error for a folder that can't be read. */
  readonly find: () => Promise<readonly FormPlace[]>;
  /** Changes with the file. Undefined for a removed file, and for one that a link in its path places outside. */
  readonly stamp: (path: string) => Promise<string | undefined>;
}

const formFile = /^([A-Za-z0-9][\w.-]{0,99})\.(?:toml|json)$/;

/** `where` is a folder or a glob, relative to `cwd`. Rejects with AppError `config` for a folder that does not exist. */
async function openFormPlaces(where: string, cwd: string): Promise<FormPlaces> {
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
interface NameClash {
  readonly name: string;
  readonly problem: string;
}

function clashesOf(places: readonly FormPlace[], cwd: string): NameClash[] {
  const byName = Map.groupBy(places, ({name}) => name);
  return [...byName].flatMap(([name, same]) => {
    if (same.length < 2) return [];
    const files = same.map(({path}) => relative(cwd, path)).join(' and ');
    return [{name, problem: `${files} are both the form "${name}"; rename one of them`}];
  });
}
