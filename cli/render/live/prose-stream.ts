/** Text as a model writes it, in rows that fit: a word is shown once it is whole. */

import type {ProgressEvent} from '../../../machines/facts/progress.ts';
import {escapedLines, tokensOf, widthOfText, wrap} from '../text.ts';

export interface ProseStream {
  /** What is to be written now, escaped. */
  readonly add: (text: string) => string;
  /** What is left, and the end of the row; empty when nothing was begun. */
  readonly end: () => string;
  /** Whether the cursor stands within what was begun. */
  readonly isOpen: () => boolean;
  /** Whether what was begun last is exactly this text. */
  readonly told: (text: string) => boolean;
  /** Something else was printed after it. */
  readonly leave: () => void;
  /** Whether the text is all there is to see of an event: nothing was printed after it. */
  readonly covers: (event: ProgressEvent) => boolean;
}

export function createProseStream(width: () => number): ProseStream {
  let pending = '';
  let whole = '';
  let column = 0;
  let isOpen = false;
  let isLastShown = false;

  const put = (token: string): string => {
    if (token === '\n') {
      column = 0;
      return token;
    }
    const shown = escapedLines(token).join('');
    const columns = widthOfText(shown);
    const fits = column + columns <= width();
    const isBlank = shown.trim() === '';
    if (!fits && isBlank) return '';
    const start = fits || column === 0 ? '' : '\n';
    const rows = wrap(shown, width());
    const base = start === '\n' ? 0 : column;
    column = rows.length > 1 ? widthOfText(rows.at(-1) ?? '') : base + columns;
    return start + rows.join('\n');
  };
  const take = (isLast: boolean): string => {
    const tokens = tokensOf(pending);
    pending = isLast || tokens.at(-1) === '\n' ? '' : (tokens.pop() ?? '');
    return tokens.map(put).join('');
  };
  const told = (text: string): boolean => whole !== '' && whole.trim() === text.trim();
  return {
    add: (text) => {
      if (!isOpen) whole = '';
      [isOpen, isLastShown] = [true, true];
      whole += text;
      pending = (pending + text).replaceAll('\r\n', '\n');
      return take(false);
    },
    end: () => {
      if (!isOpen) return '';
      const rest = take(true);
      const lineEnd = column === 0 ? '' : '\n';
      [isOpen, column] = [false, 0];
      return rest + lineEnd;
    },
    isOpen: () => isOpen,
    told,
    leave: () => {
      isLastShown = false;
    },
    // An answer ends what there is to see: that it is checked, too, needs no line between it and its sources.
    covers: (event) =>
      event.type === 'thought' ? told(event.text) : event.type === 'phase.changed' && isLastShown,
  };
}
