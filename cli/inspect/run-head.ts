/** The head of a run's trace, from its entries: what it is, and in which state it is. */

import type {Entry} from '../../actors/journal/journal.ts';
import {openedIn, versionsIn} from '../../actors/run/run-input.ts';
import type {RunState} from '../../actors/runtime-api.ts';
import {chartsVersion} from '../../actors/version.ts';
import type {TraceHead} from '../../machines/trace/view.ts';

export interface RecordedRun {
  readonly entries: readonly Entry[];
  readonly isImported: boolean;
}

export interface RunGround {
  /** Of a run that has not ended. */
  readonly state: RunState;
  /** This process runs it, and can send events to it. */
  readonly isOurs: boolean;
  /** Questions wait for a person, and nothing else is at work. */
  readonly isWaiting: boolean;
  readonly isHeld: boolean;
  readonly breakpoints: readonly string[];
}

export function runHead(id: string, recorded: RecordedRun, ground: RunGround): TraceHead {
  const {entries} = recorded;
  const [opened] = entries;
  const {form = '', request = '', workspace} = openedIn(entries) ?? {};
  const origin = opened?.type === 'opened' ? opened.origin : undefined;
  const current = chartsVersion();
  return {
    id,
    kind: 'run',
    form,
    title: request,
    state: stateOf(entries, ground),
    openedAt: opened?.at ?? 0,
    ...(workspace === undefined ? {} : {workspace}),
    ...(origin ? {origin: {id: origin.id, seq: origin.seq}} : {}),
    isThisVersion: versionsIn(entries).every((version) => version === current),
    control: controlOf(recorded, ground),
    breakpoints: ground.breakpoints,
  };
}

function stateOf(entries: readonly Entry[], ground: RunGround): string {
  const status = statusIn(entries);
  if (status !== undefined) return status;
  if (ground.isHeld) return 'held';
  if (ground.isWaiting) return 'waiting';
  return ground.state;
}

function statusIn(entries: readonly Entry[]): string | undefined {
  const last = entries.at(-1);
  const status = last?.type === 'closed' ? last.result['status'] : undefined;
  return typeof status === 'string' ? status : undefined;
}

function controlOf(
  {entries, isImported}: RecordedRun,
  {state, isOurs}: RunGround,
): TraceHead['control'] {
  if (entries.at(-1)?.type === 'closed') return {isPossible: false, why: 'ended'};
  if (isImported) return {isPossible: false, why: 'imported'};
  if (isOurs || state !== 'running') return {isPossible: true};
  return {isPossible: false, why: 'elsewhere'};
}
