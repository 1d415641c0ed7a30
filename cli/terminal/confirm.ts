/** A question that a person answers with yes or no. */

import type {Message} from '../../machines/message.ts';
import {say} from '../language.ts';
import type {Terminal} from '../terminal.ts';
import {askOnce} from './ask-once.ts';

/** True for `y`, `yes` or `はい`. Input and stderr must be terminals. Never rejects. */
export async function confirm(question: Message, terminal: Terminal): Promise<boolean> {
  const line = await askOnce(`${say(question, terminal)} [y/N] `, terminal);
  return line.kind === 'line' && /^(?:y|yes|はい)$/i.test(line.text.trim());
}
