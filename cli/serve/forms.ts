/** The current forms of a folder or a glob, each by the name of its file. */

import type {Logger} from '../../actors/logger.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import type {Questionnaire} from '../../machines/questionnaire/questionnaire.ts';
import {readFormFile} from '../../tools/questionnaire/form-file.ts';
import {clashesOf, type FormPlace, openFormPlaces} from './form-places.ts';

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
