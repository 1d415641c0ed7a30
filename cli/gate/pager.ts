/** Shows a long text page by page, so that a person can read the whole proposal. */

import {t} from '../../machines/message.ts';
import {say} from '../language.ts';
import {diffRows} from '../render/diff.ts';
import type {ScreenSize, Style} from '../render/style.ts';
import {escapedLines} from '../render/text.ts';
import type {Line} from '../terminal/line-editor.ts';

export interface PagerIo {
  readonly print: (lines: readonly string[]) => void;
  readonly ask: (prompt: string) => Promise<Line>;
  readonly style: Style;
  readonly size: () => ScreenSize;
}

const finished: Line = {kind: 'line', text: ''};

/** Resolves with a line once the text was read or closed, else with the reason why asking ended. Never rejects. */
export async function page(text: string, io: PagerIo): Promise<Line> {
  const {width} = io.size();
  const rows = diffRows(escapedLines(text), io.style, width);
  return pageFrom(rows, 0, io);
}

async function pageFrom(rows: readonly string[], from: number, io: PagerIo): Promise<Line> {
  const to = Math.min(rows.length, from + io.size().height - 2);
  io.print(rows.slice(from, to));
  if (to >= rows.length) return finished;
  const answer = await io.ask(
    say(t`-- ${to} of ${rows.length} lines: Enter for more, q to stop -- `, io.style),
  );
  if (answer.kind !== 'line') return answer;
  return answer.text.trim().toLowerCase().startsWith('q') ? finished : pageFrom(rows, to, io);
}
