/**
 * A question on tables, such as “How many orders did Bob make in 2025?”, word by word: what is measured, of which table,
 * per which group, and the values that rows have to hold. A word that is none of them leaves it not understood.
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
  /** How many groups, the largest first; all if undefined. */
  readonly most?: number;
  readonly year: string | undefined;
  readonly words: readonly string[];
  /** Of what somebody did, not of who they are. */
  readonly isOfDeeds: boolean;
}

/** `Customers in Tokyo`, `Orders per status`: what is asked for is left out. */
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
  const words = wordsOf(ungrouped.replace(year ?? '', ' '));
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

/** `Which three customers ordered most in 2025?`: whose rows are counted, of which table, and how many are shown. */
function readRanking(question: string): TableQuestion | undefined {
  const found = rankings.map((form) => form.exec(question)?.groups).find(Boolean);
  const {count = '', who, what} = found ?? {};
  if (who === undefined || what === undefined) return undefined;
  const most = Number(count) || numbers.indexOf(count.toLowerCase()) + 1 || usualCount;
  const year = yearIn.exec(question)?.[1];
  return {measure: 'count', group: who, most, year, words: [what], isOfDeeds: true};
}

/** One: `total number of` counts, and `show the average` is no list; `average and largest` are two. */
function measureOf(text: string, group: string | undefined): Measure | undefined {
  const found = measureWords.filter(([, words]) => words.test(text)).map(([one]) => one);
  const several = found.filter((one) => one !== 'list' && one !== 'sum');
  return several.length > 1 ? undefined : (found[0] ?? impliedMeasure(text, group));
}

/** Quoted texts are one word; Japanese nouns become English ones, and its particles go. */
function wordsOf(text: string): string[] {
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
  /** It names the rows of the table: two of the same name are two. */
  readonly isOfWhole?: true;
}

export interface Asked {
  readonly measure: Measure;
  readonly table: Table;
  /** What is added up; of a count, what has to be distinct. */
  readonly column: string | undefined;
  readonly group: Place | undefined;
  readonly most: number | undefined;
  readonly year: {readonly column: string; readonly year: string} | undefined;
  /** Rows have to hold them, nobody knows yet where. */
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
    // `orders by Bob`: what is no group is a value.
    values: group !== undefined && !place ? [...values, group] : values,
  };
}

interface Subject {
  readonly table: Table;
  readonly column: string | undefined;
  readonly word?: string;
}

/** The table whose rows count, or the column that a word names, else the only one that can be measured. */
function subjectOf(
  measure: Measure,
  named: readonly Table[],
  others: readonly string[],
  tables: readonly Table[],
): Subject | undefined {
  const [first, second] = named;
  if (measure === 'count' || measure === 'list') {
    // `customers who ordered` are rows of the orders, with different customers.
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

/** Words that stand next to each other are one value: `New York`. */
function joinedValues(values: readonly string[], words: readonly string[]): string[] {
  const runs = words
    .map((word) => (values.includes(word) ? word : '\n'))
    .join(' ')
    .split('\n');
  return runs.map((run) => run.trim()).filter((run) => run !== '');
}
