/** Lays out text: blanks collapsed, blocks on lines of their own, marks at the start of items. */

const blanks = /[ \t\n\r\f\u00a0]+/g;

export interface TextFlow {
  /** Running text, or text whose blanks are significant. */
  readonly write: (text: string, isPreformatted: boolean) => void;
  /** Before items and cells, may be empty: the following text is on the same line, even if elements open in between. */
  readonly mark: (text: string) => void;
  /** A block begins: at least this many line ends after the preceding text. */
  readonly open: (lineEnds: number) => void;
  readonly close: (lineEnds: number) => void;
  /** A cell ends: the following text is on the same line. */
  readonly join: () => void;
  /** Adds one line end, up to two in a row. */
  readonly breakLine: () => void;
  readonly length: () => number;
  readonly since: (from: number) => string;
}

export function createTextFlow(): TextFlow {
  let out = '';
  let lineEnds = 0;
  let hasBlank = false;
  let isMarked = false;

  const append = (text: string): void => {
    if (out !== '' && lineEnds > 0) out += '\n'.repeat(lineEnds);
    else if (out !== '' && hasBlank && !isMarked) out += ' ';
    out += text;
    lineEnds = 0;
    hasBlank = false;
    isMarked = false;
  };
  const separate = (count: number): void => {
    lineEnds = Math.max(lineEnds, count);
  };
  const writeRunning = (text: string): void => {
    const plain = text.replaceAll(blanks, ' ');
    hasBlank ||= plain.startsWith(' ');
    const words = plain.trim();
    if (words === '') return;
    append(words);
    hasBlank = plain.endsWith(' ');
  };

  return {
    write: (text, isPreformatted) => (isPreformatted ? append(text) : writeRunning(text)),
    mark: (text) => {
      hasBlank = true;
      if (text !== '') append(`${text} `);
      isMarked = true;
    },
    open: (count) => {
      if (!isMarked) separate(count);
    },
    close: (count) => {
      isMarked &&= count === 0;
      separate(count);
    },
    join: () => {
      lineEnds = 0;
    },
    breakLine: () => {
      lineEnds = Math.min(lineEnds + 1, 2);
    },
    length: () => out.length,
    since: (from) => out.slice(from),
  };
}
