/** Reads a call of a known program into its acts, by the program's entry. */

import {posix} from 'node:path';

import type {Unknown} from './effect.ts';
import {sortArguments, type SortedArguments} from './program-arguments.ts';
import {rolesOfSeveral, shareOperands, slotsOf, type Slot} from './program-operands.ts';
import type {Act, Invocation, Program, Reading} from './program.ts';
import {isRole} from './role.ts';
import {wordOf, type Word} from './word.ts';

type Entry = Omit<Program, 'name'>;

/** Never throws. Words that the entry does not cover are in `unknown`. */
export function readProgram(program: Program, call: Invocation): Reading {
  const {reading, texts} = readCall(program, call);
  return withAlong(reading, texts);
}

/** A program that reaches another computer may send it any of its text words. */
function withAlong(reading: Reading, texts: readonly Word[]): Reading {
  const {acts} = reading;
  const used = new Set(acts.filter(({role}) => role !== 'text').map(({word}) => word));
  const along = texts.filter((word) => !used.has(word));
  if (along.length === 0 || !acts.some(reaches)) return reading;
  return {
    ...reading,
    acts: acts.map((act) => alongWith(act, along)),
  };
}

function alongWith(act: Act, along: readonly Word[]): Act {
  return reaches(act) ? {...act, along: [...(act.along ?? []), ...along]} : act;
}

function reaches({role}: Act): boolean {
  return role === 'fetches' || role === 'sends';
}

interface ReadEntry {
  readonly reading: Reading;
  /** Words of its options and operands that are only text. */
  readonly texts: readonly Word[];
}

function readCall(entry: Entry, call: Invocation): ReadEntry {
  const sorted = sortArguments(entry, call.args, lastOf(entry));
  const holds = {...entry, ...overlayOf(entry, sorted)};
  const {reading: inner, texts} = holds.subcommands
    ? readSubcommand(holds.subcommands, call, sorted)
    : withTexts(collect(readOperands(slotsOf(holds.operands), call, sorted)));
  const outer = collect([...optionsRead(sorted), ...doneBy(holds.does)]);
  const folder = folderOf(sorted);
  const isTest = holds.isTest ?? inner.isTest ?? false;
  const reading: Reading = {
    acts: [...outer.acts, ...inner.acts].map((act) => from(act, folder.from)),
    unknown: [...sorted.unknown, ...folder.unknown, ...outer.unknown, ...inner.unknown],
    ...(isTest ? {isTest} : {}),
  };
  const refined = holds.refine ? holds.refine(reading, call, sorted) : reading;
  return {
    reading: withEnd(refined, entry, {sorted, call}),
    texts: [...texts, ...withTexts(outer).texts, ...unlistedOptions(entry, sorted)],
  };
}

function withTexts(reading: Reading): ReadEntry {
  const texts = reading.acts.filter(({role}) => role === 'text').map(({word}) => word);
  return {reading, texts};
}

/** Options of a program that takes any, with their attached values. */
function unlistedOptions({options = ''}: Entry, sorted: SortedArguments): readonly Word[] {
  if (!options.split(' ').includes('*')) return [];
  return sorted.options.flatMap(({name, value}) => (value ? [] : [wordOf(name)]));
}

/** A place that can be read without end. */
export function isEndless(path: string): boolean {
  return /^\/dev\/(?:zero|full|u?random)$/.test(posix.normalize(path));
}

/** Its input must end: otherwise it may fill a disk. */
function withEnd(
  reading: Reading,
  {bounded = ''}: Entry,
  {sorted: {options}, call}: {readonly sorted: SortedArguments; readonly call: Invocation},
): Reading {
  const bounds = bounded.split(' ');
  const isBound = ({name, value}: SortedArguments['options'][number]) =>
    bounds.includes(name) && (value === undefined || isSmall(value.text));
  if (bounds.includes('*') || options.some(isBound)) return reading;
  const source = reading.acts.find(({role, word}) => role === 'reads' && isEndless(word.text));
  const word = source?.word.text ?? (call.input === 'endless' ? call.name : undefined);
  return word === undefined
    ? reading
    : {...reading, unknown: [...reading.unknown, {word, why: 'never ends'}]};
}

/** A number of bytes: `16`, `100k`, `5M`. */
function isSmall(size: string): boolean {
  return /^\d{1,8}$|^\d{1,5}k(?:i?b)?$|^\d{1,2}m(?:i?b)?$/i.test(size);
}

/** The index of the operand from which the words belong to another command or to a subcommand. */
function lastOf(entry: Entry): number {
  if (entry.subcommands) return 0;
  const at = slotsOf(entry.operands).findIndex(({role}) => role === 'command');
  return at < 0 ? Infinity : at;
}

/** The changes that apply because an option is given, or because there are no operands. */
function overlayOf({when = {}}: Entry, {options, operands}: SortedArguments) {
  const fits = (names: string) =>
    names === ''
      ? operands.length === 0
      : names.split(' ').some((name) => options.some((option) => option.name === name));
  return Object.entries(when).find(([names]) => fits(names))?.[1];
}

