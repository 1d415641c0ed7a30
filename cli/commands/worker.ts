/** `quorate worker --journal URL`: performs runs of a journal that machines share. */

import {t} from '../../machines/message.ts';
import {toWhole, usually, valueOption, wordOption} from '../line/option-values.ts';
import {command} from './define.ts';

export const workerOptions = {
  folder: wordOption(
    'DIR',
    t`of the runs that work in a folder of this machine, only those in this one`,
  ),
  most: usually(valueOption('N', t`the largest number of runs at once (8)`, toWhole(1, 10_000)), 8),
};

export const worker = command({
  summary: t`perform the runs of a journal that machines share (--journal URL)`,
  detail: t`Claims open runs that no process has, the oldest first, and continues them: those of --detach, those of a process that died, and those
that another worker has handed over. A run that works in a folder is performed on the machine with that folder; discussions, reviews
and interviews on any. A run that waits for a person is left: quorate resume ID --decision answers it on any machine.

Each run belongs to one process at a time. A process that is stopped or cut off from the database for more than 3.5 seconds
loses its runs, and writes and performs nothing more for them. A first Ctrl-C hands the runs over and ends.`,
  options: workerOptions,
  examples: [
    'quorate worker --journal postgres://db.example/quorate',
    'quorate worker --journal postgres://db.example/quorate --folder /srv/app',
  ],
  obeys: ['log'],
  run: async (parsed, terminal) => {
    const {work} = await import('../serve/work.ts');
    return await work(parsed, terminal);
  },
});
