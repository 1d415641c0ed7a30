/** Writes a long run that is still open to a file. Order: `file`, `tasks`, `turns`. */

import {createMemoryJournal, createSqliteJournal} from 'quorate';

import {order, tell} from './measure.mjs';
import {createWorld} from './ours.mjs';

const {file, tasks, turns} = order;
const journal = createMemoryJournal();
const id = await createWorld({turns, tasks, journal}).run();
const kept = createSqliteJournal(file);
const entries = journal.read(id).slice(0, -2);
for (const {seq: _, at, hash: __, ...body} of entries) kept.append(id, [body], at);
kept.close();
tell({entries: entries.length});
