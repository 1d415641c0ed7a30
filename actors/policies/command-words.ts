/** Checks of the words of a command that several rules share. */

import type {SimpleCommand} from '../../tools/commands/understanding.ts';
import type {Word} from '../../tools/commands/word.ts';

/** Options of a command: the words before `--` that start with a dash. */
export function options({args}: Pick<SimpleCommand, 'args'>): readonly string[] {
  const texts = args.map(({text}) => text);
  const end = texts.indexOf('--');
  return texts.slice(0, end < 0 ? undefined : end).filter((text) => /^-./.test(text));
}

/** True for a short option by its letter, alone or in a cluster (`-rf`), and a long option by its name or a prefix of it. */
export function hasOption(
  command: Pick<SimpleCommand, 'args'>,
  letters: string,
  ...long: string[]
): boolean {
  return options(command).some((option) =>
    option.startsWith('--')
      ? isBeginning(option.replace(/=.*/s, ''), long)
      : letters.split('').some((letter) => option.slice(1).includes(letter)),
  );
}

/** GNU programs accept any prefix of a long option. */
function isBeginning(option: string, long: readonly string[]): boolean {
  return option.length > 3 && long.some((name) => name.startsWith(option));
}

/** The command and its arguments with single spaces. */
export function line({name, args}: Pick<SimpleCommand, 'name' | 'args'>): string {
  return [name, ...args.map(({text}) => text)].join(' ');
}

/** The words of a `git` command, starting with its subcommand. Empty for other commands. */
export function gitWords({name, args}: Pick<SimpleCommand, 'name' | 'args'>): readonly string[] {
  if (name !== 'git') return [];
  const texts = args.map(({text}) => text);
  let at = 0;
  while ((texts[at] ?? '').startsWith('-'))
    at += /^(?:-c|-C|--git-dir|--work-tree|--namespace)$/.test(texts[at] ?? '') ? 2 : 1;
  return texts.slice(at);
}

/** Variables that an assignment or `export` sets: `NAME=value`. */
export function settings({assignments, name, args}: SimpleCommand): readonly string[] {
  const given = Object.entries(assignments).map(([key, {text}]) => `${key}=${text}`);
  const isSetting = /^(?:export|declare|typeset|readonly|setenv)$/.test(name);
  return isSetting ? [...given, ...args.map(({text}) => text)] : given;
}

/** True if a part of the word is the output of another command. */
export function isSubstituted({known, text}: Word): boolean {
  return !known && /\$\(|`|<\(/.test(text);
}
