/** Parses the lines of a program, or of a subcommand, into its entry of the table. */

import {didYouMean} from '../../../machines/domain/nearest.ts';
import type {Program, Refinements} from '../program.ts';
import {all} from '../refinements/refine.ts';
import {faultAt, type Line} from './lines.ts';
import {isOptionName, parseDoes, parseOperands, parseOption} from './roles.ts';

type Entry = Omit<Program, 'name'>;
type Change = NonNullable<Program['when']>[string];

export interface Surrounding {
  /** The lines of the group named by the line. Throws for an unknown group. */
  readonly include: (line: Line) => readonly Line[];
  readonly refinements: Refinements;
}

/** `isOnce`: at most one such line in a block. `isOpen`: lines may be indented below it. `words`: the number that follow the keyword. */
const keywords = {
  option: {isOnce: false, isOpen: false, words: 'any'},
  include: {isOnce: false, isOpen: false, words: 'some'},
  style: {isOnce: true, isOpen: false, words: 'some'},
  operands: {isOnce: true, isOpen: false, words: 'some'},
  does: {isOnce: false, isOpen: false, words: 'some'},
  'runs-tests': {isOnce: true, isOpen: false, words: 'none'},
  'runs-no-tests': {isOnce: true, isOpen: false, words: 'none'},
  when: {isOnce: false, isOpen: true, words: 'some'},
  refine: {isOnce: true, isOpen: false, words: 'some'},
  bounded: {isOnce: true, isOpen: false, words: 'some'},
  subcommand: {isOnce: false, isOpen: true, words: 'some'},
  example: {isOnce: false, isOpen: false, words: 'some'},
} as const;
type Keyword = keyof typeof keywords;

/** The words that begin lines other than options. */
export const keywordNames: readonly string[] = Object.keys(keywords).filter(
  (keyword) => keyword !== 'option',
);

type Parts = ReadonlyMap<Keyword, readonly Line[]>;

/** Throws `FILE:LINE: …` for a line that it does not understand. */
export function parseEntry(lines: readonly Line[], surrounding: Surrounding): Entry {
  const parts = partsOf(withGroups(lines, surrounding));
  const options = optionsOf(parts);
  const [bounded] = parts.get('bounded') ?? [];
  const [odd] = parts.get('runs-no-tests') ?? [];
  if (odd) throw faultAt(odd, '"runs-no-tests" is for a "when"');
  return {
    ...(options.length > 0 ? {options: options.join(' ')} : {}),
    ...styleOf(parts),
    ...changeOf(parts),
    ...(parts.has('runs-tests') ? {isTest: true} : {}),
    ...whenOf(parts, options),
    ...subcommandsOf(parts, surrounding),
    ...refineOf(parts, surrounding),
    ...(bounded ? {bounded: bounded.words.slice(1).join(' ')} : {}),
  };
}

function withGroups(lines: readonly Line[], surrounding: Surrounding): readonly Line[] {
  return lines.flatMap((line) =>
    line.words[0] === 'include' ? withGroups(surrounding.include(line), surrounding) : [line],
  );
}

function partsOf(lines: readonly Line[]): Parts {
  const parts = Map.groupBy(lines, keywordOf);
  for (const [keyword, found] of parts) {
    const [, second] = found;
    if (second && keywords[keyword].isOnce) throw faultAt(second, `"${keyword}" is given twice`);
    for (const line of found) checkLine(line, keyword);
  }
  return parts;
}

function checkLine(line: Line, keyword: Keyword): void {
  const {isOpen, words} = keywords[keyword];
  const [below] = line.lines;
  if (below && !isOpen) throw faultAt(below, 'no line can be indented here');
  const given = line.words.length - 1;
  if (words === 'some' && given === 0) throw faultAt(line, `expected words after "${keyword}"`);
  if (words === 'none' && given > 0) throw faultAt(line, `expected nothing after "${keyword}"`);
}

function keywordOf(line: Line): Keyword {
  const [word = ''] = line.words;
  if (isOptionName(word)) return 'option';
  if (isKeyword(word) && word !== 'option') return word;
  throw faultAt(line, `unknown word "${word}"${didYouMean(word, keywordNames)}`);
}

function isKeyword(word: string): word is Keyword {
  return Object.hasOwn(keywords, word);
}

