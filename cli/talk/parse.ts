/** Parses a line, or several that were sent as one, into commands. Independent of running interactions. */

import {parseInteractionForm} from '../../machines/domain/interaction-form.ts';
import {nearest} from '../../machines/domain/nearest.ts';
import {type Message, t} from '../../machines/message.ts';
import {commandOf} from '../../tools/interview/phrases.ts';
import {oneLine} from '../render/text.ts';
import {
  answeringCommands,
  beginCommands,
  decidingCommands,
  lookingCommands,
  ratingCommands,
  settingCommands,
} from './command-table.ts';
import {
  misread,
  type ChatCommand,
  type CommandSpec,
  type CommandTable,
  type Reading,
} from './command.ts';

/** In the order of the help. */
export const commandTable: CommandTable = {
  ...beginCommands,
  ...settingCommands,
  ...decidingCommands,
  ...answeringCommands,
  ...ratingCommands,
  ...lookingCommands,
};

const names = Object.keys(commandTable);

export type LineReading =
  | {readonly ok: true; readonly commands: readonly ChatCommand[]}
  /** Nothing of the line is performed. */
  | {readonly ok: false; readonly problem: Message | string};

/**
 * A line that begins with a slash or a colon and a name is a command, one that begins with `!` a shell command; one that begins
 * with two slashes is text that begins with one slash. A command's name without a slash is a mistake. In an answer to an
 * interview, which reads phrases and two slashes itself, neither that nor `!` has a meaning.
 */
export function parseLine(line: string, isAnswer = false): LineReading {
  const text = line.trim();
  if (text === '') return {ok: true, commands: []};
  return isAnswer ? parseAnswer(text) : parseRequest(text);
}

function parseAnswer(text: string): LineReading {
  const isOfInterview = text.startsWith('//') || isPhrase(text);
  return !isOfInterview && isCommandLine(text) ? readCommands(text, []) : said(text);
}

function parseRequest(text: string): LineReading {
  if (isCommandLine(text)) return readCommands(text, []);
  const name = text.toLowerCase();
  if (names.includes(name))
    return misread(t`did you mean /${name}? For a task, type a little more`);
  if (text.startsWith('!')) return readOwnCommand(text.slice(1).trim());
  return said(text.startsWith('//') ? text.slice(1) : text);
}

function said(text: string): LineReading {
  return {ok: true, commands: [{kind: 'say', text}]};
}

/** A command of the interview in other words: `/go back`. */
function isPhrase(text: string): boolean {
  const [, name = ''] = /^\/(\S+)/.exec(text) ?? [];
  return name !== '' && !specOf(name) && commandOf(text) !== undefined;
}

function readOwnCommand(command: string): LineReading {
  if (command === '') {
    return misread(t`! needs a command after it, such as !npm test`);
  }
  return {ok: true, commands: [{kind: 'run', command}]};
}

export function specOf(name: string): CommandSpec | undefined {
  return Object.hasOwn(commandTable, name) ? commandTable[name] : undefined;
}

/** A path is none: `/etc/hosts`; a face is none: `:)`. */
function isCommandLine(text: string): boolean {
  return /^[/:](?:[a-z-]+)?(?=\s|$)/i.test(text);
}

function readCommands(text: string, before: readonly ChatCommand[]): LineReading {
  const [, typed = '', rest = ''] = /^[/:](\S*)\s*([^]*)$/.exec(text) ?? [];
  const name = typed.toLowerCase();
  const spec = specOf(name);
  if (!spec) return misread(noCommand(typed, commandLike(name)));
  const [own, next] = spec.takesText ? [rest, ''] : cutAtCommand(rest);
  const reading: Reading = spec.read(own);
  if (!reading.ok) return reading;
  const commands = [...before, reading.command];
  return next === '' ? {ok: true, commands} : readCommands(next, commands);
}

/** The other name of a form means its command. */
function commandLike(name: string): string | undefined {
  const form = parseInteractionForm(name) ?? '';
  if (names.includes(form)) return form;
  return name === '' ? undefined : nearest(name, names);
}

/** `full /rule 75%`: what belongs to this command, and the commands after it. */
function cutAtCommand(rest: string): readonly [own: string, next: string] {
  const place = rest.search(/(?<=^|\s)\/[a-z]/i);
  return place < 0 ? [rest, ''] : [rest.slice(0, place).trim(), rest.slice(place)];
}

/** `near`: the command that was probably meant. */
export function noCommand(name: string, near?: string): Message {
  const shown = oneLine(name, 40);
  const hint: Message = near === undefined ? t`;` : t`; did you mean /${near}?`;
  return t`there is no /${shown}${hint} /help lists the commands`;
}
