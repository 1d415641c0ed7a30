/** Prose as rules read it. */

/** Characters of prose that rules look at: what matters to them stands at the start. */
const maxProse = 10_000;

/** Prose with single blanks and without empty lines, so that no phrase takes long to look for. */
export function plain(text: string): string {
  return text
    .slice(0, maxProse)
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n[ \n]*/g, '\n');
}
