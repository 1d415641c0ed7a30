/** Texts of tests: rows of a table, so that a row is a line and not a list of literals; lines; unsafe characters. */

/**
 * A row is a line, and its cells are divided by ` ⇒ `; an indented line belongs to the row before it. `\n` and `\u0000` in a
 * cell are characters, so the text is written with `String.raw`.
 */
export function rowsOf(text: string): string[][] {
  const rows = text.trim().replaceAll(/\n\s+/g, ' ').split('\n');
  return rows.map((row) => row.split(/ ?⇒ /).map((cell) => charactersIn(cell)));
}

/** The words of a line; those with blanks are in double quotes. */
export function wordsOf(line: string): string[] {
  return (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
}

/** Each line with its end. */
export function linesOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

/** The control and invisible characters of a text except line ends: none of them may reach a terminal. */
export function unsafeCharacters(text: string): string[] {
  return (text.match(/[\p{Cc}\p{Cf}]/gu) ?? []).filter((character) => character !== '\n');
}

function charactersIn(cell: string): string {
  return cell.replaceAll(/\\(?:n|u([0-9A-F]{4}))/g, (_, code?: string) =>
    code === undefined ? '\n' : String.fromCodePoint(Number.parseInt(code, 16)),
  );
}
