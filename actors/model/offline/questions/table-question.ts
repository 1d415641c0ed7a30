/**
 * Parses a question about tables, such as “How many orders did Bob make in 2025?”, word by word: the measure, the table,
 * the group, and the values that rows must contain. A question with any other word is not understood.
 */

import {
  deeds,
  fillers,
  groupAfter,
  groupBefore,
  japaneseFillers,
  japaneseNouns,
  type Measure,
  measureWords,
} from './table-words.ts';
import {
  dateColumn,
  isNamed,
  labelColumn,
  linksOf,
  measureColumns,
  reachableFrom,
  type Table,
} from './tables.ts';

export interface TableQuestion {
  readonly measure: Measure;
  readonly group: string | undefined;
  /** The number of groups to show, largest first; all if undefined. */
  readonly most?: number;
  readonly year: string | undefined;
  readonly words: readonly string[];
  /** True for a question about actions of a person, not about the person. */
  readonly isOfDeeds: boolean;
}

/** The measure of a question without a measure word: `Customers in Tokyo`, `Orders per status`. */
function impliedMeasure(question: string, group: string | undefined): Measure | undefined {
  if (!/^\s*(?:all\s+)?[\p{L}_]+\s+(?:in|from|of|with|per|by)\s/iu.test(question)) return undefined;
  return group === undefined ? 'list' : 'count';
}

export function readTableQuestion(question: string): TableQuestion | undefined {
  const ranking = readRanking(question);
  if (ranking) return ranking;
  const text = question
    .normalize('NFKC')
    .replaceAll(/[“”「」]/g, '"')
    .replaceAll(/[\w./-]+\.(?:sqlite3?|db3?)\b/gi, ' ');
  const bare = measureWords.reduce((rest, [, words]) => rest.replace(words, ' '), text);
  const group = groupAfter.exec(bare)?.[1] ?? groupBefore.exec(bare)?.[1];
  const measure = measureOf(text, group);
  if (measure === undefined) return undefined;
  const ungrouped =
    group === undefined ? bare : bare.replace(groupAfter, ' ').replace(groupBefore, ' ');
  const year = yearIn.exec(ungrouped)?.[1];
  const words = splitQuestion(ungrouped.replace(year ?? '', ' '));
  const isOfDeeds = deeds.test(text);
  return {measure, group: group && translated(group), year, words, isOfDeeds};
}

const yearIn = /(?<!\d)((?:19|20)\d\d)(?!\d)/;
const numbers = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const rankings = [
  String.raw`^(?:which|who|what|list|show)\b.*?(?:\b(?<count>\d{1,3}|${numbers.join('|')})\s+)?\b(?<who>\w+)\s+(?:who\s+|that\s+|have\s+|has\s+)*(?<what>\w+)\s+(?:the\s+)?most\b`,
  String.raw`\btop\s+(?:(?<count>\d{1,3}|${numbers.join('|')})\s+)?(?<who>\w+)\s+by\s+(?:number\s+of\s+)?(?<what>\w+)`,
].map((source) => new RegExp(source, 'is'));
const usualCount = 5;

/** Parses `Which three customers ordered most in 2025?`: the group, the table, and the number of groups to show. */
function readRanking(question: string): TableQuestion | undefined {
  const found = rankings.map((form) => form.exec(question)?.groups).find(Boolean);
  const {count = '', who, what} = found ?? {};
  if (who === undefined || what === undefined) return undefined;
  const most = Number(count) || numbers.indexOf(count.toLowerCase()) + 1 || usualCount;
  const year = yearIn.exec(question)?.[1];
  return {measure: 'count', group: who, most, year, words: [what], isOfDeeds: true};
}

/** The only measure of a question: `total number of` is a count, `show the average` an average; two measures are undefined. */
function measureOf(text: string, group: string | undefined): Measure | undefined {
  const found = measureWords.filter(([, words]) => words.test(text)).map(([one]) => one);
  const several = found.filter((one) => one !== 'list' && one !== 'sum');
  return several.length > 1 ? undefined : (found[0] ?? impliedMeasure(text, group));
}

/** Splits text into words. A quoted text is one word; Japanese nouns are translated, and particles are removed. */
function splitQuestion(text: string): string[] {
  const parts = text.match(/"[^"]+"|[^"]+/g) ?? [];
  return parts.flatMap((part) => (part.startsWith('"') ? [part.slice(1, -1)] : bareWords(part)));
}

