/** Writes a long run that is still open to a file. Order: `file`, `tasks`, `turns`. */

import {createMemoryJournal, createSqliteJournal} from 'quorate';

import {order, tell} from './measure.mjs';
import {createWorld, cut} from './ours.mjs';

const {file, tasks, turns} = order;
const journal = createMemoryJournal();
const id = await createWorld({turns, tasks, journal}).run();
const kept = createSqliteJournal(file);
const additions = cut(id, journal.log.read(id));
await kept.log.append(additions);
await kept.close();
tell({entries: additions.length});
