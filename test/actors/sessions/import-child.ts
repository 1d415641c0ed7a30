/** Imports a run, and dies within the transaction: `node import-child.ts JOURNAL FILE`. */

import {createReadStream} from 'node:fs';

import {createSqliteJournal, type Entry} from '../../../actors/index.ts';
import {importRun} from '../../../actors/sessions/import.ts';
import {linesIn} from '../../../actors/sessions/text-lines.ts';

const [path = '', file = ''] = process.argv.slice(2);
const journal = createSqliteJournal(path);

/** The hash of the entry is read once before the transaction, and again when it is written. */
function deadly(entry: Entry): Entry {
  let reads = 0;
  return Object.defineProperty({...entry}, 'hash', {
    enumerable: true,
    get: () => {
      reads += 1;
      if (reads > 1) process.kill(process.pid, 'SIGKILL');
      return entry.hash;
    },
  });
}

await importRun(linesIn(createReadStream(file)), {
  ...journal,
  adopt: (run) => {
    const entries = run.entries.map((entry, index) => (index === 3 ? deadly(entry) : entry));
    return journal.adopt?.({...run, entries}) ?? false;
  },
});
