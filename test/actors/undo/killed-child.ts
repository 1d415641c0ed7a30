/** Runs a command that changes a file, and dies while it runs: `node killed-child.ts FOLDER`. */

import {join} from 'node:path';

import {createRuntime, createSqliteJournal} from '../../../actors/index.ts';

const [folder = ''] = process.argv.slice(2);
const runtime = createRuntime({
  journal: createSqliteJournal(join(folder, 'data/journal.db')),
  config: {agent: {working_dir: join(folder, 'work')}, sandbox: {mode: 'off'}},
  env: {PATH: process.env['PATH'] ?? ''},
});
const request = 'echo changed > notes.txt; echo begun; sleep 60';
const run = runtime.start({form: 'command', request});
for await (const {type} of run.events) {
  if (type === 'tool.output') process.kill(process.pid, 'SIGKILL');
}
