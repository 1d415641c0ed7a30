/** Modes as `chmod` reads them: the resulting permissions, and if they may open a file to others. */

import type {SimpleCommand} from '../../tools/commands/understanding.ts';
import {operands, options} from './command-words.ts';

const all = 0o7777;
const setIds = 0o6000;
const writeOfOthers = 0o002;

interface Change {
  readonly operator: string;
  /** Bits that may change. 0: no user class is named, so all bits that the mask allows. */
  readonly affected: number;
  /** Computes the bits to set from the current mode. */
  readonly value: (mode: number, isFolder: boolean) => number;
  /** For a folder, only these bits of {@link setIds} change. */
  readonly mentioned: number;
}

const whose: Readonly<Record<string, number>> = {u: 0o4700, g: 0o2070, o: 0o1007, a: all};
const rights: Readonly<Record<string, number>> = {
  r: 0o444,
  w: 0o222,
  x: 0o111,
  X: 0,
  s: setIds,
  t: 0o1000,
};

/** The mode after a change, with an empty mask. Undefined: `text` is not a valid mode. */
export function changedMode(text: string, mode: number, isFolder = false): number | undefined {
  return readChanges(text)?.reduce((now, change) => apply(change, now, isFolder), mode);
}

function apply({operator, affected, value, mentioned}: Change, mode: number, isFolder: boolean) {
  const kept = isFolder ? setIds & ~mentioned : 0;
  const bits = value(mode, isFolder) & (affected === 0 ? all : affected) & ~kept;
  if (operator === '+') return mode | bits;
  if (operator === '-') return mode & ~bits;
  const preserved = (affected === 0 ? 0 : all & ~affected) | kept;
  return (mode & preserved) | bits;
}

function readChanges(text: string): readonly Change[] | undefined {
  if (/^[0-7]+$/.test(text)) {
    const octal = Number.parseInt(text, 8);
    const mentioned = text.length < 5 ? octal & setIds : all;
    return octal > all ? undefined : [fixed('=', octal, mentioned)];
  }
  const clauses = text.split(',').map(readClause);
  return clauses.includes(undefined) ? undefined : clauses.flatMap((changes) => changes ?? []);
}

function fixed(operator: string, octal: number, mentioned: number): Change {
  return {operator, affected: all, value: () => octal, mentioned};
}

/** `u+x`, `go=u-w`, `+644`. */
function readClause(clause: string): readonly Change[] | undefined {
  const [, names, changes] = /^([ugoa]*)((?:[-+=](?:[ugo]|[rwxXst]*))+)$/.exec(clause) ?? [];
  if (names !== undefined && changes !== undefined) {
    const affected = namedBits(names, whose);
    return [...changes.matchAll(/([-+=])([ugo]|[rwxXst]*)/g)].map(([, operator = '', given = '']) =>
      changeOf(operator, given, affected),
    );
  }
  const [, operator = '', digits = ''] = /^([-+=])([0-7]+)$/.exec(clause) ?? [];
  const octal = Number.parseInt(digits, 8);
  return octal <= all ? [fixed(operator, octal, all)] : undefined;
}

function namedBits(letters: string, table: Readonly<Record<string, number>>): number {
  return letters.split('').reduce((bits, letter) => bits | (table[letter] ?? 0), 0);
}

function changeOf(operator: string, given: string, affected: number): Change {
  if (/^[ugo]$/.test(given)) {
    const shift = {u: 6, g: 3}[given] ?? 0;
    return {operator, affected, value: (mode) => ((mode >> shift) & 7) * 0o111, mentioned: 0};
  }
  const bits = namedBits(given, rights);
  const mayRun = given.includes('X');
  return {
    operator,
    affected,
    value: (mode, isFolder) => (mayRun && (isFolder || (mode & 0o111) !== 0) ? bits | 0o111 : bits),
    mentioned: affected === 0 ? bits : affected & bits,
  };
}

/** Modes that others cannot write to and that do not set the user or group ID. */
const closed = Array.from({length: 0o1000}, (_, mode) => mode).filter(
  (mode) => (mode & writeOfOthers) === 0,
);

/** True if the change may let others write to a file that was closed to them, or set its user or group ID. */
export function mayOpen(text: string): boolean {
  return closed.some((mode) =>
    [false, true].some(
      (isFolder) => ((changedMode(text, mode, isFolder) ?? 0) & (writeOfOthers | setIds)) !== 0,
    ),
  );
}

/** For `umask`: octal digits name the bits that are removed, letters the bits that are allowed. */
export function mayUnmask(text: string): boolean {
  if (/^[0-7]+$/.test(text)) return (Number.parseInt(text, 8) & writeOfOthers) === 0;
  return mayOpen(text);
}

/** False for `chmod -w FILE` and `chmod --reference=FILE FILE`, whose operands are all files. */
function takesMode(command: SimpleCommand): boolean {
  return !options(command).some((option) => /^-[ugoarwxXst]+$|^--ref/.test(option));
}

/** Modes that a command sets: `chmod MODE`, `mkdir -m MODE`, `rsync --chmod=MODE`. */
export function modesGiven(command: SimpleCommand): readonly string[] {
  const {name, args} = command;
  if (name === 'chmod') return takesMode(command) ? operands(command).slice(0, 1) : [];
  if (!/^(?:g?install|mkdir|mkfifo|mknod|rsync)$/.test(name)) return [];
  const texts = args.map(({text}) => text);
  return texts.flatMap((text, at) => {
    const long = /^--(?:mode|chmod)(?:=(.*))?$/s.exec(text);
    const short = name === 'rsync' ? undefined : /^-[A-Za-z]*?m(.*)$/s.exec(text);
    const found = long ?? short;
    if (!found) return [];
    const [, attached = ''] = found;
    const mode = attached === '' ? (texts[at + 1] ?? '') : attached;
    return name === 'rsync' ? mode.split(',').map((part) => part.replace(/^[DF]/, '')) : [mode];
  });
}
