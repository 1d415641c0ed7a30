/** The command line as data. Nothing here reads a file, a variable or a terminal. */

import {Command as Parser, CommanderError, type OptionValues} from 'commander';

import {AppError} from '../machines/domain/app-error.ts';
import {didYouMean, nearest} from '../machines/domain/nearest.ts';
import {checkChoice, toOverrides, type Override} from './flags.ts';
import {exampleOf, nounOf, type RunForm} from './forms.ts';
import {helpTopics} from './help.ts';

export type OutputFormat = 'text' | 'json' | 'jsonl';

/** Options that every command takes. */
export interface Globals {
  /** `-C`: the folder to work in. */
  readonly cwd?: string;
  readonly output: OutputFormat;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** What the flags say about the configuration. */
  readonly overrides: readonly Override[];
}

export type DecisionFlag =
  | {readonly decision: 'approve' | 'reject' | 'retry' | 'done' | 'fail'}
  | {readonly decision: 'edit'; readonly file: string};

/** Without a task: `fromStdin` when `-` asked for it, else a piped standard input holds it or it is missing. */
export interface RunCommand extends Globals {
  readonly kind: 'run';
  readonly form: RunForm;
  /** The task, or the question. */
  readonly task?: string;
  readonly fromStdin: boolean;
}

export type Command =
  | {readonly kind: 'help'; readonly topic?: string}
  | {readonly kind: 'version'}
  | RunCommand
  | (Globals & {readonly kind: 'resume'; readonly id?: string; readonly decision?: DecisionFlag})
  | (Globals & {readonly kind: 'cancel' | 'show'; readonly id: string})
  | (Globals & {readonly kind: 'sessions' | 'demo'})
  | (Globals & {readonly kind: 'config'; readonly trust: boolean})
  | (Globals & {readonly kind: 'doctor'; readonly online: boolean});

/** Parses the arguments after the program's name. Throws AppError `usage` with what is wrong and what to do. */
export function parseArguments(argv: readonly string[]): Command {
  const dashes = argv.indexOf('--');
  const options = dashes < 0 ? argv : argv.slice(0, dashes);
  const literal = dashes < 0 ? [] : argv.slice(dashes + 1);
  if (options.includes('-V') || options.includes('--version')) return {kind: 'version'};
  if (options.includes('-h') || options.includes('--help')) {
    const topic = options.find((arg) => Object.hasOwn(commands, arg) && arg !== 'help');
    return {kind: 'help', ...(topic === undefined ? {} : {topic})};
  }
  const {name, words, flags} = split(options);
  const globals = toGlobals(flags);
  const command = commands[name];
  if (!command) {
    checkCommand(words, literal);
    return toRun('agent', [...words, ...literal], globals);
  }
  const operands = [...words, ...literal];
  checkOperands(name, command, operands);
  return command.make({operands, flags, globals});
}

interface Parsed {
  readonly operands: readonly string[];
  readonly flags: OptionValues;
  readonly globals: Globals;
}

interface CommandShape {
  /** How many operands it takes at least and at most, and what they are. */
  readonly takes: readonly [number, number, string];
  readonly options?: readonly string[];
  /** Options that may come several times. */
  readonly lists?: readonly string[];
  readonly make: (parsed: Parsed) => Command;
}

const commands: Readonly<Record<string, CommandShape>> = {
  ask: {
    takes: [0, Infinity, 'a question'],
    options: ['--db <file>'],
    lists: ['--docs <glob>'],
    make: ({operands, globals}) => {
      checkAskFlags(globals);
      return toRun('ask', operands, globals);
    },
  },
  resume: {
    takes: [0, 1, 'the ID of a run'],
    options: ['--decision <decision>'],
    make: ({operands: [id], flags, globals}) => ({
      kind: 'resume',
      ...globals,
      ...(id === undefined ? {} : {id}),
      ...(flags['decision'] === undefined ? {} : {decision: toDecision(String(flags['decision']))}),
    }),
  },
  cancel: {
    takes: [1, 1, 'the ID of a run'],
    make: ({operands: [id], globals}) => ({kind: 'cancel', id: id ?? '', ...globals}),
  },
  show: {
    takes: [1, 1, 'the ID of a run'],
    make: ({operands: [id], globals}) => ({kind: 'show', id: id ?? '', ...globals}),
  },
  sessions: {takes: [0, 0, ''], make: ({globals}) => ({kind: 'sessions', ...globals})},
  demo: {takes: [0, 0, ''], make: ({globals}) => ({kind: 'demo', ...globals})},
  config: {
    takes: [0, 0, ''],
    options: ['--trust'],
    make: ({flags, globals}) => ({kind: 'config', trust: flags['trust'] === true, ...globals}),
  },
  doctor: {
    takes: [0, 0, ''],
    options: ['--online'],
    make: ({flags, globals}) => ({kind: 'doctor', online: flags['online'] === true, ...globals}),
  },
  help: {takes: [0, 1, 'a topic'], make: ({operands: [topic]}) => toHelp(topic)},
};

function toHelp(topic: string | undefined): Command {
  if (topic === undefined || topic === 'help') return {kind: 'help'};
  if (helpTopics.includes(topic)) return {kind: 'help', topic};
  throw new AppError(
    'usage',
    `there is no help on "${topic}", only on ${helpTopics.join(', ')}${didYouMean(topic, helpTopics)}`,
  );
}

