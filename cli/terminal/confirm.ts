/** A question that a person answers with yes or no. */

import type {Message} from '../../machines/message.ts';
import {say} from '../language.ts';
import type {Terminal} from '../terminal.ts';
import {askOnce} from './ask-once.ts';

export function isYes(text: string): boolean {
  return /^(?:y|yes|はい)$/i.test(text.trim());
}

/** Input and stderr must be terminals. Never rejects. */
export async function confirm(question: Message, terminal: Terminal): Promise<boolean> {
  const line = await askOnce(`${say(question, terminal)} [y/N] `, terminal);
  return line.kind === 'line' && isYes(line.text);
}
