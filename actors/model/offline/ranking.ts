/** Questions such as “Which three customers ordered most in 2025?” as a query on the tables that are there. */

import {beginningOf} from './keywords.ts';
import {quoted, type Table} from './tables.ts';

/** What is asked: how many of whom, by how often what was done, and when. */
export interface Ranking {
  readonly count: number;
  /** Beginnings of the words, in lower case. */
  readonly who: string;
  readonly what: string;
  readonly year: string | undefined;
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
    who: beginningOf(who.toLowerCase()),
    what: beginningOf(what.toLowerCase()),
    year: when,
  };
}

const dateLike = /date|time|day|year|(?:_at|_on)$/i;

/** Undefined when no table tells who did it. */
export function rankingQuery(ranking: Ranking, tables: readonly Table[]): string | undefined {
  const {count, who, what, year: when} = ranking;
  const facts = tables.find(({name, columns}) => hasWord(name, what) && columnOf(columns, who));
  const key = facts && columnOf(facts.columns, who);
  const filter = facts && when !== undefined ? yearFilter(facts, what, when) : '';
  if (!facts || key === undefined || filter === undefined) return undefined;
  const people = tables.find((table) => table !== facts && hasWord(table.name, who));
  const {label, join} = labelOf(people, key);
  return [
    `SELECT ${label}, count(*) AS ${quoted(facts.name)} FROM ${quoted(facts.name)} AS f`,
    `${join}${filter}GROUP BY f.${quoted(key)} ORDER BY count(*) DESC, 1 LIMIT ${count}`,
  ].join(' ');
}

/** Undefined when the table does not tell when. */
function yearFilter({columns}: Table, what: string, when: string): string | undefined {
  const dated = columns.find((name) => dateLike.test(name));
  const date = dated ?? columns.find((name) => hasWord(name, what) && /ed$/i.test(name));
  return date === undefined ? undefined : `WHERE substr(f.${quoted(date)}, 1, 4) = '${when}' `;
}

/** Names instead of numbers, where another table has them. */
function labelOf(people: Table | undefined, key: string): {label: string; join: string} {
  const found = people && joined(people, key);
  if (!people || !found) return {label: `f.${quoted(key)}`, join: ''};
  return {
    label: `p.${quoted(found.name)} AS ${quoted(people.name)}`,
    join: `JOIN ${quoted(people.name)} AS p ON p.${quoted(found.id)} = f.${quoted(key)} `,
  };
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

function hasWord(name: string, word: string): boolean {
  return name.toLowerCase().includes(word);
}
