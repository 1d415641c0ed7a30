/** A single question at a terminal, of a command that asks nothing else. */

import type {Terminal} from '../terminal.ts';
import {discardTypeAhead} from './keyboard.ts';
import type {Line} from './line-editor.ts';
import {createSurface} from './surface.ts';

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
