/** Suggestions for words and options that this program does not have. */

import type {AppError} from '../../machines/domain/app-error.ts';
import {parseInteractionForm} from '../../machines/domain/interaction-form.ts';
import {nearest} from '../../machines/domain/nearest.ts';
import {listed, type Message, t} from '../../machines/message.ts';
import {aliases, commands, loadAll, removed} from '../commands/index.ts';
import type {Environment} from '../terminal.ts';
import type {Command} from './command.ts';
import {earlyOptions, globalOptions} from './options.ts';
import {meant, meantOne, usageError} from './usage-error.ts';

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
  const line = words.join(' ');
  const near = nearest(word, [...Object.keys(commands), ...Object.keys(aliases)]);
  if (!(await looksLikeCommand(words, {isNear: near !== undefined, env}))) return;
  const suggestion: Message =
    near === undefined ? t`; see quorate --help;` : t`; did you mean "${near}"? Or,`;
  throw usageError(
    t`unknown command "${word}"${suggestion} if it is a task, write: quorate -- ${line}`,
  );
}

/** No removed command took more. */
const maxOperands = 2;

/**
 * Refuses a command that was removed, and names the command to use. A task may begin with its name: it is the command before
 * an option that tasks do not have, alone, and before one or two single words. The other name of a form took a request.
 * Throws AppError `usage`.
 */
export function refuseRemoved(
  word: string,
  operands: readonly string[],
  {hasOtherOption}: {readonly hasOtherOption: boolean},
): void {
  const instead = Object.hasOwn(removed, word) ? removed[word] : undefined;
  const areNames = operands.length <= maxOperands && operands.every((text) => !/\s/.test(text));
  const tookRequest = parseInteractionForm(word) !== undefined;
  if (!instead || !(hasOtherOption || areNames || tookRequest)) return;
  const line = [word, ...operands].join(' ');
  throw usageError(
    t`quorate ${word} was removed: ${instead}; if it is a task, write: quorate -- ${line}`,
  );
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

/** The commands that have the option, else the nearest option, else the command that lists the options. */
export async function unknownOption(name: string, argument: string): Promise<AppError> {
  const all = await loadAll();
  const unknown = (hint: Message): AppError => usageError(t`unknown option ${name}${hint}`);
  const owners = all.filter(([, {options = []}]) =>
    options.some((own) => `--${own.name}` === name),
  );
  if (owners.length > 0) {
    const names = owners.map(([owner]) => `quorate ${owner}`);
    return unknown(t`; it belongs to ${names.join(', ')}`);
  }
  const near = nearest(name, await lineWords());
  if (near !== undefined) return unknown(meantOne(near));
  return unknown(
    /^-[\d.(]/.test(name)
      ? t`; if it is a question, write: quorate ask -- "${argument}"`
      : t`; see quorate --help`,
  );
}

/** Refuses a flag that the command does not obey, and names the commands that do. */
export async function notObeyed(flag: string, name: string, subject: string): Promise<AppError> {
  const obeys = ({obeys: subjects}: Command): boolean => subjects.some((each) => each === subject);
  const obeying = (await loadAll()).filter(([, command]) => obeys(command));
  const others = obeying.map(([other]) => `quorate ${other}`);
  const all = listed([t`a task`, ...others], (before, last) => t`${before}, ${last}`);
  return usageError(t`quorate ${name} takes no ${flag}, which is for: ${all}`);
}

// The words of a command line, and the completion of shells, which is one list of them.

const scripts: Readonly<Record<string, (words: string) => string>> = {
  bash: (words) => `complete -o default -W '${words}' quorate\n`,
  zsh: (words) =>
    `autoload -Uz bashcompinit && bashcompinit\ncomplete -o default -W '${words}' quorate\n`,
  fish: (words) => `complete -c quorate -a '${words}'\n`,
};

/** A script that completes commands and options. Rejects with AppError `usage` for another shell. */
export async function completionScript(shell: string): Promise<string> {
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (!script) {
    const [known, near] = [Object.keys(scripts).join(', '), meant(shell, Object.keys(scripts))];
    throw usageError(t`--completion takes ${known}, not "${shell}"${near}`);
  }
  return script((await lineWords()).join(' '));
}

/** The commands, and the options that the help shows. */
async function lineWords(): Promise<readonly string[]> {
  const all = await loadAll();
  const own = all.flatMap(([, {options = []}]) => options);
  const shown = [...earlyOptions, ...globalOptions, ...own].filter(({text}) => text);
  return [...new Set([...all.map(([name]) => name), ...shown.map(({name}) => `--${name}`)])];
}
