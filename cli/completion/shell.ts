/** The parts that the scripts of all shells share. */

import type {OptionWord, Vocabulary} from './vocabulary.ts';

/** Prints the IDs of this folder's runs, one a line. */
export const listRuns = `quorate sessions --output jsonl 2>/dev/null | sed -n 's/.*"id":"\\([^"]*\\)".*/\\1/p'`;

/** In single quotes, for POSIX shells and zsh. */
export function shellString(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Every option with a value, once. */
export function optionsWithValue({commands, options}: Vocabulary): readonly OptionWord[] {
  const all = [...options, ...commands.flatMap((command) => command.options)];
  return [
    ...new Map(all.flatMap((option) => (option.value ? [[option.word, option]] : []))).values(),
  ];
}

/** `-C|--cwd`: a pattern of \`case\`. */
export function pattern({word, short}: OptionWord): string {
  return short === undefined ? word : `-${short}|${word}`;
}
