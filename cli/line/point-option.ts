/** Options that name a point of a run. */

import {type Message, t} from '../../machines/message.ts';
import type {Option} from './option.ts';

const forms = t`an entry (12), plan.2, vote.3, gate.1, task:write, or a time (2026-11-28T09:30)`;

/** An option that takes a point. */
export function pointOption(name: string, text: Message): Option {
  return {name, takes: 'POINT', text: t`${text}:\n${forms}`};
}
