/** The status line: how a run stands, in one line. */

import {isAtWork, type RoundView, type RunView} from '../view/run-view.ts';
import {phaseName} from './events.ts';
import {costText, countText, durationText} from './numbers.ts';
import {truncate} from './text.ts';

export function statusText(view: RunView, elapsedMs: number, width: number): string {
  const {phase, tasks, rounds, usage} = view;
  const atWork = tasks.filter(isAtWork).length;
  const open = rounds.findLast(({decided}) => decided === undefined);
  const parts = [
    phase === '' ? 'starting' : phaseName(phase),
    ...(atWork > 0 ? [countText(atWork, 'task')] : []),
    ...(open ? [ballotsText(open)] : []),
    ...(usage && usage.modelCalls > 0 ? [countText(usage.modelCalls, 'model call')] : []),
    ...(usage?.costUsd === undefined ? [] : [costText(usage.costUsd)]),
    durationText(Math.max(1000, elapsedMs)),
  ];
  return truncate(parts.join(' · '), width);
}

function ballotsText({votes, seats}: RoundView): string {
  return `${votes.length}/${seats.length} ballots`;
}
