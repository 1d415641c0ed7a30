/** Breaks text to fit a screen. */

import {tokensOf, widthOfText} from '../render/text.ts';
const usualWidth = 120;

/** Breaks long lines at blanks; continuation rows are indented to the last column, or as their line. */
export function fold(text: string, width = usualWidth): string {
  return text
    .split('\n')
    .flatMap((line) => foldLine(line, width))
    .join('\n');
}

/** Two columns: the right one continues below itself if it has half of the screen. */
const columns = /^ {2,}\S.*? {3,}(?=\S)/;

const narrowIndent = ' '.repeat(8);

function foldLine(line: string, width: number): string[] {
  if (widthOfText(line) <= width) return [line];
  const own = /^ */.exec(line)?.[0].length ?? 0;
  // On a narrow terminal a column that begins in its right half would leave no room for words.
  if (own * 2 > width) return foldLine(narrowIndent + line.trimStart(), width);
  const right = widthOfText(columns.exec(line)?.[0] ?? ' '.repeat(own));
  const indent = right * 2 <= width ? right : own + 4;
  const head = beginningOf(line, width);
  if (widthOfText(head) <= indent) return [line];
  const rest = line.slice(head.length).trimStart();
  return [head.trimEnd(), ...foldLine(' '.repeat(indent) + rest, width)];
}

/** As many words as fit, or wide characters: lines break between these, too. */
function beginningOf(line: string, width: number): string {
  let [head, used] = ['', 0];
  for (const word of tokensOf(line)) {
    used += widthOfText(word);
    if (used > width && word.trim() !== '') return head;
    head += word;
  }
  return head;
}
