/** Questions that several rules ask of a command. */

import {type Command, shells} from './shell-commands.ts';

/** Options of a command: words that start with a dash, before `--`. */
export function options({args}: Pick<Command, 'args'>): readonly string[] {
  const texts = args.map(({text}) => text);
  const end = texts.indexOf('--');
  return texts.slice(0, end < 0 ? undefined : end).filter((text) => /^-./.test(text));
}

/** Has a short option by its letter, alone or in a cluster (`-rf`), or a long one by its whole name. */
export function hasOption(
  command: Pick<Command, 'args'>,
  letters: string,
  ...long: string[]
): boolean {
  return options(command).some((option) =>
    option.startsWith('--')
      ? isBeginning(option.replace(/=.*/s, ''), long)
      : letters.split('').some((letter) => option.slice(1).includes(letter)),
  );
}

/** GNU programs take any beginning of a long option. */
function isBeginning(option: string, long: readonly string[]): boolean {
  return option.length > 3 && long.some((name) => name.startsWith(option));
}

/** The words that are not options. */
export function operands({args}: Pick<Command, 'args'>): readonly string[] {
  return args.map(({text}) => text).filter((text) => !/^-./.test(text));
}

/** The command and its arguments with single spaces. */
export function line({name, args}: Pick<Command, 'name' | 'args'>): string {
  return [name, ...args.map(({text}) => text)].join(' ');
}

/** `git` without its own options, so that its subcommand comes first: `push --force`. Empty for other commands. */
export function gitLine(command: Command): string {
  if (command.name !== 'git') return '';
  const texts = command.args.map(({text}) => text);
  let at = 0;
  while ((texts[at] ?? '').startsWith('-'))
    at += /^(?:-c|-C|--git-dir|--work-tree|--namespace)$/.test(texts[at] ?? '') ? 2 : 1;
  return texts.slice(at).join(' ');
}

/** Programs that run code in a language of their own. */
const interpreters =
  /^(?:python[\d.]*|node|nodejs|deno|bun|perl|ruby|php|lua|osascript|pwsh|powershell|tclsh|Rscript)$/i;

export function isInterpreter(name: string): boolean {
  return interpreters.test(name) || shells.has(name);
}

/** Values that an assignment or `export` gives to variables. */
export function settings({assignments, name, args}: Command): readonly string[] {
  return name === 'export' ||
    name === 'declare' ||
    name === 'typeset' ||
    name === 'set' ||
    name === 'setenv'
    ? [...assignments, ...args.map(({text}) => text)]
    : assignments;
}

/** Lines that a command must not look like, by its name. */
export type LineTable = readonly (readonly [name: RegExp, line: RegExp])[];

export function looksLike(command: Command, table: LineTable): boolean {
  const text = line(command);
  return table.some(([name, pattern]) => name.test(command.name) && pattern.test(text));
}
