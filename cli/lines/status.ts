/** What the status line knows: folded from the events, told in one line. */

import type {ProgressEvent} from '../../machines/domain/progress.ts';
import {phaseName} from './events.ts';
import {costText, countText, durationText} from './numbers.ts';
import {truncate} from './text.ts';

export interface Status {
  readonly phase: string;
  readonly startedAt: number;
  /** Ids of the tasks at work. */
  readonly tasks: readonly string[];
  /** The vote that is open. */
  readonly ballots?: {readonly cast: number; readonly seats: number};
  readonly calls: number;
  readonly costUsd?: number;
}

export function initialStatus(now: number): Status {
  return {phase: 'starting', startedAt: now, tasks: [], calls: 0};
}

type EventType = ProgressEvent['type'];
type Of<T extends EventType> = Extract<ProgressEvent, {readonly type: T}>;

const advances: {readonly [T in EventType]?: (status: Status, event: Of<T>) => Status} = {
  'phase.changed': (status, {phase}) => ({...status, phase: phaseName(phase)}),
  'task.started': (status, {task}) => ({...status, tasks: [...without(status.tasks, task), task]}),
  'task.settled': (status, {task}) => ({...status, tasks: without(status.tasks, task)}),
  'quorum.started': (status, {seats}) => ({...status, ballots: {cast: 0, seats: seats.length}}),
  'ballot.cast': (status) =>
    status.ballots
      ? {...status, ballots: {...status.ballots, cast: status.ballots.cast + 1}}
      : status,
  'quorum.decided': ({ballots: _closed, ...status}) => status,
  usage: (status, {totals: {modelCalls, costUsd}}) => ({
    ...status,
    calls: modelCalls,
    ...(costUsd === undefined ? {} : {costUsd}),
  }),
};

export function advanceStatus<T extends EventType>(status: Status, event: Of<T>): Status {
  const advance: ((status: Status, event: Of<T>) => Status) | undefined = advances[event.type];
  return advance ? advance(status, event) : status;
}

export function statusText(status: Status, now: number, width: number): string {
  const parts = [
    status.phase,
    ...(status.tasks.length > 0 ? [countText(status.tasks.length, 'task')] : []),
    ...(status.ballots ? [`${status.ballots.cast}/${status.ballots.seats} ballots`] : []),
    ...(status.calls > 0 ? [countText(status.calls, 'model call')] : []),
    ...(status.costUsd === undefined ? [] : [costText(status.costUsd)]),
    durationText(Math.max(1000, now - status.startedAt)),
  ];
  return truncate(parts.join(' · '), width);
}

function without(ids: readonly string[], gone: string): readonly string[] {
  return ids.filter((id) => id !== gone);
}