/** An option listed by two groups appears once. */
function optionsOf(parts: Parts): readonly string[] {
  const values = new Map<string, string>();
  return (parts.get('option') ?? []).flatMap((line) => {
    const option = parseOption(line);
    const value = option.slice(namePart(option).length);
    const names = namesOf(option).filter((name) => values.get(name) !== value);
    for (const name of names) {
      if (values.has(name)) throw faultAt(line, `"${name}" is listed above with another value`);
      values.set(name, value);
    }
    return names.length > 0 ? [`${names.join('|')}${value}`] : [];
  });
}

function namePart(option: string): string {
  return option.replace(/=.*/s, '');
}

function namesOf(option: string): readonly string[] {
  return namePart(option).split('|');
}

function styleOf(parts: Parts): Pick<Entry, 'style'> {
  const [line] = parts.get('style') ?? [];
  if (!line) return {};
  const style = line.words.slice(1).join(' ');
  if (style !== 'posix' && style !== 'single')
    throw faultAt(line, `unknown style "${style}"; expected "posix" or "single"`);
  return {style};
}

/** Belongs to an entry, or to a `when` in it. */
function changeOf(parts: Parts): Pick<Entry, 'operands' | 'does'> {
  const [operands] = parts.get('operands') ?? [];
  const does = parts.get('does');
  return {
    ...(operands ? {operands: parseOperands(operands)} : {}),
    ...(does ? {does: parseDoes(does)} : {}),
  };
}

function whenOf(parts: Parts, options: readonly string[]): Pick<Entry, 'when'> {
  const lines = parts.get('when') ?? [];
  if (lines.length === 0) return {};
  const known = new Set(options.flatMap(namesOf));
  const when: Record<string, Change> = {};
  for (const line of lines) {
    const condition = conditionOf(line, known);
    if (Object.hasOwn(when, condition)) throw faultAt(line, 'the same condition is above already');
    when[condition] = changed(line);
  }
  return {when};
}

/** `when -w --write`, `when no operands`. */
function conditionOf(line: Line, known: ReadonlySet<string>): string {
  const names = line.words.slice(1);
  if (names.join(' ') === 'no operands') return '';
  const odd = names.find((name) => !known.has(name));
  if (odd !== undefined) throw faultAt(line, `no option "${odd}"${didYouMean(odd, known)}`);
  return names.join(' ');
}

const changing = new Set<Keyword>(['operands', 'does', 'runs-tests', 'runs-no-tests']);

function changed({lines}: Line): Change {
  const parts = partsOf(lines);
  const odd = [...parts].find(([keyword]) => !changing.has(keyword))?.[1][0];
  if (odd) throw faultAt(odd, 'only "operands", "does" and "runs-tests" can change');
  return {
    ...changeOf(parts),
    ...(parts.has('runs-tests') ? {isTest: true} : {}),
    ...(parts.has('runs-no-tests') ? {isTest: false} : {}),
  };
}

/** Each is parsed on first use: git has more than a hundred. */
function subcommandsOf(parts: Parts, surrounding: Surrounding): Pick<Entry, 'subcommands'> {
  const lines = parts.get('subcommand') ?? [];
  if (lines.length === 0) return {};
  const seen = new Set<string>();
  const subcommands: Record<string, Entry> = {};
  for (const line of lines) {
    const names = line.words.slice(1);
    const twice = names.find((name) => seen.has(name));
    if (twice !== undefined) throw faultAt(line, `"${twice}" is a subcommand above already`);
    for (const name of names) seen.add(name);
    let entry: Entry | undefined;
    Object.defineProperty(subcommands, names.join(' ') === 'none' ? '' : names.join(' '), {
      enumerable: true,
      get: () => (entry ??= parseEntry(line.lines, surrounding)),
    });
  }
  return {subcommands};
}

/** Several refinements are applied one after the other. */
function refineOf(parts: Parts, {refinements}: Surrounding): Pick<Entry, 'refine'> {
  const [line] = parts.get('refine') ?? [];
  if (!line) return {};
  const refines = line.words.slice(1).map((name) => {
    const refine = Object.hasOwn(refinements, name) ? refinements[name] : undefined;
    if (refine) return refine;
    throw faultAt(
      line,
      `unknown refinement "${name}"${didYouMean(name, Object.keys(refinements))}`,
    );
  });
  const [first, ...more] = refines;
  return first ? {refine: more.length > 0 ? all(...refines) : first} : {};
}
