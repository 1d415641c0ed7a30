/** The status line: the state of a run in one line. */

import {t} from '../../../machines/message.ts';
import {say, type Reader, type Language} from '../../language.ts';
import {durationText, spentText} from '../numbers.ts';
import {phaseText} from '../tables/tree.ts';
import {fittingSegments, oneLine, widthOfText} from '../text.ts';
import {runningCommands} from '../view/calls.ts';
import {isRunning, isWithin, rootOf} from '../view/interactions.ts';
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
  /** The language of the reader. Absent: English. */
  readonly language?: Language | undefined;
}

/** The interval at which the spinner is drawn. It is longer than a turn, so that each time it looks different. */
export const spinnerMs = 120;
const turnMs = 100;
const spinner = Array.from('⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏');

/** A mark that turns while something runs, and a blank; empty while all that runs waits for a person. `now`: ms. */
export function spinnerText(views: readonly RunView[], now = Date.now()): string {
  if (!views.some(isBusy)) return '';
  return `${spinner[Math.floor(now / turnMs) % spinner.length]} `;
}

function isBusy({interactions, gates, asks}: RunView): boolean {
  const waiting = [...gates, ...asks];
  return interactions.some(
    (one) => isRunning(one) && !waiting.some(({interaction}) => isWithin(interaction, one.id)),
  );
}

/** With fewer columns, the text that a model is writing is left out. */
const leastTalk = 16;

/** The progress of an interview; empty for other forms. */
function filledIn({filled}: InteractionView, reader: Reader): string {
  return filled ? filledText(filled, reader) : '';
}

export function statusText(view: RunView, options: StatusView): string {
  const {elapsedMs, width, models = {}} = options;
  const root = rootOf(view);
  const below = view.interactions.filter((one) => one !== root && isRunning(one));
  const {talk} = [root, ...below].find((one) => one.talk) ?? root;
  const open = openRounds(view).at(-1);
  const parts = [
    phaseText(root, options),
    oneLine(talk?.model ?? models[root.phase] ?? '', 40),
    tasksText(view, options),
    filledIn(root, options),
    belowText(below, options),
    ...runningCommands(view).map(({summary}) => oneLine(summary, 40)),
    ...(open ? [say(t`${open.votes.length}/${open.seats.length} ballots`, options)] : []),
    ...usageParts(view, options),
    durationText(Math.max(1000, elapsedMs)),
    ...(open ? [outText(open, options)] : []),
  ];
  const line = fittingSegments(parts, width);
  return line + talkText(talk?.text ?? '', width - widthOfText(line));
}

function tasksText({tasks}: RunView, reader: Reader): string {
  const atWork = tasks.filter(isAtWork).length;
  return atWork > 0 ? say(t`${atWork} {task|tasks}`, reader) : '';
}

/** `[1.2 ask] working`, or the number of running children. */
function belowText(below: readonly InteractionView[], reader: Reader): string {
  const [one, another] = below;
  if (!one) return '';
  if (another) return say(t`${below.length} interactions below`, reader);
  const name = [placeInRun(one.id), one.form].join(' ').trim();
  const filled = one.filled ? `, ${filledText(one.filled, reader)}` : '';
  return `[${name}] ${phaseText(one, reader)}${filled}`;
}

function usageParts({usage}: RunView, reader: Reader): string[] {
  if (!usage) return [];
  const {modelCalls} = usage;
  return [
    modelCalls > 0 ? say(t`${modelCalls} {model call|model calls}`, reader) : '',
    spentText(usage),
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

/** `waiting for b, c`; empty when all have voted. */
export function outText(
  {votes, seats}: Pick<RoundView, 'votes' | 'seats'>,
  reader: Reader,
): string {
  const out = seats.filter((seat) => !votes.some(({model}) => model === seat));
  return out.length === 0
    ? ''
    : say(t`waiting for ${out.map((seat) => oneLine(seat, 40)).join(', ')}`, reader);
}
