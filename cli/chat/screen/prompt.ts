/** The prompt, and the status on the row above it. */

import type {Config} from '../../../actors/config/schema.ts';
import {t} from '../../../machines/message.ts';
import {say, type Reader} from '../../language.ts';
import {statusText} from '../../render/live/status.ts';
import {fittingSegments, widthOfText} from '../../render/text.ts';
import type {Focused} from '../chat.ts';
import type {Waiting} from '../questions/waiting.ts';
import type {Root} from '../roots.ts';

/** `solo> `, `ens plan-only 3.1> `: the mode of new tasks, and the interaction that receives typed text. */
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

export interface ChatStatus extends Reader {
  readonly working: readonly Root[];
  readonly waiting: readonly Pick<Waiting, 'place'>[];
  /** The interaction whose status is shown in full. */
  readonly focused: {readonly root: Root} | undefined;
  readonly width: number;
  /** Epoch ms. */
  readonly now: number;
}

/** Undefined when nothing runs. */
export function chatStatus({
  working,
  waiting,
  focused,
  width,
  now,
  ...reader
}: ChatStatus): string | undefined {
  const root = focused?.root ?? working.at(-1);
  if (!root) return undefined;
  const others = working.length - 1;
  const asks = waiting.map(({place}) => place).join(', ');
  const ends = [
    asks === ''
      ? ''
      : say(waiting.length === 1 ? t`${asks} waits for you` : t`${asks} wait for you`, reader),
    others > 0 ? say(t`${others} {other running|others running}`, reader) : '',
  ];
  const head = `${root.number}`;
  const room = width - 1 - widthOfText(fittingSegments([head, ...ends], width)) - separatorColumns;
  const text = statusText(root.view, {elapsedMs: now - root.startedAt, width: room, ...reader});
  return fittingSegments([head, room < leastStatus ? '' : text, ...ends], width - 1);
}

/** With fewer columns, the run's status gives way to the list of waiting questions. */
const leastStatus = 10;
const separatorColumns = ' · '.length;
