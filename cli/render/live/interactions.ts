/** The begin and end of interactions below the root, in progress. */

import type {InteractionEnd} from '../../../machines/domain/result.ts';
import type {ProgressEvent} from '../../../machines/facts/progress.ts';
import {t} from '../../../machines/message.ts';
import {say, type Reader, wordIn} from '../../language.ts';
import type {Screen} from '../style.ts';
import {oneLine, proseRows, widthOfText} from '../text.ts';
import {isRunning} from '../view/interactions.ts';
import {byPlace, placeInRun} from '../view/place.ts';
import type {RunView} from '../view/run-view.ts';

const origins = {person: t`by a person`, model: t`by the model`, rule: t`by a rule`};
const contexts = {full: t`full context`, projected: t`context summary`, fresh: t`no context`};

type Of<T extends ProgressEvent['type']> = Extract<ProgressEvent, {readonly type: T}>;

type Spawned = Of<'interaction.spawned'>;

/** Rows of an answer that are shown without -v. */
const fewRows = 12;
const maxWhole = 2000;
/** With fewer columns for a request, nothing is beside it. */
const leastRequest = 20;

/** `What does it do? (by the model, context summary)`; on a narrow screen the request alone. */
export function spawnedLines(
  {request, by, contextMode}: Pick<Spawned, 'request' | 'by' | 'contextMode'>,
  {style, width, level}: Screen,
): readonly string[] {
  const origin = ` (${originText({by, contextMode}, style)})`;
  if (level === 'verbose') return [oneLine(request, maxWhole) + style.dim(origin)];
  const room = width - widthOfText(origin);
  if (room < leastRequest) return [oneLine(request, width)];
  return [oneLine(request, room) + style.dim(origin)];
}

/** `by the model, context summary`: who began it, and its context mode. */
export function originText(
  {by, contextMode}: Pick<Spawned, 'by' | 'contextMode'>,
  reader: Reader,
): string {
  return `${say(origins[by], reader)}, ${say(contexts[contextMode], reader)}`;
}

export function refusedLines(
  {form, error}: Of<'interaction.refused'>,
  {style, width}: Screen,
): readonly string[] {
  return [
    style.yellow(`  ${oneLine(say(t`no ${form} was begun: ${error.message}`, style), width - 2)}`),
  ];
}

/** The outcome of the root is in the result. */
export function endLines(
  {child, status, summary, text = ''}: Of<'interaction.settled'>,
  {style, width, level}: Screen,
): readonly string[] {
  if (child === undefined) return [];
  const isGood = status === 'completed';
  const [first = '', ...rest] = proseRows(
    `${wordIn(status, style)}: ${saidBy({status, summary, text})}`,
    width - 2,
  );
  const shown = level === 'verbose' ? rest : rest.slice(0, fewRows - 1);
  const left = rest.length - shown.length;
  return [
    `${(isGood ? style.green : style.red)(isGood ? '✓' : '✗')} ${first}`,
    ...shown.map((row) => `  ${row}`.trimEnd()),
    ...(left > 0
      ? [
          style.dim(
            `  ${say(t`[${left} {more line|more lines}; quorate show has them all]`, style)}`,
          ),
        ]
      : []),
  ];
}

/** The outcome: its answer, without the prefix for the parent, or why there is none. */
export function saidBy({
  status,
  summary,
  text,
}: {
  readonly status: string;
  readonly summary: string;
  readonly text: string;
}): string {
  const answer = status === 'completed' ? text.replace(/^\[[^\]]*\]: /, '') : '';
  return answer === '' ? summary : answer;
}

/** The outcomes of the interactions below the root, one line each: `1.2 discuss completed: Keep it.` */
export function belowLines(
  interactions: readonly InteractionEnd[],
  {style, width}: Pick<Screen, 'style' | 'width'>,
): string[] {
  const inOrder = interactions.toSorted((one, other) => byPlace(one.id, other.id));
  return inOrder.map(({id, form, depth, status, summary, text = ''}) => {
    const name = `${'  '.repeat(depth - 1)}${placeInRun(id)} ${form}`;
    const state = status === 'active' ? say(t`running`, style) : wordIn(status, style);
    const paint = status === 'completed' ? style.green : style.red;
    const [said = ''] = saidBy({status, summary, text}).split('\n');
    const words = said === '' ? '' : `: ${said}`;
    const room = Math.max(20, width - widthOfText(`${name} ${state}`));
    return `${name} ${status === 'active' ? state : paint(state)}${oneLine(words, room)}`;
  });
}

/** The interactions that began before this process and have not ended. */
export function continuedLines(
  {interactions}: RunView,
  {style, width}: Pick<Screen, 'style' | 'width'>,
): string[] {
  const below = interactions.filter((one) => one.depth > 0 && isRunning(one));
  return below.map(({id, form = '', request}) => {
    const label = `[${`${placeInRun(id)} ${form}`.trim()}] `;
    return (
      style.dim(label) +
      oneLine(say(t`continues: ${request}`, style), Math.max(20, width - widthOfText(label)))
    );
  });
}

/** `[1.2] ` for an event below the root, else empty. */
export function placeText({interaction = ''}: {readonly interaction?: string}): string {
  const place = placeInRun(interaction);
  return place === '' ? '' : `[${oneLine(place, 40)}] `;
}
