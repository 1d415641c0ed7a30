/** Breaks text to fit a screen. */

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

function foldLine(line: string, width: number): string[] {
  if (line.length <= width) return [line];
  const own = /^ */.exec(line)?.[0].length ?? 0;
  const right = columns.exec(line)?.[0].length ?? own;
  const indent = right * 2 <= width ? right : own + 4;
  const blank = line.lastIndexOf(' ', width);
  if (blank <= indent) return [line];
  return [line.slice(0, blank), ...foldLine(' '.repeat(indent) + line.slice(blank + 1), width)];
}

/** A title with its text below, indented. */
export function entry(title: string, text: string): string {
  return `  ${title}\n${fold(`      ${text}`)}`;
}
