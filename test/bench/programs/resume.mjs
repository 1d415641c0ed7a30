/**
 * How long an open run takes from `resume` to its next model call: a run that has ended, without its last two entries.
 * Order: `tasks`, `turns`, `times`.
 */

import {createMemoryJournal} from 'quorate';

import {median, order, peakMb, tell} from './measure.mjs';
import {createWorld, cut} from './ours.mjs';

const {tasks, turns, times} = order;

async function record() {
  const journal = createMemoryJournal();
  const id = await createWorld({turns, tasks, journal}).run();
  return {id, entries: journal.log.read(id)};
}

function openAgain({id, entries}) {
  const journal = createMemoryJournal();
  journal.log.append(cut(id, entries));
  return journal;
}

async function resumeMs(recorded) {
  const called = Promise.withResolvers();
  const onCall = () => called.resolve(performance.now());
  const {runtime} = createWorld({turns, tasks, journal: openAgain(recorded), onCall});
  const before = performance.now();
  const run = await runtime.resume(recorded.id);
  const after = await called.promise;
  await run.result;
  return after - before;
}

const recorded = await record();
const spent = [];
for (let time = 0; time < times; time += 1) spent.push(await resumeMs(recorded));
tell({ms: median(spent), entries: recorded.entries.length, peakMb: peakMb()});
