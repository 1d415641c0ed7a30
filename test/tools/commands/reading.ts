/** Reads the words of a call, as tests write them, by an entry of the table, and the examples of the table. */

import type {Act, Invocation, Program, Reading} from '../../../tools/commands/program.ts';
import {readProgram} from '../../../tools/commands/read-program.ts';
import {programs} from '../../../tools/commands/table/programs.ts';
import type {Word} from '../../../tools/commands/word.ts';

/**
 * The words of a command, blanks between them: `'…'` is literal; a word with `$` is not known and, without `"…"`, may be
 * several; one with `*` is a pattern.
 */
export function wordsOf(command: string): readonly Word[] {
  return (command.match(/(?:'[^']*'|"[^"]*"|\S)+/g) ?? []).map((raw) => {
    const bare = raw.replaceAll(/'[^']*'/g, '');
    if (bare.includes('$')) {
      const quoted = bare.includes('"');
      return {text: raw.replaceAll(/["']/g, ''), known: false, pattern: false, quoted};
    }
    const text = raw.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2');
    const pattern = bare.replaceAll(/"[^"]*"/g, '').includes('*');
    return {text, known: true, pattern, quoted: true};
  });
}

export function callOf(text: string, more: Partial<Invocation> = {}): Invocation {
  const [name, ...args] = wordsOf(text);
  return {name: name?.text ?? '', args, env: {}, input: 'inherited', ...more};
}

export function readingOf(text: string, more: Partial<Invocation> = {}): Reading {
  const call = callOf(text, more);
  const program = programs.get(call.name);
  if (!program) throw new Error(`no program ${call.name}`);
  return readProgram(program, call);
}

export function readingBy(program: Omit<Program, 'name'>, text: string): Reading {
  return readProgram({name: 'p', ...program}, callOf(`p ${text}`));
}

/** The effects in words: `reads a, writes b in c`; or `? WORD` for each word that was not understood. Text is nothing. */
export function readingText(reading: Reading): string {
  if (reading.unknown.length > 0) return reading.unknown.map(({word}) => `? ${word}`).join(', ');
  return reading.acts
    .filter(({role}) => role !== 'text')
    .map(actText)
    .join(', ');
}

function actText({role, word, rest = [], env = {}, from}: Act): string {
  const set = Object.entries(env).map(([name, value]) => `${name}=${value.text}`);
  const words = [...set, word.text, ...rest.map(({text}) => text)].join(' ');
  return `${role} ${words}${from ? ` in ${from.text}` : ''}`;
}

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
