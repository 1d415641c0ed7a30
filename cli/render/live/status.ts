/** The status line: the state of a run in one line. */

import {costText, countText, durationText} from '../numbers.ts';
import {phaseText} from '../tables/tree.ts';
import {fittingSegments, oneLine, widthOfText} from '../text.ts';
import {isRunning, rootOf} from '../view/interactions.ts';
import {placeInRun} from '../view/place.ts';
import {openRounds} from '../view/rounds.ts';
import type {InteractionView, RoundView, RunView} from '../view/run-view.ts';
import {isAtWork} from '../view/tasks.ts';
import {filledText} from './interview.ts';

/** The models of a run, by the phases in which they work alone. */
export type PhaseModels = Readonly<Record<string, string>>;

export interface StatusView {
  readonly elapsedMs: number;
  readonly width: number;
  readonly models?: PhaseModels;
}

/** With fewer columns, the text that a model is writing is left out. */
const leastTalk = 16;

/** The progress of an interview; empty for other forms. */
function filledIn({filled}: InteractionView): string {
  return filled ? filledText(filled) : '';
}

export function statusText(view: RunView, {elapsedMs, width, models = {}}: StatusView): string {
  const root = rootOf(view);
  const below = view.interactions.filter((one) => one !== root && isRunning(one));
  const {talk} = [root, ...below].find((one) => one.talk) ?? root;
  const open = openRounds(view).at(-1);
  const parts = [
    phaseText(root),
    oneLine(talk?.model ?? models[root.phase] ?? '', 40),
    tasksText(view),
    filledIn(root),
    belowText(below),
    ...(open ? [`${open.votes.length}/${open.seats.length} ballots`] : []),
    ...usageParts(view),
    durationText(Math.max(1000, elapsedMs)),
    ...(open ? [outText(open)] : []),
  ];
  const line = fittingSegments(parts, width);
  return line + talkText(talk?.text ?? '', width - widthOfText(line));
}

function tasksText({tasks}: RunView): string {
  const atWork = tasks.filter(isAtWork).length;
  return atWork > 0 ? countText(atWork, 'task') : '';
}

/** `[1.2 ask] working`, or the number of running children. */
function belowText(below: readonly InteractionView[]): string {
  const [one, another] = below;
  if (!one) return '';
  if (another) return `${below.length} interactions below`;
  const name = [placeInRun(one.id), one.form].join(' ').trim();
  const filled = one.filled ? `, ${filledText(one.filled)}` : '';
  return `[${name}] ${phaseText(one)}${filled}`;
}

function usageParts({usage}: RunView): string[] {
  if (!usage) return [];
  const {modelCalls, costUsd} = usage;
  return [
    modelCalls > 0 ? countText(modelCalls, 'model call') : '',
    costUsd === undefined ? '' : costText(costUsd),
  ];
}

/** The end of the text, as much as fits. */
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

/** `waiting for b, c` */
function outText({votes, seats}: RoundView): string {
  const out = seats.filter((seat) => !votes.some(({model}) => model === seat));
  return out.length === 0 ? '' : `waiting for ${out.map((seat) => oneLine(seat, 40)).join(', ')}`;
}
