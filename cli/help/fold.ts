/** Text for a screen of usual width. */

const width = 120;

/** Breaks long lines at blanks; what goes on below keeps the indentation. */
export function fold(text: string): string {
  return text.split('\n').map(foldLine).join('\n');
}

function foldLine(line: string): string {
  if (line.length <= width) return line;
  const indent = ' '.repeat(/^ */.exec(line)?.[0].length ?? 0);
  const blank = line.lastIndexOf(' ', width);
  if (blank <= indent.length) return line;
  return `${line.slice(0, blank)}\n${foldLine(indent + line.slice(blank + 1))}`;
}

/** A title with its text below, indented. */
export function entry(title: string, text: string): string {
  return `  ${title}\n${fold(`      ${text}`)}`;
}
