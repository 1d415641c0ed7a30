/** The status line: how a run stands, in one line. */

import {isAtWork, type RoundView, type RunView} from '../view/run-view.ts';
import {phaseName} from './events.ts';
import {costText, countText, durationText} from './numbers.ts';
import {oneLine, truncate, widthOfText} from './text.ts';

/** The models that a run was opened with, by the phases in which they work alone. */
export type PhaseModels = Readonly<Record<string, string>>;

export interface StatusView {
  readonly elapsedMs: number;
  readonly width: number;
  readonly models?: PhaseModels;
}

/** Narrower than this, what a model is writing tells nothing. */
const leastTalk = 16;

export function statusText(view: RunView, {elapsedMs, width, models = {}}: StatusView): string {
  const {phase, tasks, rounds, usage, talk} = view;
  const atWork = tasks.filter(isAtWork).length;
  const open = rounds.findLast(({decided}) => decided === undefined);
  const model = talk?.model ?? models[phase];
  const parts = [
    phase === '' ? 'starting' : phaseName(phase),
    ...(model === undefined ? [] : [oneLine(model, 40)]),
    ...(atWork > 0 ? [countText(atWork, 'task')] : []),
    ...(open ? [ballotsText(open)] : []),
    ...(usage && usage.modelCalls > 0 ? [countText(usage.modelCalls, 'model call')] : []),
    ...(usage?.costUsd === undefined ? [] : [costText(usage.costUsd)]),
    durationText(Math.max(1000, elapsedMs)),
  ];
  const line = truncate(parts.join(' · '), width);
  return line + talkText(talk?.text ?? '', width - widthOfText(line));
}

/** The end of it, as far as there is room. */
function talkText(text: string, room: number): string {
  const flat = oneLine(text);
  const start = ' · …';
  if (flat === '' || room < leastTalk) return '';
  const characters = [...flat];
  let used = widthOfText(start);
  let from = characters.length;
  while (from > 0 && used + widthOfText(characters[from - 1] ?? '') <= room) {
    from -= 1;
    used += widthOfText(characters[from] ?? '');
  }
  return start + characters.slice(from).join('');
}

/** `1/3 ballots, waiting for b, c` */
function ballotsText({votes, seats}: RoundView): string {
  const out = seats.filter((seat) => !votes.some(({model}) => model === seat));
  const names = out.map((seat) => oneLine(seat, 40)).join(', ');
  return `${votes.length}/${seats.length} ballots${names === '' ? '' : `, waiting for ${names}`}`;
}
