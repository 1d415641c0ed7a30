/** Plain text: prose for rules, one line, several lines, a pattern that matches it. */

/** Rules examine only this many characters of a text: the relevant phrases are at the start. */
const maxProse = 10_000;

/** Prose with single blanks and without empty lines, so that no pattern takes long to match. */
export function plain(text: string): string {
  return text
    .slice(0, maxProse)
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n[ \n]*/g, '\n');
}

export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Joins the parts that are not empty as lines. */
export function lines(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n');
}

/** A pattern that matches exactly the text: `RegExp.escape`, which Node 22 does not have. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
