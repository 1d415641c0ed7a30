/**
 * Reads the options of a program: every option must be listed, exactly; any other may write, run code or name places.
 *
 * GNU programs also accept the beginning of a long option, and options behind operands: the first is not listed, the second is read.
 */

import {type Word, wordOf} from './understanding.ts';

/** The options of a program that only read. */
export interface Options {
  /** Short options without a value; they may be joined. */
  readonly flags: string;
  /** Short options with a value: the rest of the word, or the next word. */
  readonly valued: string;
  /** Long options: `name`, `name=` with a value, `name?` with a value that only `=` gives, `name=value`. */
  readonly long: ReadonlySet<string>;
}

export interface GivenOptions {
  /** The first word that is not a listed option. */
  readonly barred: Word | undefined;
  readonly operands: readonly Word[];
  readonly given: readonly GivenOption[];
}

interface GivenOption {
  readonly name: string;
  /** Empty for an option without one. */
  readonly value: Word;
}

/** `program …: FLAGS VALUED long …`: `-` is none, `#` is any digit. */
export function optionTable(table: string): ReadonlyMap<string, Options> {
  const lines = table.trim().split('\n');
  return new Map(
    lines.flatMap((line): [string, Options][] => {
      const [names = '', rest = ''] = line.split(/:(?= |$)/).map((part) => part.trim());
      const [flags = '', valued = '', ...long] = rest.split(' ');
      const options = {flags: lettersOf(flags), valued: lettersOf(valued), long: new Set(long)};
      return names.split(' ').map((name) => [name === 'colon' ? ':' : name, options]);
    }),
  );
}

function lettersOf(text: string): string {
  return text.replace('-', '').replace('#', '0123456789');
}

export function readOptions(words: readonly Word[], options: Options): GivenOptions {
  const operands: Word[] = [];
  const given: GivenOption[] = [];
  let barred: Word | undefined;
  let at = 0;
  for (let word = words[at]; word && word.text !== '--'; word = words[at]) {
    const found = optionsIn(word, options);
    if (!found) operands.push(word);
    else if (found.length === 0) barred ??= word;
    for (const one of found ?? []) given.push(withValue(one, words[at + 1]));
    at += found?.some(takesNext) ? 2 : 1;
  }
  return {barred, operands: [...operands, ...words.slice(at + 1)], given};
}

function takesNext({value}: Found): boolean {
  return value === undefined;
}

function withValue({name, value}: Found, next = wordOf('')): GivenOption {
  return {name, value: value === undefined ? next : wordOf(value)};
}

interface Found {
  readonly name: string;
  /** Undefined: the next word is the value. */
  readonly value: string | undefined;
}

/** The options in one word; none: one of them is not listed. Undefined: the word is not an option. */
function optionsIn({text, known}: Word, options: Options): readonly Found[] | undefined {
  if (!/^-./.test(text)) return undefined;
  if (!known) return [];
  return text.startsWith('--') ? longOption(text.slice(2), options) : shortOptions(text, options);
}

function longOption(text: string, {long}: Options): readonly Found[] {
  const [, name = '', value] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
  if (value === undefined && (long.has(name) || long.has(`${name}?`))) return [{name, value: ''}];
  const forms = value === undefined ? [] : [`${name}?`, `${name}=${value}`];
  return [`${name}=`, ...forms].some((form) => long.has(form)) ? [{name, value}] : [];
}

function shortOptions(text: string, {flags, valued}: Options): readonly Found[] {
  const found: Found[] = [];
  for (let at = 1; at < text.length; at += 1) {
    const name = text.charAt(at);
    if (valued.includes(name)) return [...found, {name, value: text.slice(at + 1) || undefined}];
    if (!flags.includes(name)) return [];
    found.push({name, value: ''});
  }
  return found;
}
