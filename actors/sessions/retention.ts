/** Removes runs from a journal, and writes them to be read elsewhere. */

import type {Journal} from '../journal/journal.ts';
import {eraseRun} from './erase.ts';
import type {Retention} from './retention-api.ts';

/** `forget`: called for each run that was erased. */
export function createRetention(journal: Journal, forget: (id: string) => void): Retention {
  const erase = async (id: string, updatedAt?: number): Promise<boolean> => {
    const isErased = await eraseRun(id, journal, updatedAt);
    if (isErased) forget(id);
    return isErased;
  };
  return {
    erase: async (id) => void (await erase(id)),
    prune: async (options) => {
      const {pruneRuns} = await import('./prune.ts');
      return await pruneRuns(options, journal, erase);
    },
    export: async function* exportLines(id) {
      const {exportRun} = await import('./export.ts');
      for await (const line of exportRun(id, journal)) yield JSON.stringify(line);
    },
  };
}
