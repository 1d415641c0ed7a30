/** A question that a person answers with yes or no. */

import type {Message} from '../../machines/message.ts';
import {say} from '../language.ts';
import type {Terminal} from '../terminal.ts';
import {discardTypeAhead} from './keyboard.ts';
import type {Line} from './line-editor.ts';
import {createSurface} from './surface.ts';

export function isYes(text: string): boolean {
  return /^(?:y|yes|はい)$/i.test(text.trim());
}

/** Input and stderr must be terminals. Never rejects. */
export async function confirm(question: Message, terminal: Terminal): Promise<boolean> {
  const line = await askOnce(`${say(question, terminal)} [y/N] `, terminal);
  return line.kind === 'line' && isYes(line.text);
}

// A single question at a terminal, of a command that asks nothing else.

const ignore = (): void => {};
const ignoring = {onMessage: ignore, onInterrupt: ignore, onEnd: ignore};

/** Input and stderr must be terminals. Never rejects. */
export async function askOnce(question: string, terminal: Terminal): Promise<Line> {
  if (await discardTypeAhead(terminal.stdin)) return {kind: 'interrupt'};
  const surface = createSurface(terminal);
  await surface.openKeyboard(terminal.stdin, ignoring);
  const line = await surface.ask(question);
  surface.close();
  return line;
}
