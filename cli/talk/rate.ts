/** `/rate up|down [WORDS]`: rates the latest result of a conversation. */

import {t} from '../../machines/message.ts';
import {usageError} from '../line/usage-error.ts';
import type {ChatCommands} from './command.ts';
import {conversationRoots, note, type Chat} from './talk.ts';

/** Rejects with AppError `usage` before the first result, or as `Runtime.rate` does. */
export async function rate({rating, words}: ChatCommands['rate'], chat: Chat): Promise<void> {
  const {runtime, ui} = chat;
  const root = conversationRoots(chat).findLast(({isOpen}) => !isOpen);
  if (!root) {
    throw usageError(t`there is no result to rate yet`);
  }
  await runtime.rate(root.id, {rating, words});
  const named = `${root.number} ${root.form}`;
  note(ui, t`${named} is rated ${rating}`);
}
