/** Reduces the text files to the lines that the table needs; the build keeps only these. */

/** Without comments, examples and aligning blanks. The meaning of each text stays the same. */
export function compactTexts(
  texts: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(texts).map(([file, text]) => [file, compact(text)]));
}

function compact(text: string): string {
  const lines = text.split('\n').filter((line) => !/^\s*(?:#|example\b|$)/.test(line));
  return lines.map((line) => line.replace(/(?<=\S) +/g, ' ')).join('\n');
}
