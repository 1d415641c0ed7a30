/** Markdown on the screen. */

import {Markdown, setCapabilityOverrides} from '@earendil-works/pi-tui';

import {plainStyle, type Paint, type Style} from '../render/style.ts';
import type {Highlight} from './highlight.ts';
import type {Prose} from './transcript.ts';

const plain: Paint = plainStyle.bold;

/** The rows of Markdown, which must be escaped; those of the latest text are kept. */
export function createProse(style: Style, highlight: Highlight): Prose {
  setCapabilityOverrides({hyperlinks: false});
  const look = markdownTheme(style, highlight);
  let last: {readonly text: string; readonly width: number; readonly rows: readonly string[]} = {
    text: '',
    width: 0,
    rows: [],
  };
  return (text, width) => {
    if (last.text === text && last.width === width) return last.rows;
    const rows = new Markdown(text, 0, 0, look, undefined, {renderLatex: false}).render(width);
    last = {text, width, rows: rows.map((row) => row.trimEnd())};
    return last.rows;
  };
}

/**
 * The theme of pi-tui's `Markdown`, which breaks and indents the text. The text must be escaped. LaTeX must be off
 * (`renderLatex: false`): prices in dollars are not formulas. So must the hyperlinks of the terminal: the address of a link is
 * shown, not hidden behind its text.
 */
export function markdownTheme(style: Style, highlight: Highlight) {
  const {bold, dim, cyan, yellow} = style;
  return {
    heading: bold,
    link: cyan,
    linkUrl: dim,
    code: yellow,
    codeBlock: plain,
    codeBlockBorder: dim,
    quote: plain,
    quoteBorder: dim,
    hr: dim,
    listBullet: dim,
    bold,
    italic: plain,
    strikethrough: dim,
    underline: plain,
    highlightCode: (code: string, language?: string) => highlight(code, language, style),
  };
}
