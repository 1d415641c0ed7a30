/** Resumes the run that `record.mjs` wrote. Order: `file`, `tasks`, `turns`. */

import {createSqliteJournal} from 'quorate';

import {order, peakMb, tell} from './measure.mjs';
import {createWorld} from './ours.mjs';

const {file, tasks, turns} = order;
const called = Promise.withResolvers();
const onCall = () => called.resolve(performance.now());
const {runtime} = createWorld({tasks, turns, journal: createSqliteJournal(file), onCall});
const before = performance.now();
for (const {id} of await runtime.interactions()) await runtime.resume(id);
tell({ms: (await called.promise) - before, peakMb: peakMb()});
