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
  const {phase, tasks, rounds, talk} = view;
  const atWork = tasks.filter(isAtWork).length;
  const open = rounds.findLast(({decided}) => decided === undefined);
  const parts = [
    phase === '' ? 'starting' : phaseName(phase),
    oneLine(talk?.model ?? models[phase] ?? '', 40),
    atWork > 0 ? countText(atWork, 'task') : '',
    open ? ballotsText(open) : '',
    ...usageParts(view),
    durationText(Math.max(1000, elapsedMs)),
  ];
  const line = truncate(parts.filter((part) => part !== '').join(' · '), width);
  return line + talkText(talk?.text ?? '', width - widthOfText(line));
}

function usageParts({usage}: RunView): string[] {
  if (!usage) return [];
  const {modelCalls, costUsd} = usage;
  return [
    modelCalls > 0 ? countText(modelCalls, 'model call') : '',
    costUsd === undefined ? '' : costText(costUsd),
  ];
}

/** The end of it, as far as there is room. */
function talkText(text: string, room: number): string {
  const start = ' · …';
  let rest = oneLine(text);
  if (rest === '' || room < leastTalk) return '';
  for (const character of rest) {
    if (widthOfText(start + rest) <= room) break;
    rest = rest.slice(character.length);
  }
  return start + rest;
}

/** `1/3 ballots, waiting for b, c` */
function ballotsText({votes, seats}: RoundView): string {
  const out = seats.filter((seat) => !votes.some(({model}) => model === seat));
  const names = out.map((seat) => oneLine(seat, 40)).join(', ');
  return `${votes.length}/${seats.length} ballots${names === '' ? '' : `, waiting for ${names}`}`;
}
