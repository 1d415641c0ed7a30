/** Questions such as “Which three customers ordered most in 2025?” as a query on the tables that are there. */

import {stem} from './keywords.ts';

/** What is asked: how many of whom, by how often what was done, and when. */
export interface Ranking {
  readonly count: number;
  /** Beginnings of the words, in lower case. */
  readonly who: string;
  readonly what: string;
  readonly year: string | undefined;
}

export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}

const numbers = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const defaultCount = 5;
const number = String.raw`(\d{1,3}|${numbers.join('|')})`;
const year = String.raw`(?:\b.*\b((?:19|20)\d\d))?`;
const forms = [
  new RegExp(
    String.raw`^(?:which|who|what|list|show)\b.*?(?:\b${number}\s+)?\b(\w+)\s+(?:who\s+|that\s+|have\s+|has\s+)*(\w+)\s+(?:the\s+)?most${year}`,
    'is',
  ),
  new RegExp(
    String.raw`\btop\s+(?:${number}\s+)?(\w+)\s+by\s+(?:number\s+of\s+)?(\w+)${year}`,
    'is',
  ),
];

export function understandRanking(question: string): Ranking | undefined {
  const found = forms.map((form) => form.exec(question)).find((match) => match !== null);
  const [, count = '', who = '', what = '', when] = found ?? [];
  if (who === '' || what === '') return undefined;
  const word = numbers.indexOf(count.toLowerCase()) + 1;
  return {
    count: Number(count) || word || defaultCount,
    who: stem(who.toLowerCase()),
    what: stem(what.toLowerCase()),
    year: when,
  };
}

/** The query that lists the tables. */
export const tablesQuery = "SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY name";

/** A table's columns from the statement that made it. */
export function readTable(name: string, sql: string): Table {
  const body = sql.slice(sql.indexOf('(') + 1, sql.lastIndexOf(')'));
  const parts = body.split(/,(?![^(]*\))/).map((part) => part.trim());
  const columns = parts.flatMap((part) => {
    const found = /^(?:"((?:[^"]|"")+)"|`([^`]+)`|\[([^\]]+)\]|(\w+))/.exec(part);
    const column = found?.slice(1).find((group) => group !== undefined);
    return column === undefined || constraint.test(part) ? [] : [column.replaceAll('""', '"')];
  });
  return {name, columns};
}

const constraint = /^(?:primary\s+key|foreign\s+key|unique|check|constraint)\b/i;
const dateLike = /date|time|day|year|(?:_at|_on)$/i;

/** Undefined when no table tells who did it. */
export function rankingQuery(
  {count, who, what, year: when}: Ranking,
  tables: readonly Table[],
): string | undefined {
  const facts = tables.find(({name, columns}) => hasWord(name, what) && columnOf(columns, who));
  const key = facts && columnOf(facts.columns, who);
  if (!facts || key === undefined) return undefined;
  const date = facts.columns.find((name) => dateLike.test(name)) ?? verbColumn(facts, what);
  if (when !== undefined && date === undefined) return undefined;
  const people = tables.find((table) => table !== facts && hasWord(table.name, who));
  const label = people && joined(people, key);
  return [
    `SELECT ${label ? `p.${quoted(label.name)}` : `f.${quoted(key)}`} AS ${quoted(people && label ? people.name : key)},`,
    `count(*) AS ${quoted(facts.name)}`,
    `FROM ${quoted(facts.name)} AS f`,
    ...(people && label
      ? [`JOIN ${quoted(people.name)} AS p ON p.${quoted(label.id)} = f.${quoted(key)}`]
      : []),
    ...(when === undefined || date === undefined
      ? []
      : [`WHERE substr(f.${quoted(date)}, 1, 4) = '${when}'`]),
    `GROUP BY f.${quoted(key)} ORDER BY count(*) DESC, 1 LIMIT ${count}`,
  ].join(' ');
}

/** How the people of a table are found by a key of another, and what they are called. */
function joined({columns}: Table, key: string): {id: string; name: string} | undefined {
  const id =
    columns.find((column) => column === key) ?? columns.find((column) => /^id$/i.test(column));
  const name = columns.find((column) => /^(?:full_?)?name$|_name$|^title$|^label$/i.test(column));
  const isKey = /(?:_id|Id|ID)$/.test(key) || id === key;
  return id === undefined || name === undefined || !isKey ? undefined : {id, name};
}

function columnOf(columns: readonly string[], word: string): string | undefined {
  return columns.find((column) => hasWord(column, word));
}

/** `ordered`, when the table has no column that looks like a date. */
function verbColumn({columns}: Table, what: string): string | undefined {
  return columns.find((column) => hasWord(column, what) && /ed$/i.test(column));
}

function hasWord(name: string, word: string): boolean {
  return name.toLowerCase().includes(word);
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
