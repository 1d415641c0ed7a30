/** The forms of a folder, each by the name of its file, as they are now. */

import {readdir, realpath, stat} from 'node:fs/promises';
import {join, sep} from 'node:path';

import type {Logger} from '../../actors/logger.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import type {Questionnaire} from '../../machines/domain/questionnaire.ts';
import {readFormFile} from '../../tools/questionnaire/form-file.ts';

export interface ServedForm {
  /** That of its file, without `.toml` or `.json`. */
  readonly name: string;
  readonly questionnaire: Questionnaire;
}

export interface Forms {
  /** By the name of its file, or by its id. Undefined when there is none. */
  readonly find: (name: string) => Promise<ServedForm | undefined>;
  /** By name. */
  readonly list: () => Promise<readonly ServedForm[]>;
}

export const noForms: Forms = {find: async () => undefined, list: async () => []};

interface Kept extends ServedForm {
  /** Of the file as it was read: time of change, size. */
  readonly stamp: string;
}

const formFile = /^([A-Za-z0-9][\w.-]{0,99})\.(?:toml|json)$/;

/**
 * Rejects with AppError `config` for a folder that there is not, and for forms in it that can't be read. One that breaks
 * later is served as it last was, and the log says so; one that goes is gone.
 */
export async function openForms(folder: string, logger: Logger): Promise<Forms> {
  const root = await rootOf(folder);
  const kept = new Map<string, Kept>();
  const problems: string[] = [];
  const look = async (name: string, file: string): Promise<Kept | undefined> => {
    const stamp = await stampOf(root, file);
    const known = kept.get(name);
    if (stamp === undefined || known?.stamp === stamp)
      return stamp === undefined ? undefined : known;
    const form = await readFormFile(join(root, file));
    if (form.kind === 'read') return {name, stamp, questionnaire: form.questionnaire};
    problems.push(...form.problems);
    logger.warn('a form can not be read', {form: name, problems: form.problems});
    return known && {...known, stamp};
  };
  const lookAtAll = async (): Promise<void> => {
    const files = await filesIn(root);
    const found = await Promise.all(files.map(async ({name, file}) => await look(name, file)));
    kept.clear();
    for (const form of found) if (form) kept.set(form.name, form);
  };
  const refresh = createShared(lookAtAll);
  await refresh();
  if (problems.length > 0)
    throw new AppError('config', `--forms ${folder}: ${problems.join('; ')}`);
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

async function rootOf(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (error) {
    throw new AppError('config', `--forms ${folder}: there is no such folder`, {cause: error});
  }
}

/** In the order of their names; of two with one name the first. */
async function filesIn(root: string): Promise<{readonly name: string; readonly file: string}[]> {
  const names = (await readdir(root)).toSorted();
  const files = names.flatMap((file) => {
    const [, name] = formFile.exec(file) ?? [];
    return name === undefined ? [] : [{name, file}];
  });
  return files.filter(({name}, index) => files.findIndex((each) => each.name === name) === index);
}

/** Undefined for what is no file, is gone, or leads out of the folder. */
async function stampOf(root: string, file: string): Promise<string | undefined> {
  try {
    const path = await realpath(join(root, file));
    const {mtimeMs, size} = await stat(path);
    return path.startsWith(root + sep) ? `${mtimeMs} ${size}` : undefined;
  } catch {
    return undefined;
  }
}
