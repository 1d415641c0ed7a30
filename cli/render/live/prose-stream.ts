/** Text as a model writes it, in rows that fit: a word is shown once it is whole. */

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
}

export function createProseStream(width: () => number): ProseStream {
  let pending = '';
  let whole = '';
  let column = 0;
  let isOpen = false;

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
  return {
    add: (text) => {
      if (!isOpen) whole = '';
      isOpen = true;
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
    told: (text) => whole !== '' && whole.trim() === text.trim(),
  };
}