function readSubcommand(
  entries: NonNullable<Program['subcommands']>,
  call: Invocation,
  {operands, unknown}: SortedArguments,
): ReadEntry {
  const [first, ...args] = operands;
  // The preceding word was not understood: this one may be its value.
  if (unknown.length > 0) return withTexts({acts: [], unknown: []});
  const isNamed = (names: string) =>
    first
      ? first.known && first.text !== '' && names.split(' ').includes(first.text)
      : names === '';
  const found = Object.keys(entries).find(isNamed);
  const entry = found === undefined ? undefined : entries[found];
  if (entry) return readCall(entry, {...call, args});
  const missing = first
    ? {word: `${call.name} ${first.text}`, why: 'is not a known subcommand'}
    : {word: call.name, why: 'needs a subcommand'};
  return withTexts({acts: [], unknown: [missing]});
}

function readOperands(
  slots: readonly Slot[],
  {name}: Invocation,
  {operands}: SortedArguments,
): readonly (Act | Unknown)[] {
  const at = slots.findIndex(({role}) => role === 'command');
  const own = at < 0 ? slots : slots.slice(0, at);
  const shared = shareOperands(own, at < 0 ? operands : operands.slice(0, at));
  if (typeof shared === 'string') return [{word: name, why: shared}];
  const [command, ...rest] = at < 0 ? [] : operands.slice(at);
  return [
    ...shared.flatMap(([slot, word]) => readOperand(slot, own, word)),
    ...(command ? [{role: 'command' as const, word: command, rest}] : []),
    ...(!command && slots[at]?.count === '' ? [{word: name, why: 'has no command to run'}] : []),
  ];
}

function readOperand(slot: Slot, slots: readonly Slot[], word: Word): readonly (Act | Unknown)[] {
  const isSeveral = word.pattern || (!word.known && !word.quoted);
  const roles = isSeveral ? rolesOfSeveral(slot, slots) : [slot.role];
  return (
    roles?.flatMap((role) => readAs(role, word)) ?? [{word: word.text, why: 'may be several words'}]
  );
}

function optionsRead({options}: SortedArguments): readonly (Act | Unknown)[] {
  return options.flatMap(({name, value, role}) => {
    if (role === 'from' || !value) return [];
    return readAs(role, value, name);
  });
}

function readAs(role: string, word: Word, name = word.text): readonly (Act | Unknown)[] {
  if (role === 'unjudged' || !isRole(role))
    return [{word: name, why: 'runs code, or has effects that no rule can determine'}];
  if (role.startsWith('reads') && isPage(word)) return [{role: 'fetches', word}];
  if (role === 'script' || role === 'code' || role === 'loads') return [codeOf(role, word, name)];
  return isSilent(role, word) ? [] : [{role, word}];
}

/** An address where a file is expected: programs that can fetch it do so. */
function isPage({text}: Word): boolean {
  return /^(?:https?|ftps?):\/\//i.test(text);
}

/** The word has no effect: it stays here, or is the standard input. */
function isSilent(role: string, {known, text}: Word): boolean {
  return role === 'local' || (known && text === '-' && role.startsWith('reads'));
}

function codeOf(role: 'script' | 'code' | 'loads', word: Word, name: string): Act | Unknown {
  if (isElsewhere(word)) return {word: word.text, why: 'is code from elsewhere'};
  const isInput = word.known && word.text === '-';
  return isInput ? {word: name, why: 'runs its standard input'} : {role, word};
}

/** An address (`https:`, `data:`, `npm:`), or code in the word itself (`{"preset": …}`), and so not a file of this workspace. */
export function isElsewhere({text}: Word): boolean {
  return /^(?!node:)[a-z][a-z\d+.-]*:|[{}]/i.test(text);
}

/** `runs=the_tests alters=containers` */
function doneBy(does = ''): readonly (Act | Unknown)[] {
  return does
    .split(' ')
    .filter((part) => part !== '')
    .flatMap((part) => {
      const [role = '', ...target] = part.split('=');
      return readAs(role, wordOf(target.join('=').replaceAll('_', ' '))).map(ofItself);
    });
}

function ofItself(item: Act | Unknown): Act | Unknown {
  return 'role' in item && reaches(item) ? {...item, isOwn: true} : item;
}

function folderOf({options}: SortedArguments): {
  readonly from?: Word;
  readonly unknown: readonly Unknown[];
} {
  const [folder, ...more] = options.filter(({role}) => role === 'from');
  const unknown = more.map(({name}) => ({word: name, why: 'is given twice'}));
  return folder?.value ? {from: folder.value, unknown} : {unknown};
}

function from(act: Act, folder: Word | undefined): Act {
  return folder && !act.from && act.role !== 'text' ? {...act, from: folder} : act;
}

function collect(items: readonly (Act | Unknown)[]): Reading {
  return {
    acts: items.filter((item) => 'role' in item),
    unknown: items.filter((item) => 'why' in item),
  };
}
