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

/** The words that are not options. */
export function operands({args}: Pick<SimpleCommand, 'args'>): readonly string[] {
  return args.map(({text}) => text).filter((text) => !/^-./.test(text));
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

export const shells: ReadonlySet<string> = new Set(
  'sh bash dash zsh ksh ash fish rbash csh tcsh'.split(' '),
);

/** Programs that run code in a language of their own. */
const interpreters =
  /^(?:python[\d.]*|node|nodejs|deno|bun|perl|ruby|php|lua|osascript|pwsh|powershell|tclsh|Rscript)$/i;

export function isInterpreter(name: string): boolean {
  return interpreters.test(name) || shells.has(name);
}

const shellCode = /^-[a-z]*[cn]|^--(?:version|help)$/i;
const otherCode = /^-[a-z]*[cemprEvVh]$|^--(?:version|help|eval|print|check)/;

/** True if a shell or interpreter runs its standard input, because it gets no script. */
export function readsCode({name, args}: Pick<SimpleCommand, 'name' | 'args'>): boolean {
  const texts = args.map(({text}) => text);
  const hasCode = shells.has(name) ? shellCode : otherCode;
  if (texts.some((text) => hasCode.test(text))) return false;
  if (shells.has(name) && texts.some((text) => /^-[a-z]*s[a-z]*$/.test(text))) return true;
  const first = texts.find((text) => !text.startsWith('-'));
  return first === undefined || /^\/dev\/(?:stdin|fd\/0)$/.test(first);
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

/** Patterns of forbidden command lines, by the name of the program. */
export type LineTable = readonly (readonly [name: RegExp, line: RegExp])[];

export function looksLike(command: SimpleCommand, table: LineTable): boolean {
  const text = line(command);
  return table.some(([name, pattern]) => name.test(command.name) && pattern.test(text));
}
