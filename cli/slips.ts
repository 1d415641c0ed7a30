/** What was probably meant: words that are no command of this version, and options that other programs have. */

import {AppError} from '../machines/domain/app-error.ts';
import {didYouMean, nearest} from '../machines/domain/nearest.ts';
import type {Command} from './command.ts';
import {commands, loadAll} from './commands/index.ts';
import {globalOptions} from './options.ts';

/** Commands that later versions have: a run in their place would do something else, and might write. */
const coming: ReadonlySet<string> = new Set(
  'diagram fork inspect paths policy replay stats'.split(' '),
);

/** What is an option of another command: as a task it would hardly be meant, whatever follows. */
const within: Readonly<Record<string, string>> = {
  debate: 'a debate is held by: quorate discuss --strategy debate "QUESTION"',
};

const keys = 'keys are read from the environment; see quorate help models';
const settings =
  'nothing has to be set up; quorate doctor says what is there, quorate config what is set';
const runs = 'quorate sessions lists the runs of this folder';
const install = 'a newer version is installed with: npm install -g quorate@latest';

/** Words that other programs have for what is done otherwise here. */
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

/**
 * Refuses a line that begins with no command but was hardly meant as a task. A command to come is refused whatever
 * follows; any other word only when it stands alone. Throws AppError `usage`.
 */
export function requireTask(words: readonly string[]): void {
  const [word = ''] = words;
  const asTask = `if it is a task, write: quorate -- ${words.join(' ')}`;
  if (coming.has(word)) {
    throw new AppError('usage', `quorate ${word} is not in this version; ${asTask}`);
  }
  if (Object.hasOwn(within, word)) {
    throw new AppError('usage', `there is no quorate ${word}: ${within[word]}; ${asTask}`);
  }
  if (words.length !== 1 || /\s/.test(word)) return;
  const hint = Object.hasOwn(foreign, word) ? foreign[word] : undefined;
  if (hint !== undefined) {
    throw new AppError('usage', `there is no quorate ${word}: ${hint}; ${asTask}`);
  }
  const known = [...Object.keys(commands), ...coming];
  const near = nearest(word, known);
  if (near === undefined) return;
  throw new AppError('usage', `unknown command "${word}"; did you mean "${near}"? ${asTask}`);
}

const goOn = 'quorate --continue, or quorate resume ID, goes on with a run';
const asTask =
  'a task is written as it is, and its result is printed: quorate "what is to be done"';

/** Options that other programs have for what is done otherwise here. */
const foreignOptions: Readonly<Record<string, string>> = {
  '-c': goOn,
  '-r': goOn,
  '--resume': goOn,
  '-p': asTask,
  '--print': asTask,
  '--prompt': asTask,
  '--json': 'write --output json',
  '--dry-run': '--scope plan-only ends with the reviewed plan',
};

/** The option with its owner, else the one that was probably meant, else where they are listed. */
export async function unknownOption(name: string, argument: string): Promise<AppError> {
  const all = await loadAll();
  const owners = all.filter(([, {options = []}]) =>
    options.some((own) => `--${own.name}` === name),
  );
  if (owners.length > 0) {
    const names = owners.map(([owner]) => `quorate ${owner}`).join(' and ');
    return new AppError('usage', `unknown option ${name}; it belongs to ${names}`);
  }
  if (Object.hasOwn(foreignOptions, name)) {
    return new AppError('usage', `unknown option ${name}; ${foreignOptions[name]}`);
  }
  const known = [...globalOptions, ...all.flatMap(([, {options = []}]) => options)];
  const names = ['--help', '--version', '--continue', ...known.map((option) => `--${option.name}`)];
  const help = /^-[\d.(]/.test(name)
    ? `; if it is a question, write: quorate ask -- "${argument}"`
    : '; see quorate --help';
  return new AppError('usage', `unknown option ${name}${didYouMean(name, names) || help}`);
}

/** A flag that a command does not obey, with those that do. */
export async function notObeyed(flag: string, name: string, subject: string): Promise<AppError> {
  const obeys = ({obeys: subjects}: Command): boolean => subjects.some((each) => each === subject);
  const obeying = (await loadAll()).filter(([, command]) => obeys(command));
  const others = ['a task', ...obeying.map(([other]) => `quorate ${other}`)].join(', ');
  return new AppError('usage', `quorate ${name} takes no ${flag}, which is for: ${others}`);
}