function bareWords(text: string): string[] {
  const english = japaneseNouns.reduce(
    (rest, [japanese, noun]) => rest.replaceAll(japanese, ` ${noun} `),
    text,
  );
  const words =
    english.replaceAll(japaneseFillers, ' ').match(/[\p{L}\p{N}_@.-]*[\p{L}\p{N}_]/gu) ?? [];
  return words.filter((word) => !fillers.has(word.toLowerCase()));
}

function translated(word: string): string {
  return japaneseNouns.find(([japanese]) => japanese === word)?.[1] ?? word;
}

export interface Place {
  readonly table: Table;
  readonly column: string;
  /** True if the column labels the rows of the table: two rows with the same label are distinct groups. */
  readonly isOfWhole?: true;
}

export interface Asked {
  readonly measure: Measure;
  readonly table: Table;
  /** The measured column; for a count, the column whose values must be distinct. */
  readonly column: string | undefined;
  readonly group: Place | undefined;
  readonly most: number | undefined;
  readonly year: {readonly column: string; readonly year: string} | undefined;
  /** Values that rows must contain, in columns that are not yet known. */
  readonly values: readonly string[];
}

export function resolve(question: TableQuestion, tables: readonly Table[]): Asked | undefined {
  const {measure, words, year, group} = question;
  const named = words.flatMap((word) =>
    tables.filter((table) => isNamed(table.name, word)).slice(0, 1),
  );
  const others = words.filter((word) => !tables.some((table) => isNamed(table.name, word)));
  const subject = subjectOf(measure, named, others, tables);
  if (!subject) return undefined;
  const {table} = subject;
  const reachable = reachableFrom(table, tables);
  const left = others.filter((word) => word !== subject.word);
  const values = joinedValues(
    left.filter((word) => !isColumnOf(word, reachable)),
    words,
  );
  const place = group === undefined ? undefined : groupPlace(group, reachable);
  const date = dateColumn(table);
  if (year !== undefined && date === undefined) return undefined;
  return {
    measure,
    table,
    column: subject.column,
    group: place,
    most: question.most,
    year: year === undefined || date === undefined ? undefined : {column: date, year},
    // `orders by Bob`: a word that is not a column or a table is a value.
    values: group !== undefined && !place ? [...values, group] : values,
  };
}

interface Subject {
  readonly table: Table;
  readonly column: string | undefined;
  readonly word?: string;
}

/** The table whose rows are counted, or the column to measure: the named one, otherwise the only numeric one. */
function subjectOf(
  measure: Measure,
  named: readonly Table[],
  others: readonly string[],
  tables: readonly Table[],
): Subject | undefined {
  const [first, second] = named;
  if (measure === 'count' || measure === 'list') {
    // `customers who ordered` counts distinct customers in the rows of the orders.
    const link = second && linksOf(second, tables).find(({to}) => to === first);
    if (measure === 'count' && link) return {table: second, column: link.key};
    return first && {table: first, column: undefined};
  }
  const columns = (first ? named : tables).flatMap((table) =>
    measureColumns(table).map((column) => ({table, column})),
  );
  const [own] = others.flatMap((word) =>
    columns
      .filter(({column}) => isNamed(column, word))
      .map(({table, column}) => ({table, column, word})),
  );
  return own ?? (columns.length === 1 ? columns[0] : undefined);
}

function isColumnOf(word: string, tables: readonly Table[]): boolean {
  return tables.some(({columns}) => columns.some((column) => isNamed(column, word)));
}

function groupPlace(word: string, reachable: readonly Table[]): Place | undefined {
  for (const table of reachable) {
    const column = table.columns.find((name) => isNamed(name, word) && !/id$/i.test(name));
    if (column !== undefined) return {table, column};
  }
  const [, ...parents] = reachable;
  const parent = parents.find(({name}) => isNamed(name, word));
  const label = parent && (labelColumn(parent) ?? parent.columns[0]);
  return parent && label !== undefined
    ? {table: parent, column: label, isOfWhole: true}
    : undefined;
}

/** Adjacent words are one value: `New York`. */
function joinedValues(values: readonly string[], words: readonly string[]): string[] {
  const runs = words
    .map((word) => (values.includes(word) ? word : '\n'))
    .join(' ')
    .split('\n');
  return runs.map((run) => run.trim()).filter((run) => run !== '');
}
