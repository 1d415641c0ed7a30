/** find: the folders it searches, the files it deletes or writes, and the commands that it runs. */

import type {Unknown} from '../effect.ts';
import type {Act, Invocation, Reading, Refinements} from '../program.ts';
import {wordOf, type Word} from '../word.ts';
import {isSure} from './given.ts';
import {act} from './refine.ts';

const flags = new Set(
  [
    '-print -print0 -ls -prune -quit -empty -readable -writable -executable -depth -d -xdev',
    '-mount -daystart -noleaf -nouser -nogroup -true -false -ignore_readdir_race',
    '-noignore_readdir_race -warn -nowarn -H -P -help -version --help --version',
  ].flatMap((line) => line.split(' ')),
);

const joins = new Set('-a -and ! -not'.split(' '));

const branches = new Set('( ) , -o -or'.split(' '));

const values = new Set(
  [
    '-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -lname -ilname',
    '-type -xtype -size -mtime -mmin -ctime -cmin -atime -amin -perm -user -group -uid -gid',
    '-links -inum -maxdepth -mindepth -printf -fstype -used -newermt -newerat -newerct',
  ].flatMap((line) => line.split(' ')),
);

const files = new Set('-newer -anewer -cnewer -samefile'.split(' '));

interface State {
  readonly args: readonly Word[];
  readonly roots: readonly Word[];
  at: number;
  /** Every match has at least this name, a pattern of the shell. */
  name: string | undefined;
  /** The expression has branches, so names do not limit the matches. */
  readonly branches: boolean;
  readonly items: (Act | Unknown)[];
}

/** A word that begins the expression. */
function isExpression({text}: Word): boolean {
  return /^[-(),!]/.test(text);
}

function readFind(reading: Reading, {args}: Invocation): Reading {
  const leading = args.findIndex(({text}) => !['-H', '-P'].includes(text));
  const start = leading < 0 ? args.length : leading;
  const at = args.findIndex((word, index) => index >= start && isExpression(word));
  const named = args.slice(start, at < 0 ? args.length : at);
  const roots = named.length > 0 ? named : [wordOf('.')];
  const state: State = {
    args,
    roots,
    at: at < 0 ? args.length : at,
    name: undefined,
    branches: args.some(({text}) => branches.has(text)),
    items: roots.map((word) => rootOf(word)),
  };
  while (state.at < args.length) readPrimary(state);
  return {
    ...reading,
    acts: state.items.filter((item) => 'role' in item),
    unknown: state.items.filter((item) => 'why' in item),
  };
}

function rootOf(word: Word): Act | Unknown {
  const isSafe = word.known || (word.quoted && /^[\w./]/.test(word.text));
  return isSafe ? act('lists', word) : {word: word.text, why: 'may be a part of what find does'};
}

function readPrimary(state: State): void {
  const word = state.args[state.at];
  if (!word) return;
  const {text} = word;
  state.at += 1;
  if (!isSure(word)) {
    state.items.push({word: text, why: 'may be a part of what find does'});
    return;
  }
  if (flags.has(text) || joins.has(text) || branches.has(text)) return;
  if (values.has(text) || files.has(text)) readValue(state, text);
  else readAction(state, text);
}

/** A test with a value; `-name` narrows the matches. */
function readValue(state: State, text: string): void {
  const value = state.args[state.at];
  const isNegated = ['!', '-not'].includes(state.args[state.at - 2]?.text ?? '');
  state.at += 1;
  if (!value || isLoose(value)) {
    state.items.push({word: value?.text ?? text, why: 'may be several words, or none'});
    return;
  }
  if (files.has(text)) state.items.push(act('lists', value));
  else if (text === '-name' && !isNegated) narrow(state, value);
}

function isLoose({known, quoted}: Word): boolean {
  return !known && !quoted;
}

function narrow(state: State, value: Word): void {
  if (value.known && !state.branches) state.name = value.text;
}

function readAction(state: State, text: string): void {
  if (text === '-delete') {
    state.items.push(...deletedBy(state));
  } else if (text === '-exec') readCommand(state);
  else if (text === '-fprint' || text === '-fprint0' || text === '-fls') readOutput(state, 1);
  else if (text === '-fprintf') readOutput(state, 2);
  else state.items.push({word: text, why: 'is not a known part of find'});
}

function readOutput(state: State, words: number): void {
  const value = state.args[state.at];
  state.at += words;
  if (value) state.items.push(act('writes', value));
}

/** Words for the matches, one per root: a pattern, or unknown. */
function foundBy({roots, name = '*'}: State): readonly Word[] {
  return roots.map((root) => {
    const text = `${root.text.replace(/\/+$/, '') || '/'}/**/${name}`.replace(/^\/\//, '/');
    return {text, known: root.known, pattern: true, quoted: true};
  });
}

/** The search may lead outside the workspace. */
function isFar({text}: Word): boolean {
  return /^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(text);
}

function deletedBy(state: State): readonly Act[] {
  const isNarrow = state.name !== undefined && !state.roots.some(isFar);
  return isNarrow
    ? foundBy(state).map((found) => act('deletes', found))
    : state.roots.map((root) => act('deletes-tree', root));
}

/** `-exec CMD … {} … ;`, or `… {} +`. */
function readCommand(state: State): void {
  const end = state.args.findIndex(
    ({text}, index) =>
      index >= state.at && (text === ';' || (text === '+' && state.args[index - 1]?.text === '{}')),
  );
  const [program, ...rest] = state.args.slice(state.at, end < 0 ? state.at : end);
  state.at = end < 0 ? state.args.length : end + 1;
  if (!program || !isSure(program) || program.text.includes('{}')) {
    state.items.push({word: program?.text ?? '-exec', why: 'is not a known command'});
    return;
  }
  const far = state.roots.find(isFar);
  if (far)
    state.items.push({word: far.text, why: 'is the folder where it finds files for a command'});
  for (const found of foundBy(state)) {
    state.items.push({
      role: 'command',
      word: program,
      rest: rest.map((word) => filled(word, found)),
    });
  }
}

function filled(word: Word, found: Word): Word {
  if (word.text === '{}') return found;
  return word.text.includes('{}') ? {...word, known: false, quoted: true} : word;
}

export const find: Refinements = {
  readFind,
};
