/** The part of a runtime that shows runs step by step. Loaded when it is first used. */

import type {ModelCall} from '../../machines/trace/view.ts';
import {requireUsable} from '../journal/chain.ts';
import type {Entry, Journal} from '../journal/journal.ts';
import {traceRun} from './follow-run.ts';
import type {Inspection, TraceBatch} from './inspection-api.ts';
import {type CallGround, describeCalls} from './model-calls.ts';
import {RunTrace} from './run-trace.ts';
import {tracePrivacy} from './trace-privacy.ts';

export interface InspectionDeps extends CallGround {
  readonly journal: Pick<Journal, 'log'>;
}

export function createInspection(deps: InspectionDeps): Inspection {
  const {log} = deps.journal;
  return {
    trace: (id, options) => traceRun(id, log, options),
    modelCalls: async (id) => {
      const {entries} = requireUsable(await log.salvage(id));
      return (await inspectEntries(id, entries, deps)).calls;
    },
    inspectEntries: async (id, entries) => await inspectEntries(id, entries, deps),
  };
}

/** A whole run, with private answers masked. */
async function inspectEntries(
  id: string,
  entries: readonly Entry[],
  ground: CallGround,
): Promise<TraceBatch & {readonly calls: readonly ModelCall[]}> {
  const found = await tracePrivacy(id, entries);
  const trace = new RunTrace(entries);
  if (found) trace.toJson = (context) => found.privacy.data(context);
  const batch = trace.add(entries);
  const calls = await describeCalls(trace.calls, entries, ground);
  return found ? found.privacy.data({...batch, calls}) : {...batch, calls};
}
