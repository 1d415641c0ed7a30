/**
 * Splits shell text into the simple commands that it would run, including those in `$( )`, backticks, groups,
 * functions and process substitutions. Nothing is expanded or run. What cannot be read is a `problem`, never a guess.
 */

import {
  type CommandDraft,
  type Found,
  type Reader,
  readNested,
  type Redirect,
  stop,
  type Word,
} from './shell-reader.ts';
import {readExpansions, readWord} from './shell-word.ts';

export interface SimpleCommand {
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
  /** Text of a here-document or here-string. */
  readonly input: string | undefined;
  /** Reads what another command prints. */
  readonly piped: boolean;
  readonly background: boolean;
}

export interface ShellReading {
  readonly commands: readonly SimpleCommand[];
  /** Names of the functions that the text defines. */
  readonly functions: readonly string[];
  readonly problem: string | undefined;
}

/** Characters of shell text that are read; a longer text is a problem. */
const maxLength = 20_000;
const maxCommands = 500;
const maxWords = 1_000;

const reserved = new Set([
  'if',
  'then',
  'elif',
  'else',
  'fi',
  'do',
  'done',
  'while',
  'until',
  'esac',
  'coproc',
  '!',
  '{',
  '}',
]);

export function readShell(text: string): ShellReading {
  const found: Found = {commands: [], functions: [], problem: undefined};
  if (text.length > maxLength) return {...found, problem: `is longer than ${maxLength} characters`};
  readList({text, at: 0, depth: 0, found, heredocs: [], readList}, false, false);
  return found;
}

/** A list of commands being read, and the one at hand. */
interface List {
  readonly reader: Reader;
  readonly inGroup: boolean;
  command: CommandDraft;
}

function readList(reader: Reader, inGroup: boolean, piped: boolean): void {
  const list: List = {reader, inGroup, command: newCommand(piped)};
  while (reader.at < reader.text.length) {
    const char = reader.text.charAt(reader.at);
    if (char === ')') {
      reader.at += 1;
      finish(list, false);
      if (inGroup) return closeGroup(reader);
    } else if (char === '(') {
      readParenthesis(list);
    } else if (!readBlank(reader) && !readOperator(list)) {
      list.command.words.push(readWord(reader));
      if (list.command.words.length > maxWords) stop(reader, `has more than ${maxWords} words`);
    }
  }
  finish(list, false);
  if (inGroup) stop(reader, 'has a parenthesis that is never closed');
}

/** Shells differ in where a here-document starts when a group ends on the line that announced it. */
function closeGroup(reader: Reader): void {
  if (reader.heredocs.length > 0) stop(reader, 'ends a group before its here-document');
}

function newCommand(piped: boolean): CommandDraft {
  return {words: [], redirects: [], input: undefined, piped, background: false};
}

function finish(list: List, nextPiped: boolean): void {
  const {command, reader} = list;
  const isEmpty = command.words.length === 0 && command.redirects.length === 0;
  list.command = newCommand(nextPiped || (isEmpty && command.piped));
  // The parentheses of its patterns would be taken for the end of the group.
  if (list.inGroup && command.words.some((word) => isBare(word, 'case'))) {
    stop(reader, 'uses case inside parentheses');
  }
  dropReserved(command, reader.found);
  if (command.words.length === 0 && command.redirects.length === 0) return;
  reader.found.commands.push(command);
  if (reader.found.commands.length > maxCommands) {
    stop(reader, `has more than ${maxCommands} commands`);
  }
}

function isBare(word: Word, text: string): boolean {
  return word.text === text && !word.quoted;
}

function dropReserved(command: CommandDraft, found: Found): void {
  for (;;) {
    const [first] = command.words;
    if (!first || first.quoted) return;
    if (first.text === 'function') found.functions.push(command.words.splice(1, 1)[0]?.text ?? '');
    else if (!reserved.has(first.text)) return;
    command.words.shift();
  }
}

function readParenthesis(list: List): void {
  const {reader, command} = list;
  const [name, ...more] = command.words;
  const head = /^\(\s*\)/.exec(reader.text.slice(reader.at, reader.at + 20));
  if (head && name && more.length === 0) {
    reader.found.functions.push(name.text);
    command.words = [];
    reader.at += head[0].length;
    return;
  }
  reader.at += 1;
  finish(list, false);
  readNested(reader, true, command.piped);
}

/** Blanks, continued lines and comments. */
function readBlank(reader: Reader): boolean {
  const blank = /^(?:[ \t]|\\\n)+/.exec(reader.text.slice(reader.at, reader.at + 80));
  if (blank) {
    reader.at += blank[0].length;
    return true;
  }
  if (reader.text.charAt(reader.at) !== '#') return false;
  const end = reader.text.indexOf('\n', reader.at);
  reader.at = end < 0 ? reader.text.length : end;
  return true;
}

const redirection = /^(?:\d*(?:<<<|<<-|<<|<>|<&|>>|>\||>&|<(?!\()|>(?!\())|&>>|&>)/;

function readOperator(list: List): boolean {
  const {reader} = list;
  const ahead = reader.text.slice(reader.at, reader.at + 12);
  const redirect = redirection.exec(ahead)?.[0];
  if (redirect !== undefined) {
    reader.at += redirect.length;
    readRedirect(list, redirect.replace(/^\d+/, ''));
    return true;
  }
  const separator = /^(?:\n|&&|\|\||\|&|[;&|])/.exec(ahead)?.[0];
  if (separator === undefined) return false;
  reader.at += separator.length;
  if (separator === '&') list.command.background = true;
  finish(list, separator === '|' || separator === '|&');
  if (separator === '\n') readHeredocs(reader);
  return true;
}

function readRedirect({reader, command}: List, operator: string): void {
  while (reader.at < reader.text.length && readBlank(reader));
  const target = readWord(reader);
  if (operator === '<<' || operator === '<<-') {
    reader.heredocs.push({command, delimiter: target, stripTabs: operator === '<<-'});
    return;
  }
  if (operator === '<<<') command.input = target.text;
  command.redirects.push({operator, target});
}

function readHeredocs(reader: Reader): void {
  for (const {command, delimiter, stripTabs} of reader.heredocs.splice(0)) {
    const lines: string[] = [];
    while (reader.at < reader.text.length) {
      const end = reader.text.indexOf('\n', reader.at);
      const line = reader.text.slice(reader.at, end < 0 ? undefined : end);
      reader.at = end < 0 ? reader.text.length : end + 1;
      const bare = stripTabs ? line.replace(/^\t+/, '') : line;
      if (bare === delimiter.text) break;
      lines.push(bare);
    }
    command.input = lines.join('\n');
    if (!delimiter.quoted) readExpansions(reader, command.input);
  }
}
