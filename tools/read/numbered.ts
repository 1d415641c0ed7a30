/** Line numbers of texts that models read. */

/** `12`, a tab, and the line, as `cat -n` prints it. Each line may have its end. */
export function numberedLines(lines: readonly string[], first: number): string[] {
  return lines.map((line, index) => `${first + index}\t${line}`);
}

const numbered = /^ *\d+\t/;

/** True if every line of a text begins with a line number. */
export function isNumbered(text: string): boolean {
  const lines = text.replace(/\n$/, '').split('\n');
  return lines.every((line) => numbered.test(line));
}

/** The text without the line numbers that its lines begin with. */
export function withoutNumbers(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(numbered, ''))
    .join('\n');
}
