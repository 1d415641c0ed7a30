/** The examples in a text file of programs. */

export interface Example {
  readonly line: number;
  readonly command: string;
  /** `reads a, writes b`, `nothing`, or `? WORD`. */
  readonly effects: string;
}

/** Throws for an example without effects. */
export function examplesIn(text: string): readonly Example[] {
  return text.split('\n').flatMap((written, index) => {
    if (!/^\s+example\b/.test(written)) return [];
    const [, command, effects] = /^\s+example (.+?)\s+->\s+(\S.*)$/.exec(written) ?? [];
    if (command === undefined || effects === undefined)
      throw new Error(`line ${index + 1}: expected "example COMMAND  ->  EFFECTS"`);
    return [{line: index + 1, command, effects}];
  });
}
