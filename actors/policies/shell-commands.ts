/**
 * What shell text would really run: the commands behind `env`, `xargs`, `sh -c`, `find -exec` and their like, with
 * nothing hidden by a prefix, a path or a quote.
 */

import {commandName, prefixLength} from './shell-prefixes.ts';
import type {Redirect, Word} from './shell-reader.ts';
import {readShell, type SimpleCommand} from './shell-words.ts';

export interface Command {
  /** Without its folder, in lower case; empty for a redirection or assignment alone. */
  readonly name: string;
  readonly args: readonly Word[];
  /** `NAME=value` before the command. */
  readonly assignments: readonly string[];
  readonly redirects: readonly Redirect[];
  readonly input: string | undefined;
  readonly piped: boolean;
  readonly background: boolean;
  /** The name is known only when it runs. */
  readonly computed: boolean;
  /** The commands that start it, outermost first: `env`, `xargs`, `sudo`. */
  readonly via: readonly string[];
  /** As it is written, for messages. */
  readonly text: string;
}

export interface Script {
  readonly commands: readonly Command[];
  readonly functions: readonly string[];
  /** Why the text can't be read, if it can't. */
  readonly problem: string | undefined;
}

export const shells: ReadonlySet<string> = new Set([
  'sh',
  'bash',
  'dash',
  'zsh',
  'ksh',
  'ash',
  'fish',
  'rbash',
  'csh',
  'tcsh',
]);

const maxDepth = 8;

export function readScript(text: string, depth = 0): Script {
  if (depth > maxDepth) return unreadable(`starts shells more than ${maxDepth} levels deep`);
  const {commands, functions, problem} = readShell(text);
  const scripts = commands.map((command) => readCommand(command, depth));
  return {
    commands: scripts.flatMap((script) => script.commands),
    functions: [...functions, ...scripts.flatMap((script) => script.functions)],
    problem: problem ?? scripts.find((script) => script.problem !== undefined)?.problem,
  };
}

function unreadable(problem: string): Script {
  return {commands: [], functions: [], problem};
}

/** The command itself and what it starts, all the way down. */
function readCommand(simple: SimpleCommand, depth: number): Script {
  if (depth > maxDepth) return unreadable(`starts commands more than ${maxDepth} levels deep`);
  const command = unwrap(simple);
  const texts = nestedTexts(command).map((text) => readScript(text, depth + 1));
  const started = startedBy(command).map((words) =>
    readCommand({...bare, words, piped: command.piped}, depth + 1),
  );
  const inner = [...texts, ...started];
  return {
    commands: [
      command,
      ...inner.flatMap(({commands}) =>
        commands.map((one) => ({...one, via: [...command.via, command.name, ...one.via]})),
      ),
    ],
    functions: inner.flatMap(({functions}) => functions),
    problem: inner.find(({problem}) => problem !== undefined)?.problem,
  };
}

const bare = {redirects: [], input: undefined, piped: false, background: false};

function unwrap(simple: SimpleCommand): Command {
  const via: string[] = [];
  const assignments: string[] = [];
  let words = takeAssignments(simple.words, assignments);
  for (;;) {
    const name = commandName(words);
    const skip = prefixLength(words);
    if (skip === undefined || commandName(words.slice(skip)) === '') break;
    via.push(name);
    words = takeAssignments(words.slice(skip), assignments);
  }
  const {redirects, input, piped, background} = simple;
  const text = [...simple.words, ...redirects.flatMap(redirectWords)].map((word) => word.text);
  return {
    name: commandName(words),
    args: words.slice(1),
    assignments,
    redirects,
    input,
    piped,
    background,
    computed: words[0] !== undefined && (words[0].computed || words[0].pattern),
    via,
    text: text.join(' '),
  };
}

function redirectWords({operator, target}: Redirect): {text: string}[] {
  return [{text: operator}, target];
}

function takeAssignments(words: readonly Word[], taken: string[]): readonly Word[] {
  const end = words.findIndex(({text}) => !/^[A-Za-z_]\w*\+?=/.test(text));
  const count = end < 0 ? words.length : end;
  taken.push(...words.slice(0, count).map(({text}) => text));
  return words.slice(count);
}

