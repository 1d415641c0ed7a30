/** A worker in a process of its own, whose models answer an action when a line arrives on stdin. */

import {createInterface} from 'node:readline';

import {createMemoryJournal} from '../../../actors/index.ts';
import {createPostgresJournal} from '../../../actors/journal/postgres/postgres.ts';
import {startWorker} from '../../../actors/run/worker.ts';
import {createScenario, work} from '../../support/scenario.ts';

const [, , url = '', schema = ''] = process.argv;
const lines = createInterface({input: process.stdin})[Symbol.asyncIterator]();
const print = (line: unknown): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

const journal = await createPostgresJournal({url, schema});
const {runtime, performed} = createScenario({
  journal,
  work: async (request) => {
    if (request.purpose === 'act') {
      print({status: 'called', tools: performed.tools});
      await lines.next();
    }
    return work(request);
  },
});
const {host} = createMemoryJournal();
startWorker({
  runtime,
  owners: journal.owners,
  host,
  most: 1,
  onEnd: ({status, error}) => print({status, why: error?.code, tools: performed.tools}),
});
