/** Removes runs from a journal, and writes them to be read elsewhere. */

import type {Snapshots} from '../../tools/index.ts';
import type {Journal} from '../journal/journal.ts';
import {eraseRun} from './erase.ts';
import type {Retention} from './retention-api.ts';

/** `forget`: see {@link Snapshots}; called for each run that is erased. */
export function createRetention(journal: Journal, forget: Snapshots['forget']): Retention {
  const erase = async (id: string, updatedAt?: number): Promise<boolean> =>
    await eraseRun(id, journal, {forget, updatedAt});
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
