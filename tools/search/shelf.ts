/** Stores an index between searches: in its file, or in memory while the file can't be used. */

import type {DatabaseSync} from 'node:sqlite';

import {diagnose, discardIndex, inMemory, openIndex} from './store.ts';

export interface Shelf {
  /** Resolves with the result of `work`, repeated when the index is found to be damaged. `note`: why the index is in memory. */
  readonly use: <T>(
    work: (index: DatabaseSync) => Promise<T>,
  ) => Promise<{readonly value: T; readonly note?: string}>;
}

/** `indexFile`: a path or `:memory:`. Opens nothing until it is used. */
export function createShelf(indexFile: string): Shelf {
  let memory: DatabaseSync | undefined;
  return {
    use: async (work) => {
      const kept = indexFile === inMemory ? undefined : await tryFile(indexFile, work);
      if (kept && 'value' in kept) return kept;
      memory ??= openIndex(inMemory);
      return {value: await work(memory), ...kept};
    },
  };
}

type Kept<T> = {readonly value: T} | {readonly note: string};

async function tryFile<T>(
  path: string,
  work: (index: DatabaseSync) => Promise<T>,
  isRetry = false,
): Promise<Kept<T>> {
  try {
    return {value: await withIndex(path, work)};
  } catch (error) {
    const {remedy, reason} = diagnose(error);
    const canRetry = remedy === 'reopen' || (remedy === 'renew' && tryDiscard(path));
    if (isRetry || !canRetry) return {note: `${path}: ${reason}`};
    return tryFile(path, work, true);
  }
}

async function withIndex<T>(path: string, work: (index: DatabaseSync) => Promise<T>): Promise<T> {
  const index = openIndex(path);
  try {
    return await work(index);
  } finally {
    index.close();
  }
}

function tryDiscard(path: string): boolean {
  try {
    discardIndex(path);
    return true;
  } catch {
    return false;
  }
}
