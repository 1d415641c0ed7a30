/** The command line as data. Nothing here reads a file, a variable or a terminal. */

import {parseArgs} from 'node:util';

import {AppError} from '../machines/domain/app-error.ts';
import {didYouMean, nearest} from '../machines/domain/nearest.ts';
import type {Command, Flags, Globals, Parsed} from './command.ts';
import {commands, loadAll, loadTask} from './commands/index.ts';
import type {Option} from './option.ts';
import {checkChoice, formats, globalOptions} from './options.ts';

/** A command and what it is told. */
export interface Line {
  /** Empty for a task. */
  readonly name: string;
  readonly command: Command;
  readonly parsed: Parsed;
}

export type Wanted =
  | {readonly kind: 'version'}
  /** `topic`: the command whose help is wanted. */
  | {readonly kind: 'help'; readonly topic?: string}
  | (Line & {readonly kind: 'command'});

/** Parses the arguments after the program's name. Rejects with AppError `usage`: what is wrong and what to do. */
export async function parseArguments(argv: readonly string[]): Promise<Wanted> {
  const dashes = argv.indexOf('--');
  const args = dashes < 0 ? argv : argv.slice(0, dashes);
  const literal = dashes < 0 ? [] : argv.slice(dashes + 1);
  if (args.includes('-V') || args.includes('--version')) return {kind: 'version'};
  if (args.includes('-h') || args.includes('--help')) {
    const topic = args.find((arg) => isCommand(arg) && arg !== 'help');
    return {kind: 'help', ...(topic === undefined ? {} : {topic})};
  }
  return {kind: 'command', ...(await readLine(args, literal))};
}

async function readLine(args: readonly string[], literal: readonly string[]): Promise<Line> {
  const place = tokensOf(args, globalOptions).find(({kind}) => kind === 'positional')?.index;
  const word = place === undefined ? '' : (args[place] ?? '');
  const load = isCommand(word) ? commands[word] : undefined;
  if (load === undefined || place === undefined) {
    const {words, values} = await read(args, globalOptions);
    checkCommand(words, literal);
    const parsed = {operands: [...words, ...literal], flags: {}, ...toGlobals(values)};
    return {name: '', command: await loadTask(), parsed};
  }
  const command = await load();
  const own = command.options ?? [];
  const before = await read(args.slice(0, place), globalOptions);
  const after = await read(args.slice(place + 1), [...globalOptions, ...own]);
  const values = merged(before.values, after.values);
  const operands = [...after.words, ...literal];
  checkOperands(word, command, operands);
  const flags = Object.fromEntries(
    own.flatMap(({name}) => (values[name] ? [[name, values[name]]] : [])),
  );
  return {name: word, command, parsed: {operands, flags, ...toGlobals(values, own)}};
}

function isCommand(word: string): boolean {
  return Object.hasOwn(commands, word);
}

function merged(before: Flags, after: Flags): Flags {
  const names = [...Object.keys(before), ...Object.keys(after)];
  return Object.fromEntries(
    names.map((name) => [name, [...(before[name] ?? []), ...(after[name] ?? [])]]),
  );
}

function tokensOf(args: readonly string[], options: readonly Option[]) {
  const declared = options.map(({name, short, takes}) => {
    const type = takes === undefined ? ('boolean' as const) : ('string' as const);
    return [name, short === undefined ? {type} : {type, short}] as const;
  });
  const {tokens} = parseArgs({
    args: [...args],
    options: Object.fromEntries(declared),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  return tokens;
}

/** Tells words from options. */
async function read(
  args: readonly string[],
  options: readonly Option[],
): Promise<{readonly words: readonly string[]; readonly values: Flags}> {
  const tokens = tokensOf(args, options).filter((token) => token.kind !== 'option-terminator');
  const unknown = tokens.find(
    (token) => token.kind === 'option' && !options.some(({name}) => name === token.name),
  );
  if (unknown?.kind === 'option') {
    throw await unknownOption(unknown.rawName, args[unknown.index] ?? '');
  }
  const given = options.map((option): [name: string, values: string[]] => [
    option.name,
    tokens.flatMap((token) =>
      token.kind === 'option' && token.name === option.name ? [valueOf(token, option)] : [],
    ),
  ]);
  return {
    words: tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : [])),
    values: Object.fromEntries(given.filter(([, values]) => values.length > 0)),
  };
}

function valueOf(
  {rawName, value}: {readonly rawName: string; readonly value?: string | undefined},
  {takes}: Option,
): string {
  if (takes === undefined && value !== undefined) {
    throw new AppError('usage', `${rawName} takes no value; see quorate --help`);
  }
  if (takes !== undefined && value === undefined) {
    throw new AppError('usage', `${rawName} needs a value; see quorate --help`);
  }
  return value ?? '';
}

/** The option with its owner, else the one that was probably meant, else where they are listed. */
async function unknownOption(name: string, argument: string): Promise<AppError> {
  const all = await loadAll();
  const owner = all.find(([, {options = []}]) => options.some((own) => `--${own.name}` === name));
  if (owner)
    return new AppError('usage', `unknown option ${name}; it belongs to quorate ${owner[0]}`);
  const known = [...globalOptions, ...all.flatMap(([, {options = []}]) => options)];
  const names = ['--help', '--version', ...known.map((option) => `--${option.name}`)];
  const help = /^-[\d.(]/.test(name)
    ? `; if it is a question, write: quorate ask -- "${argument}"`
    : '; see quorate --help';
  return new AppError('usage', `unknown option ${name}${didYouMean(name, names) || help}`);
}

function toGlobals(values: Flags, own: readonly Option[] = []): Globals {
  const [cwd, output = 'text'] = [values['cwd']?.at(-1), values['output']?.at(-1)];
  const log = values['log']?.at(-1);
  if (cwd === '') throw new AppError('usage', '-C names no folder; write -C DIR');
  if (log === '') throw new AppError('usage', '--log names no file; write --log FILE');
  return {
    ...(cwd === undefined ? {} : {cwd}),
    ...(log === undefined ? {} : {log}),
    output: checkChoice('--output', output, formats),
    quiet: 'quiet' in values,
    verbose: 'verbose' in values,
    overrides: [...globalOptions, ...own].flatMap(({name, override}) =>
      override && values[name] ? override(values[name]) : [],
    ),
  };
}

function checkOperands(
  name: string,
  {operands: takes}: Command,
  operands: readonly string[],
): void {
  const {least, most, what} = takes ?? {least: 0, most: 0, what: ''};
  if (operands.length < least) {
    throw new AppError('usage', `quorate ${name} needs ${what}; quorate sessions lists the runs`);
  }
  if (operands.length <= most) return;
  throw new AppError(
    'usage',
    `quorate ${name} takes ${most === 0 ? 'no words' : `only ${what}`}, not "${operands.join(' ')}"; ` +
      `if this is a task, write: quorate -- ${[name, ...operands].join(' ')}`,
  );
}

/** One word that is nearly a command is rather a slip than a task. */
function checkCommand(words: readonly string[], literal: readonly string[]): void {
  const [word = '', ...others] = words;
  if (others.length > 0 || literal.length > 0 || /\s/.test(word)) return;
  const near = nearest(word, Object.keys(commands));
  if (near === undefined) return;
  throw new AppError(
    'usage',
    `unknown command "${word}"; did you mean "${near}"? If it is a task, write: quorate -- ${word}`,
  );
}
