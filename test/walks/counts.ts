/**
 * Prints how many files, functions and calls of the product, without `cli/`, one traced run passes through: for one ballot,
 * from its request to the decision of the panel; for one write, from its call to the end of its task, without its vote; for
 * the whole run. `npm run counts`.
 *
 * V8 counts the calls of each function. The run is made twice and the second one is counted, so that loading modules and
 * filling caches does not count.
 */

import {Session} from 'node:inspector';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

import type {Step} from './trace.ts';

type Part = 'ballot' | 'write without its vote';

/** Calls by function; a function is named by its file and offset. */
type Counts = ReadonlyMap<string, number>;

interface FunctionCoverage {
  readonly ranges: readonly {readonly startOffset: number; readonly count: number}[];
}

interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly FunctionCoverage[];
}

const root = pathToFileURL(join(import.meta.dirname, '../..')).href;
const product = new RegExp(`^${RegExp.escape(root)}/(?:machines|actors|tools)/`);

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', {callCount: true, detailed: false});
const {traceRun} = await import('./trace.ts');
await traceRun();
takeCounts();

/** The steps at which the next part begins, in order. The vote of the panel on the write belongs to no part. */
const boundaries: readonly {readonly isAt: (step: Step) => boolean; readonly next?: Part}[] = [
  {isAt: (step) => step.kind === 'wire' && step.text.includes('cast_ballot'), next: 'ballot'},
  {isAt: isMessage(/^xstate\.done\.actor\.quorum$/)},
  {isAt: isMessage(/^xstate\.init$/, /\/task:[^/]+\/call$/), next: 'write without its vote'},
  {isAt: isMessage(/^xstate\.init$/, /\/quorum$/)},
  {isAt: isMessage(/^xstate\.done\.actor\.quorum$/), next: 'write without its vote'},
  {isAt: (step) => step.kind === 'report' && step.report === 'task.settled'},
];

const sums: Record<Part | 'whole run', Map<string, number>> = {
  ballot: new Map(),
  'write without its vote': new Map(),
  'whole run': new Map(),
};
let passed = 0;
await traceRun((step) => {
  addCounts();
  if (boundaries[passed]?.isAt(step)) passed++;
});
addCounts();

for (const [name, counts] of Object.entries(sums)) {
  const files = new Set([...counts.keys()].map((key) => key.replace(/:\d+$/, '')));
  const calls = counts.values().reduce((sum, count) => sum + count, 0);
  process.stdout.write(`${name}: ${files.size} files, ${counts.size} functions, ${calls} calls\n`);
}

/** The counts since the last call. */
function takeCounts(): Counts {
  const counts = new Map<string, number>();
  session.post('Profiler.takePreciseCoverage', (error, {result}) => {
    if (error) throw error;
    for (const script of result) collect(script, counts);
  });
  return counts;
}

function collect({url, functions}: ScriptCoverage, counts: Map<string, number>): void {
  if (!product.test(url)) return;
  for (const {ranges} of functions) {
    const [own] = ranges;
    if (own && own.count > 0) counts.set(`${url}:${own.startOffset}`, own.count);
  }
}

function addCounts(): void {
  const part = boundaries[passed - 1]?.next;
  for (const [key, count] of takeCounts()) {
    add(sums['whole run'], key, count);
    if (part) add(sums[part], key, count);
  }
}

function add(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

function isMessage(type: RegExp, to = /(?:)/): (step: Step) => boolean {
  return (step) => step.kind === 'message' && type.test(step.message) && to.test(step.to);
}
