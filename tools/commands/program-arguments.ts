/** Separates the options of a call from its operands, according to the entry of its program. */

import type {Unknown} from './effect.ts';
import type {Arguments, Program} from './program.ts';
import type {Word} from './word.ts';

interface Option {
  readonly value: 'none' | 'attached' | 'separate';
  readonly role: string;
}

export interface SortedArguments extends Arguments {
  readonly options: readonly {
    readonly name: string;
    readonly value?: Word;
    readonly role: string;
  }[];
  readonly unknown: readonly Unknown[];
}

/**
 * @param last Index of the operand from which every word is an operand of another command.
 */
export function sortArguments(
  {options = '', style = 'gnu'}: Pick<Program, 'options' | 'style'>,
  args: readonly Word[],
  last: number,
): SortedArguments {
  const manner = {table: tableOf(options), style};
  const limit = style === 'posix' ? 0 : last;
  const split = {
    options: [] as SortedArguments['options'][number][],
    operands: [] as Word[],
    unknown: [] as Unknown[],
  };
  let index = 0;
  while (index < args.length) {
    const step = readWord(args, index, {...manner, isLast: split.operands.length >= limit});
    split.options.push(...(step.options ?? []));
    split.operands.push(...(step.operands ?? []));
    split.unknown.push(...(step.unknown ?? []));
    index = step.next ?? index + 1;
  }
  return split;
}

interface Manner {
  readonly table: ReadonlyMap<string, Option>;
  readonly style: 'gnu' | 'posix' | 'single';
}

/** The result of reading one word. */
interface Step extends Partial<SortedArguments> {
  /** The index of the next word to read, if it is not the following one. */
  readonly next?: number;
}

function readWord(
  args: readonly Word[],
  index: number,
  {isLast, ...manner}: Manner & {readonly isLast: boolean},
): Step {
  const word = args[index];
  if (!word) return {};
  if (word.known && word.text === '--') return {operands: args.slice(index + 1), next: args.length};
  if (isOption(word, manner)) {
    return readOption({...manner, args, index, word});
  }
  return isLast ? {operands: args.slice(index), next: args.length} : {operands: [word]};
}

/** The word is an option, or may be one. */
function isOption(word: Word, {table}: Manner): boolean {
  if (isUnsure(word)) return !table.has('*');
  return word.text.startsWith('-') && word.text !== '-';
}

/** It may begin with anything, or expand to several words. */
function isUnsure(word: Word): boolean {
  return !word.known && (!word.quoted || !/^[\w./=,:%-]/.test(word.text));
}

const tables = new Map<string, ReadonlyMap<string, Option>>();

function tableOf(options: string): ReadonlyMap<string, Option> {
  const made = tables.get(options);
  if (made) return made;
  const table = new Map<string, Option>();
  for (const entry of options.split(' ').filter((part) => part !== '')) {
    const [names = '', value] = entry.split('=', 2);
    const option: Option =
      value === undefined
        ? {value: 'none', role: 'text'}
        : {value: value.startsWith('?') ? 'attached' : 'separate', role: value.replace('?', '')};
    for (const name of names.split('|')) table.set(name, option);
  }
  tables.set(options, table);
  return table;
}

/** An option, with the words around it. */
interface At extends Manner {
  readonly args: readonly Word[];
  readonly index: number;
  readonly word: Word;
}

function readOption(at: At): Step {
  const {word, table, style} = at;
  if (isUnsure(word))
    return refused(word, word.quoted ? 'may be an option' : 'may be several words, or options');
  if (word.known && /^-\d+$/.test(word.text) && table.has('-NUM')) {
    return {options: [{name: '-NUM', value: partOf(word, 1), role: 'text'}]};
  }
  return word.text.startsWith('--') || style === 'single' ? readLong(at) : readCluster(at);
}

function readLong(at: At): Step {
  const {word, table} = at;
  const equals = word.text.indexOf('=');
  const name = equals < 0 ? word.text : word.text.slice(0, equals);
  const option = table.get(name);
  if (!option) return unlisted(at, name);
  if (equals < 0) return withoutValue(at, name, option);
  if (option.value === 'none' || option.role.includes(','))
    return refused(word, 'takes no value that is attached');
  return {options: [{name, value: partOf(word, equals + 1), role: option.role}]};
}

function readCluster(at: At): Step {
  const {word, table} = at;
  const options: SortedArguments['options'][number][] = [];
  for (let index = 1; index < word.text.length; index += 1) {
    const name = `-${word.text.charAt(index)}`;
    const option = table.get(name);
    if (!option) return unlisted(at, name);
    const rest = partOf(word, index + 1);
    if (option.value !== 'none' && rest.text !== '') {
      if (rest.text.startsWith('=') && option.role !== 'text')
        return refused(word, 'has a value that may begin with =');
      return {options: [...options, {name, value: rest, role: option.role}]};
    }
    const step = withoutValue(at, name, option);
    options.push(...(step.options ?? []));
    if (step.unknown || step.next !== undefined) return {...step, options};
  }
  return {options};
}

/** An option without an attached value: it takes none, or as many of the next words as it has roles. */
function withoutValue({args, word, index}: At, name: string, {value, role}: Option): Step {
  if (value !== 'separate') return {options: [{name, role}]};
  const roles = role.split(',');
  const values = args.slice(index + 1, index + 1 + roles.length);
  if (values.length < roles.length) return refused(word, 'has no value');
  const several = values.find(({pattern, known, quoted}) => pattern || (!known && !quoted));
  if (several) return refused(several, 'may be several words');
  const dashed = values.find(({text}) => /^-\D/.test(text));
  if (dashed) return refused(dashed, `may be an option, or the value of ${name}`);
  const options = values.map((given, at) => ({name, value: given, role: roles[at] ?? ''}));
  return {options, next: index + 1 + roles.length};
}

function unlisted({word, table}: At, name: string): Step {
  return table.has('*')
    ? {options: [{name: word.text, role: 'text'}]}
    : refused({...word, text: name}, 'is not a known option');
}

function refused({text}: Word, why: string): Step {
  return {unknown: [{word: text, why}]};
}

function partOf(word: Word, from: number): Word {
  return {...word, text: word.text.slice(from)};
}
