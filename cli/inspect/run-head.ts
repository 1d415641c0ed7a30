/** The head of a run's trace, from its entries: what it is, and in which state it is. */

import type {Entry} from '../../actors/journal/journal.ts';
import {openedIn, versionsIn} from '../../actors/run/run-input.ts';
import type {RunState} from '../../actors/runtime-api.ts';
import {chartsVersion} from '../../actors/version.ts';
import type {TraceHead} from '../../machines/trace/step.ts';

/** `state`: of a run that has not ended. */
export function runHead(id: string, entries: readonly Entry[], state: RunState): TraceHead {
  const [opened] = entries;
  const {form = '', request = '', workspace} = openedIn(entries) ?? {};
  const origin = opened?.type === 'opened' ? opened.origin : undefined;
  const current = chartsVersion();
  return {
    id,
    kind: 'run',
    form,
    title: request,
    state: stateIn(entries, state),
    openedAt: opened?.at ?? 0,
    ...(workspace === undefined ? {} : {workspace}),
    ...(origin ? {origin: {id: origin.id, seq: origin.seq}} : {}),
    isThisVersion: versionsIn(entries).every((version) => version === current),
  };
}

function stateIn(entries: readonly Entry[], open: RunState): string {
  const last = entries.at(-1);
  const status = last?.type === 'closed' ? last.result['status'] : undefined;
  return typeof status === 'string' ? status : open;
}
