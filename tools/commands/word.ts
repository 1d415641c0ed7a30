/** A word of a command, after quotes and known variables are resolved. */

export interface Word {
  /** Its value; an unknown part appears as written (`src/$f`, `$(date)`). */
  readonly text: string;
  /** Every character of its value is known, except for the matches of a wildcard. */
  readonly known: boolean;
  /** Contains an unquoted wildcard: it stands for any number of places below its fixed beginning. */
  readonly pattern: boolean;
  /** For a word with an unknown part: it is exactly one word after expansion. */
  readonly quoted: boolean;
}

export function wordOf(text: string): Word {
  return {text, known: true, pattern: false, quoted: true};
}
