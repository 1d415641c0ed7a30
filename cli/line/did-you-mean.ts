/** Suggestions for words and options that this program does not have. */

import {AppError} from '../../machines/domain/app-error.ts';
import {didYouMean, nearest} from '../../machines/domain/nearest.ts';
import {aliases, commands, loadAll} from '../commands/index.ts';
import type {Environment} from '../terminal.ts';
import type {Command} from './command.ts';
import {globalOptions} from './options.ts';

/** Options of a command that people write as commands. */
const within: Readonly<Record<string, string>> = {
  debate: 'a debate is held by: quorate discuss --strategy debate "QUESTION"',
};

const keys = 'keys are read from the environment; see quorate help models';
const settings =
  'nothing has to be set up; quorate doctor says what is there, quorate config what is set';
const runs = 'quorate sessions lists the runs of this folder';
const install = 'a newer version is installed with: npm install -g quorate@latest';

/** Commands of other programs, with the equivalent here. */
const foreign: Readonly<Record<string, string>> = {
  auth: keys,
  history: runs,
  init: settings,
  list: runs,
  login: keys,
  logout: keys,
  ls: runs,
  run: 'a task is written as it is: quorate "what is to be done"',
  session: runs,
  setup: settings,
  status: runs,
  update: install,
  upgrade: install,
  version: 'quorate --version tells it',
};

const filePath = /[/\\]|^\.|\.[A-Za-z][A-Za-z0-9]{0,9}$/;
/** Few IDs have letters only, and many words do. */
const runId = /^(?=.*\d)(?=.*[a-z])[0-9a-z]{12}(?:\.\d+)*$/;
const letteredId = /^[a-z]{12}$/;
/** Many words with digits have this form, too: `utf8`. */
const beginningOfId = /^(?=.*\d)(?=.*[a-z])[0-9a-z]{4,11}(?:\.\d+)*$/;

/**
 * Refuses a line that looks like a command but is not one: a single word, a single word before IDs and paths, or a misspelt
 * command before IDs, paths and options. Rejects with AppError `usage` that names the nearest command.
 */
export async function requireTask(words: readonly string[], env: Environment): Promise<void> {
  const [word = ''] = words;
  const asTask = `if it is a task, write: quorate -- ${words.join(' ')}`;
  if (Object.hasOwn(within, word)) {
    throw new AppError('usage', `there is no quorate ${word}: ${within[word]}; ${asTask}`);
  }
  const near = nearest(word, [...Object.keys(commands), ...Object.keys(aliases)]);
  if (!(await looksLikeCommand(words, {isNear: near !== undefined, env}))) return;
  const hint = Object.hasOwn(foreign, word) ? foreign[word] : undefined;
  if (hint !== undefined) {
    throw new AppError('usage', `there is no quorate ${word}: ${hint}; ${asTask}`);
  }
  const suggestion = near === undefined ? '; see quorate --help;' : `; did you mean "${near}"? Or,`;
  throw new AppError('usage', `unknown command "${word}"${suggestion} ${asTask}`);
}

async function looksLikeCommand(
  [word = '', ...operands]: readonly string[],
  {isNear, env}: {readonly isNear: boolean; readonly env: Environment},
): Promise<boolean> {
  if (operands.length === 0) return /^[A-Za-z][A-Za-z-]*$/.test(word);
  const mayBeId = isNear ? [runId, letteredId, beginningOfId] : [runId];
  const isOperand = (text: string): boolean =>
    !/\s/.test(text) && [filePath, ...mayBeId].some((form) => form.test(text));
  const others = operands.filter((text) => !isOperand(text));
  if (!/^[!-~]+$/.test(word) || !others.every((text) => beginningOfId.test(text))) return false;
  if (others.length === 0) return true;
  const {areRuns} = await import('../past/find-run.ts');
  return await areRuns(others, env);
}

/** `help me find the bug` asks for work; `help ruls` and `help rules gate` are typing errors. */
export async function isRequestForHelp([topic = '', ...rest]: readonly string[]): Promise<boolean> {
  if (rest.length === 0) return false;
  const {helpTopics} = await import('../help/text.ts');
  return nearest(topic, await helpTopics()) === undefined;
}

const goOn = 'quorate --continue, or quorate resume ID, goes on with a run';
const asTask =
  'a task is written as it is, and its result is printed: quorate "what is to be done"';

/** Options of other programs, with the equivalent here. */
const foreignOptions: Readonly<Record<string, string>> = {
  '-c': goOn,
  '-r': goOn,
  '--resume': goOn,
  '--format': 'write --output text, --output json or --output jsonl',
  '-p': asTask,
  '--print': asTask,
  '--prompt': asTask,
  '--json': 'write --output json',
  '--dry-run': '--scope plan-only ends with the reviewed plan',
};

/** The commands that have the option, else the nearest option, else the command that lists the options. */
export async function unknownOption(name: string, argument: string): Promise<AppError> {
  const all = await loadAll();
  if (Object.hasOwn(foreignOptions, name)) {
    return new AppError('usage', `unknown option ${name}; ${foreignOptions[name]}`);
  }
  const owners = all.filter(([, {options = []}]) =>
    options.some((own) => `--${own.name}` === name),
  );
  if (owners.length > 0) {
    const names = owners.map(([owner]) => `quorate ${owner}`).join(' and ');
    return new AppError('usage', `unknown option ${name}; it belongs to ${names}`);
  }
  const known = [...globalOptions, ...all.flatMap(([, {options = []}]) => options)];
  const names = ['--help', '--version', '--continue', ...known.map((option) => `--${option.name}`)];
  const help = /^-[\d.(]/.test(name)
    ? `; if it is a question, write: quorate ask -- "${argument}"`
    : '; see quorate --help';
  return new AppError('usage', `unknown option ${name}${didYouMean(name, names) || help}`);
}

/** Refuses a flag that the command does not obey, and names the commands that do. */
export async function notObeyed(flag: string, name: string, subject: string): Promise<AppError> {
  const obeys = ({obeys: subjects}: Command): boolean => subjects.some((each) => each === subject);
  const obeying = (await loadAll()).filter(([, command]) => obeys(command));
  const others = ['a task', ...obeying.map(([other]) => `quorate ${other}`)].join(', ');
  return new AppError('usage', `quorate ${name} takes no ${flag}, which is for: ${others}`);
}
