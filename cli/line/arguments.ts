/** Parses the command line into data, without reading files, variables or a terminal. */

import {parseArgs} from 'node:util';

import {type Message, t} from '../../machines/message.ts';
import {commandOf, commands, loadContinue, loadTask} from '../commands/index.ts';
import type {Environment} from '../terminal.ts';
import type {Command, Flags, Globals, Option, Parsed} from './command.ts';
import {
  isRequestForHelp,
  notObeyed,
  refuseRemoved,
  requireTask,
  unknownOption,
} from './did-you-mean.ts';
import {checkChoice, formats, globalOptions, languages, requireRoles} from './options.ts';
import {usageError} from './usage-error.ts';

/** A command and its arguments. */
export interface Line {
  /** Empty for a task. */
  readonly name: string;
  readonly command: Command;
  readonly parsed: Parsed;
}

export type Wanted =
  | {readonly kind: 'version'}
  | {readonly kind: 'completion'; readonly shell: string}
  /** `topic`: the command for which help is shown. */
  | {readonly kind: 'help'; readonly topic?: string}
  | (Line & {readonly kind: 'command'});

/** Parses the arguments after the program's name. Rejects with AppError `usage`; the message names problem and remedy. */
export async function parseArguments(argv: readonly string[], env: Environment): Promise<Wanted> {
  const dashes = argv.indexOf('--');
  const args = dashes < 0 ? argv : argv.slice(0, dashes);
  const literal = dashes < 0 ? [] : argv.slice(dashes + 1);
  const about = readAbout(args);
  if (about) return about;
  const line = args.includes(continuing)
    ? await readContinue(
        args.filter((arg) => arg !== continuing),
        literal,
        env,
      )
    : await readLine(args, literal, env);
  return {kind: 'command', ...line};
}

/** The version, the completion or the help, if a line asks for one of them. */
function readAbout(args: readonly string[]): Exclude<Wanted, {kind: 'command'}> | undefined {
  if (args.includes('-V') || args.includes('--version')) return {kind: 'version'};
  const completing = args.indexOf('--completion');
  if (completing >= 0) return {kind: 'completion', shell: args[completing + 1] ?? ''};
  if (args.includes('-h') || args.includes('--help')) {
    const topic = args.map(commandOf).find((arg) => isCommand(arg) && arg !== 'help');
    return {kind: 'help', ...(topic === undefined ? {} : {topic})};
  }
  return undefined;
}

const continuing = '--continue';

/** `quorate --continue` is `quorate resume` without an ID; on a terminal, and after `chat`, it continues the conversation. */
async function readContinue(
  args: readonly string[],
  literal: readonly string[],
  env: Environment,
): Promise<Line> {
  const command = await loadContinue();
  const {words} = await readArguments(args, withOwn(command.options ?? []));
  const others = [...words, ...literal];
  if (others[0] === 'chat') return await readLine([...args, continuing], literal, env);
  if (others.length === 0) return {...(await readLine(['resume', ...args], [], env)), command};
  const given = others.join(' ');
  throw usageError(
    t`${continuing} resumes the newest open run of this folder and takes no words, not "${given}"; another run: quorate resume ID; a new task: quorate "TASK"`,
  );
}

async function readLine(
  args: readonly string[],
  literal: readonly string[],
  env: Environment,
): Promise<Line> {
  const {place, word} = firstWord(args);
  const load = isCommand(word) ? commands[word] : undefined;
  if (load === undefined) return await readTask(args, literal, env);
  const command = await load();
  const own = command.options ?? [];
  const before = await readArguments(args.slice(0, place), globalOptions);
  const after = await readArguments(args.slice(place + 1), withOwn(own));
  const values = merged(before.values, after.values);
  const operands = [...after.words, ...literal];
  if (word === 'help' && (await isRequestForHelp(operands))) {
    return await readTask(args, literal, env);
  }
  await checkFlags(word, command, values);
  checkOperands(word, command, operands);
  const flags = Object.fromEntries(
    own.flatMap(({name}) => (values[name] ? [[name, values[name]]] : [])),
  );
  return {name: word, command, parsed: {operands, flags, ...toGlobals(values, own)}};
}

/** `word` is empty without one; of an alias, the command. */
function firstWord(args: readonly string[]): {readonly place: number; readonly word: string} {
  const first = tokensOf(args, globalOptions).find(({kind}) => kind === 'positional');
  const place = first?.index ?? -1;
  return {place, word: commandOf(args[place] ?? '')};
}

