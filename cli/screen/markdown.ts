/** The look of Markdown on the screen. */

import {plainStyle, type Paint, type Style} from '../render/style.ts';
import type {Highlight} from './highlight.ts';

const plain: Paint = plainStyle.bold;

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
