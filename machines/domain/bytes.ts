/** Texts measured in bytes of UTF-8, where a character has up to four. */

const encoder = new TextEncoder();

export function bytesOf(text: string): number {
  return encoder.encode(text).length;
}

/** The start of the character that contains the byte at `offset`, and the start of the next one, in UTF-16 units. */
export function characterAt(
  text: string,
  offset: number,
): {readonly from: number; readonly to: number} {
  let [bytes, units] = [0, 0];
  for (const character of text) {
    bytes += bytesOfCharacter(character);
    if (bytes > offset) return {from: units, to: units + character.length};
    units += character.length;
  }
  return {from: units, to: units};
}

function bytesOfCharacter(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return 1;
  if (code < 0x8_00) return 2;
  return code < 0x1_00_00 ? 3 : 4;
}

/** A text in one line of at most `max` bytes; an ellipsis marks a cut. */
export function lineOf(text: string, max: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim().toWellFormed();
  if (bytesOf(line) <= max) return line;
  const {from} = characterAt(line, Math.max(0, max - bytesOf('…')));
  return `${line.slice(0, from)}…`;
}