async function readTask(
  args: readonly string[],
  literal: readonly string[],
  env: Environment,
): Promise<Line> {
  const {place, word} = firstWord(args);
  const after = tokensOf(args.slice(place + 1), globalOptions);
  const operands = after.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  refuseRemoved(word, [...operands, ...literal], {
    hasOtherOption: after.some((token) => token.kind === 'option' && !isGlobal(token.name)),
  });
  const {words, values} = await readArguments(args, globalOptions);
  const command = await loadTask();
  await checkFlags('TASK', command, values);
  const parsed = {operands: [...words, ...literal], flags: {}, ...toGlobals(values)};
  if (literal.length === 0) await requireTask(words, env);
  return {name: '', command, parsed};
}

function isGlobal(option: string): boolean {
  return globalOptions.some(({name}) => name === option);
}

function isCommand(word: string): boolean {
  return Object.hasOwn(commands, word);
}

/** An option of a command replaces the global option of the same name. */
function withOwn(own: readonly Option[]): readonly Option[] {
  const names = new Set(own.map(({name}) => name));
  return [...globalOptions.filter(({name}) => !names.has(name)), ...own];
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

/** Separates words from options. */
async function readArguments(
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
    throw usageError(t`${rawName} takes no value; see quorate --help`);
  }
  if (takes !== undefined && value === undefined) {
    throw usageError(t`${rawName} needs a value; see quorate --help`);
  }
  return value ?? '';
}

/** A flag is obeyed or refused, never ignored. */
async function checkFlags(name: string, command: Command, values: Flags): Promise<void> {
  const {obeys, roles, options = []} = command;
  const ignored = withOwn(options).find(
    ({name: flag, subject}) => flag in values && subject && !obeys.includes(subject),
  );
  if (ignored?.subject) throw await notObeyed(`--${ignored.name}`, name, ignored.subject);
  if (roles) requireRoles(values['model'] ?? [], roles);
}

function toGlobals(values: Flags, own: readonly Option[] = []): Globals {
  const isOwn = (option: string): boolean => own.some(({name}) => name === option);
  // Statistics have formats of their own.
  const output = (isOwn('output') ? undefined : values['output']?.at(-1)) ?? 'text';
  // An interview takes more languages than the screen has.
  if (!isOwn('lang')) {
    for (const language of values['lang'] ?? []) checkChoice('--lang', language, languages);
  }
  return {
    ...placesIn(values),
    output: checkChoice('--output', output, formats),
    quiet: 'quiet' in values,
    verbose: 'verbose' in values,
    ...('plain' in values ? {plain: true} : {}),
    ...('detach' in values ? {detach: true} : {}),
    overrides: withOwn(own).flatMap(({name, override}) =>
      override && values[name] ? override(values[name]) : [],
    ),
  };
}

/** Throws AppError `usage` for an empty name. */
function placesIn(values: Flags): Pick<Globals, 'cwd' | 'journal' | 'log' | 'plan'> {
  const [cwd, log, plan] = ['cwd', 'log', 'plan'].map((name) => values[name]?.at(-1));
  const journal = values['journal']?.at(-1);
  if (journal !== undefined) requireNoPassword(journal);
  if (cwd === '') {
    throw usageError(t`-C names no folder; write -C DIR`);
  }
  if (log === '') {
    throw usageError(t`--log names no file; write --log FILE`);
  }
  return {
    ...(cwd === undefined ? {} : {cwd}),
    ...(journal === undefined ? {} : {journal}),
    ...(log === undefined ? {} : {log}),
    ...(plan === undefined ? {} : {plan}),
  };
}

/** Every user of a machine sees the command lines of its processes. */
function requireNoPassword(address: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!/^postgres(?:ql)?:$/.test(url?.protocol ?? ''))
    throw usageError(t`--journal takes an address that begins with postgres://`);
  if (url?.password === '' && !url.searchParams.has('password')) return;
  throw usageError(
    t`--journal takes no password, as other users of this machine can read it; set PGPASSWORD, or set a variable to the address and name it with journal.url_env`,
  );
}

function checkOperands(
  name: string,
  {operands: takes}: Command,
  operands: readonly string[],
): void {
  const {least, most, what} = takes ?? {least: 0, most: 0, what: t``};
  if (operands.length < least) {
    throw usageError(t`quorate ${name} needs ${what}; see quorate help ${name}`);
  }
  if (operands.length <= most) return;
  const given = operands.join(' ');
  const taken: Message = most === 0 ? t`no words` : t`only ${what}`;
  throw usageError(
    t`quorate ${name} takes ${taken}, not "${given}"; if this is a task, write: quorate -- ${name} ${given}`,
  );
}
