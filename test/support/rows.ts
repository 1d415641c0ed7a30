/**
 * Tables of tests as text: a line's end or `¦` separates rows, `⇒` separates columns, and blanks around them are dropped. `⏎` is a
 * line end within a row.
 */

/** Rows of one column. */
export function cells(text: string): string[] {
  return text
    .split(/[\n¦]/)
    .map((row) => row.trim().replaceAll('⏎', '\n'))
    .filter((row) => row !== '');
}

/** Rows of two columns. */
export function pairs(text: string): [string, string][] {
  return cells(text).map((row) => {
    const [first = '', second] = columnsOf(row, 2);
    return [first, second ?? ''];
  });
}

/** Rows of three columns. */
export function triples(text: string): [string, string, string][] {
  return cells(text).map((row) => {
    const [first = '', second = '', third = ''] = columnsOf(row, 3);
    return [first, second, third];
  });
}

/** Rows of a text and a number. */
export function numbered(text: string): [string, number][] {
  return pairs(text).map(([row, number]) => [row, Number(number)]);
}

/** Throws for a row with another number of columns. */
function columnsOf(row: string, count: number): readonly string[] {
  const columns = row.split('⇒').map((column) => column.trim());
  if (columns.length !== count) throw new Error(`expected ${count} columns: ${row}`);
  return columns;
}
