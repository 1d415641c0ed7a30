/** What stands before what a person types, and on the row above it. */

import type {Config} from '../../../actors/config/schema.ts';
import {statusText} from '../../render/live/status.ts';
import {countText} from '../../render/numbers.ts';
import {fittingSegments, widthOfText} from '../../render/text.ts';
import type {Focused} from '../chat.ts';
import type {Waiting} from '../questions/waiting.ts';
import type {Root} from '../roots.ts';

/** `solo> `, `ens plan-only 3.1> `: how a task would be worked on, and who hears what is typed. */
export function promptText(
  {consensus_level: level, phase_scope: scope, strategy}: Config['agent'],
  focused: Pick<Focused, 'place'> | undefined,
): string {
  const words = [
    level === 'ensemble' ? 'ens' : 'solo',
    ...(scope === 'full' ? [] : [scope]),
    ...(strategy === 'debate' ? [strategy] : []),
    ...(focused ? [focused.place] : []),
  ];
  return `${words.join(' ')}> `;
}

export interface ChatStatus {
  readonly working: readonly Root[];
  readonly waiting: readonly Pick<Waiting, 'place'>[];
  /** The one that is told of in full. */
  readonly focused: {readonly root: Root} | undefined;
  readonly width: number;
  /** Epoch ms. */
  readonly now: number;
}

/** Undefined when nothing works. */
export function chatStatus({
  working,
  waiting,
  focused,
  width,
  now,
}: ChatStatus): string | undefined {
  const root = focused?.root ?? working.at(-1);
  if (!root) return undefined;
  const others = working.length - 1;
  const asks = waiting.map(({place}) => place).join(', ');
  const ends = [
    asks === '' ? '' : `${asks} ${waiting.length === 1 ? 'waits' : 'wait'} for you`,
    others > 0 ? countText(others, 'other works', 'others work') : '',
  ];
  const head = `${root.number}`;
  const room = width - 1 - widthOfText(fittingSegments([head, ...ends], width)) - separatorColumns;
  const text = statusText(root.view, {elapsedMs: now - root.startedAt, width: room});
  return fittingSegments([head, room < leastStatus ? '' : text, ...ends], width - 1);
}

/** Columns below which the status of the run gives way to what waits for a person. */
const leastStatus = 10;
const separatorColumns = ' · '.length;
