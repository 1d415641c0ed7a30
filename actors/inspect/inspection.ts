/** The part of a runtime that shows runs step by step. Loaded when it is first used. */

import {isJsonObject} from '../../machines/domain/json.ts';
import type {Gap, Step} from '../../machines/trace/step.ts';
import type {Entry, Journal} from '../journal/journal.ts';
import {traceRun, usableEntries} from './follow-run.ts';
import type {InspectedRun, Inspection} from './inspection-api.ts';
import {type CallGround, describeCalls} from './model-calls.ts';
import {ShownTrace} from './trace-privacy.ts';

export interface InspectionDeps extends CallGround {
  readonly journal: Pick<Journal, 'log'>;
}

export function createInspection(deps: InspectionDeps): Inspection {
  const {log} = deps.journal;
  return {
    trace: (id, options) => traceRun(id, log, options),
    modelCalls: async (id) => (await inspectEntries(id, await usableEntries(id, log), deps)).calls,
    entryCount: async (id) => await log.lengthOf(id),
    costOf: async (id) => {
      const usage = (await log.closing(id))?.result['usage'];
      const costUsd = isJsonObject(usage) ? usage['costUsd'] : undefined;
      return typeof costUsd === 'number' ? costUsd : undefined;
    },
    inspectEntries: async (id, entries) => await inspectEntries(id, entries, deps),
  };
}

async function inspectEntries(
  id: string,
  entries: readonly Entry[],
  ground: CallGround,
): Promise<InspectedRun> {
  const trace = new ShownTrace(id, entries);
  const steps: Step[] = [];
  const gaps: Gap[] = [];
  for await (const batch of trace.add(entries)) {
    steps.push(...batch.steps);
    gaps.push(...batch.gaps);
  }
  const calls = await describeCalls(trace.calls, entries, ground);
  return {steps, gaps, calls: calls.map((call) => trace.mask(call))};
}