/** Shell text among the words of a command: `sh -c TEXT`, `eval TEXT`, `trap TEXT`. */
function nestedTexts(command: Command): readonly string[] {
  const texts = command.args.map(({text}) => text);
  if (!shells.has(command.name)) return textsOf.get(command.name)?.(texts) ?? [];
  const code = optionValues(texts, /^-[a-z]*c[a-z]*$/i);
  return command.input !== undefined && readsInput(command) ? [...code, command.input] : code;
}

type TextsOf = (texts: readonly string[]) => readonly string[];

const codeOption: TextsOf = (texts) => optionValues(texts, /^(?:-c|--command|--call)$/);

const textsOf: ReadonlyMap<string, TextsOf> = new Map<string, TextsOf>([
  ['eval', (texts) => [texts.join(' ')]],
  ['watch', (texts) => [texts.join(' ')]],
  ['parallel', (texts) => [texts.join(' ')]],
  ['trap', (texts) => texts.slice(0, 1).filter((text) => !text.startsWith('-'))],
  ['alias', (texts) => texts.map((text) => text.slice(text.indexOf('=') + 1))],
  ['env', splitStrings],
  ['su', codeOption],
  ['runuser', codeOption],
  ['script', codeOption],
  ['npx', codeOption],
  ['npm', codeOption],
]);

/** `env -S 'COMMAND ARGS'`, in each of its spellings. */
function splitStrings(texts: readonly string[]): readonly string[] {
  const attached = texts.map((text) => /^(?:-[a-z]*S|--split-string=)(.+)$/s.exec(text)?.[1]);
  return [
    ...optionValues(texts, /^(?:-[a-zA-Z]*S|--split-string)$/),
    ...attached.filter((text) => text !== undefined),
  ];
}

function optionValues(texts: readonly string[], option: RegExp): readonly string[] {
  const at = texts.findIndex((text) => option.test(text));
  const value = at < 0 ? undefined : texts[at + 1];
  return value === undefined ? [] : [value];
}

/** A shell or interpreter without a script runs what comes in. */
export function readsInput({args}: Pick<Command, 'args'>): boolean {
  return (
    args.every(({text}) => text === '-' || text.startsWith('-') || text === '/dev/stdin') &&
    !args.some(({text}) => /^-[a-z]*[cem]$/i.test(text))
  );
}

const finders = new Set(['find', 'gfind', 'fd', 'fdfind']);
const execOption = /^(?:-(?:exec|execdir|ok|okdir|x|X)|--exec(?:-batch)?)$/;

/** Commands that only speak of others, or whose subcommands are called like them. */
const talkers = new Set(
  'echo printf grep egrep fgrep rg man which type whereis command git apt apt-get brew for'.split(
    ' ',
  ),
);

/** What a starter that is not known here may start: `docker run IMAGE rm …`, `ssh-agent sh -c …`. */
const startable = /^(?:rm|shred|dd|sudo|doas|su|curl|wget|nc|chmod|kill|find|xargs|env|eval|git)$/;

/** Commands among the words of a command: `find -exec COMMAND ;`. */
function startedBy({name, args}: Command): readonly (readonly Word[])[] {
  if (finders.has(name)) {
    return args.flatMap(({text}, at) => {
      if (!execOption.test(text)) return [];
      const rest = args.slice(at + 1);
      const end = rest.findIndex((word) => word.text === ';' || word.text === '+');
      return [end < 0 ? rest : rest.slice(0, end)];
    });
  }
  if (talkers.has(name)) return [];
  const at = args.findIndex((word, index) => startsCommand(word, args[index + 1]));
  return at < 0 ? [] : [args.slice(at)];
}

function startsCommand(word: Word, next: Word | undefined): boolean {
  const name = commandName([word]);
  if (startable.test(name)) return next !== undefined;
  return shells.has(name) && /^-[a-z]*c/i.test(next?.text ?? '');
}