interface Split {
  /** The command; empty for a task. */
  readonly name: string;
  readonly words: readonly string[];
  readonly flags: OptionValues;
}

/** Commander tells flags from words, before and after a command. */
function split(options: readonly string[]): Split {
  const program = addGlobals(quiet(new Parser('quorate'))).argument('[words...]');
  let found: Split = {name: '', words: [], flags: {}};
  program.action((words: string[], flags: OptionValues) => {
    found = {name: '', words, flags};
  });
  for (const [name, {options: own = [], lists = []}] of Object.entries(commands)) {
    const command = quiet(program.command(name)).argument('[operands...]');
    for (const flag of own) command.option(flag);
    for (const flag of lists) command.option(flag, '', collect);
    command.action((words: string[]) => {
      found = {name, words, flags: command.optsWithGlobals()};
    });
  }
  try {
    program.parse(options, {from: 'user'});
  } catch (error) {
    throw error instanceof CommanderError ? toUsageError(error) : error;
  }
  return found;
}

function quiet(parser: Parser): Parser {
  return parser
    .exitOverride()
    .helpOption(false)
    .helpCommand(false)
    .showSuggestionAfterError(false)
    .configureOutput({writeOut: () => {}, writeErr: () => {}});
}

const collect = (value: string, before: readonly string[] = []) => [...before, value];

function addGlobals(parser: Parser): Parser {
  return parser
    .option('-m, --model <model>', '', collect)
    .option('--scope <scope>')
    .option('--rule <rule>')
    .option('--hil <mode>')
    .option('--final-review')
    .option('-C, --cwd <dir>')
    .option('--max-cost <usd>')
    .option('--max-calls <n>')
    .option('--timeout <time>')
    .option('--output <format>')
    .option('-q, --quiet')
    .option('-v, --verbose');
}

const globalFlags = addGlobals(new Parser()).options.flatMap(({long}) => long ?? []);
const ownFlags = Object.values(commands).flatMap(ownOptions);
const knownFlags = [...globalFlags, '--help', '--version', ...ownFlags];

/** The names of a command's own options. */
function ownOptions({options = [], lists = []}: CommandShape): string[] {
  return [...options, ...lists].map((option) => option.split(' ')[0] ?? option);
}

function toUsageError(error: CommanderError): AppError {
  const flag = /'([^']*)'/.exec(error.message)?.[1] ?? '';
  if (error.code === 'commander.unknownOption') {
    const name = flag.split('=')[0] ?? flag;
    const hint = didYouMean(
      name,
      knownFlags.filter((known) => known !== name),
    );
    const owner = Object.entries(commands).find(([, shape]) => ownOptions(shape).includes(name));
    const place = owner ? `; it belongs to quorate ${owner[0]}` : hint;
    const help = /^-[\d.(]/.test(name)
      ? `; if it is a question, write: quorate ask -- "${flag}"`
      : '; see quorate --help';
    return new AppError('usage', `unknown option ${name}${place || help}`);
  }
  if (error.code === 'commander.optionMissingArgument') {
    return new AppError('usage', `${flag.replace(/ <.*$/, '')} needs a value; see quorate --help`);
  }
  return new AppError('usage', `${error.message.replace(/^error: /, '')}; see quorate --help`);
}

function toGlobals(flags: OptionValues): Globals {
  const {cwd, output = 'text'} = flags;
  if (cwd === '') throw new AppError('usage', '-C names no folder; write -C DIR');
  return {
    ...(cwd === undefined ? {} : {cwd: String(cwd)}),
    output: toFormat(String(output)),
    quiet: flags['quiet'] === true,
    verbose: flags['verbose'] === true,
    overrides: toOverrides(flags),
  };
}

function toFormat(text: string): OutputFormat {
  checkChoice('--output', text, ['text', 'json', 'jsonl']);
  return text === 'json' || text === 'jsonl' ? text : 'text';
}

function checkOperands(name: string, {takes}: CommandShape, operands: readonly string[]): void {
  const [least, most, what] = takes;
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

const taskFlags = new Set(['--scope', '--rule', '--hil', '--final-review']);

/** Nothing is planned, voted on or run for a question. */
function checkAskFlags({overrides}: Globals): void {
  const flag = overrides.find(({source}) => taskFlags.has(source))?.source;
  if (flag === undefined) return;
  throw new AppError('usage', `${flag} is for tasks; a question has no plan, no vote and no gate`);
}

/** `-` alone stands for standard input. */
function toRun(form: RunForm, words: readonly string[], globals: Globals): Command {
  if (words.length === 0) return {kind: 'run', form, fromStdin: false, ...globals};
  if (words.length === 1 && words[0] === '-')
    return {kind: 'run', form, fromStdin: true, ...globals};
  const task = words.join(' ').trim();
  if (task !== '') return {kind: 'run', form, task, fromStdin: false, ...globals};
  throw new AppError('usage', `the ${nounOf(form)} is empty; write: ${exampleOf(form)}`);
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

function toDecision(text: string): DecisionFlag {
  if (text.startsWith('edit:') && text.length > 'edit:'.length) {
    return {decision: 'edit', file: text.slice('edit:'.length)};
  }
  const choices = ['approve', 'reject', 'retry', 'done', 'fail'] as const;
  const decision = choices.find((choice) => choice === text);
  if (decision) return {decision};
  throw new AppError(
    'usage',
    `--decision takes approve, reject, edit:FILE, retry, done or fail, not "${text}"${didYouMean(text, choices)}`,
  );
}
