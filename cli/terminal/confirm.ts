/** A question that a person answers with yes or no. */

import type {Terminal} from '../terminal.ts';
import {askOnce} from './ask-once.ts';

/** True for `y`, `yes` or `はい`. Input and stderr must be terminals. Never rejects. */
export async function confirm(question: string, terminal: Terminal): Promise<boolean> {
  const line = await askOnce(`${question} [y/N] `, terminal);
  return line.kind === 'line' && /^(?:y|yes|はい)$/i.test(line.text.trim());
}
