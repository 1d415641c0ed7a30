/** The part of a runtime that shows runs step by step. Loaded when it is first used. */

import type {Gap, Step} from '../../machines/trace/step.ts';
import type {Entry, Journal} from '../journal/journal.ts';
import {batchesOf, shownOf, traceRun, usableEntries} from './follow-run.ts';
import type {InspectedRun, Inspection} from './inspection-api.ts';
import {type CallGround, describeCalls} from './model-calls.ts';
import {RunTrace} from './run-trace.ts';

export interface InspectionDeps extends CallGround {
  readonly journal: Pick<Journal, 'log'>;
}

export function createInspection(deps: InspectionDeps): Inspection {
  const {log} = deps.journal;
  return {
    trace: (id, options) => traceRun(id, log, options),
    modelCalls: async (id) => (await inspectEntries(id, await usableEntries(id, log), deps)).calls,
    entryCount: async (id) => await log.lengthOf(id),
    inspectEntries: async (id, entries) => await inspectEntries(id, entries, deps),
  };
}

async function inspectEntries(
  id: string,
  entries: readonly Entry[],
  ground: CallGround,
): Promise<InspectedRun> {
  const {shown, privacy} = await shownOf(id, entries);
  const trace = new RunTrace(entries);
  const steps: Step[] = [];
  const gaps: Gap[] = [];
  for await (const batch of batchesOf(trace, entries.slice(0, shown), privacy)) {
    steps.push(...batch.steps);
    gaps.push(...batch.gaps);
  }
  const calls = await describeCalls(trace.calls, entries, ground);
  return {steps, gaps, calls: privacy ? calls.map(privacy.data) : calls};
}
