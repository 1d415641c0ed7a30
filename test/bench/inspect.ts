/** The cost of an inspection: a long run as a trace, on its way to the page, and its moments in any order. */

import {resolve} from 'node:path';

import type {Place} from './place.ts';
import type {Row} from './table.ts';

/** In a fresh process: 10 tasks of 500 turns, two entries per turn. */
export async function measureInspect({run}: Place): Promise<Row[]> {
  const sources = resolve(import.meta.dirname, '../../machines/trace');
  const size = {tasks: 10, turns: 499, sources};
  const {
    entries = NaN,
    traceMs = NaN,
    packMs = NaN,
    megabytes = NaN,
    foldMs = NaN,
    momentMs = NaN,
    slowestMs = NaN,
  } = await run('inspect', size);
  return [
    {label: `trace of ${entries} entries: from the journal`, ours: traceMs, unit: 'ms'},
    {label: 'the same: packed', ours: packMs, unit: 'ms'},
    {label: 'the same: as sent', ours: megabytes, unit: 'MB'},
    {label: 'the same: read by the page', ours: foldMs, unit: 'ms'},
    {label: 'a moment of it, in any order', ours: momentMs, unit: 'ms', aim: 5},
    {label: 'the slowest of 1,000 moments', ours: slowestMs, unit: 'ms', aim: 16},
  ];
}
