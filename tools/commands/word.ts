/** A word of a command, after quotes and what is known of variables are resolved. */

export interface Word {
  /** Its value; where a part is not known, as that part was written (`src/$f`, `$(date)`). */
  readonly text: string;
  /** Every character of its value is known, but for what a wildcard stands for. */
  readonly known: boolean;
  /** Holds an unquoted wildcard: it stands for any number of places below its fixed beginning. */
  readonly pattern: boolean;
  /** Of a word with an unknown part: it can't fall apart into several, or into none. */
  readonly quoted: boolean;
  /** Not known, but digits (a minus may precede them): neither an operator nor code. */
  readonly isNumber?: true;
}

export function wordOf(text: string): Word {
  return {text, known: true, pattern: false, quoted: true};
}
