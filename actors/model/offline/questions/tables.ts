/** Parses the tables of a database from their CREATE statements, and matches words with their names. */

import {textWords} from '../../../../tools/text/words.ts';
import {japaneseNouns} from './table-words.ts';

export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** The declared types in upper case, by column. */
  readonly types: ReadonlyMap<string, string>;
  /** The referenced tables, by column. */
  readonly references: ReadonlyMap<string, string>;
}

export const tablesQuery =
  "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name";

const constraint = /^(?:primary\s+key|foreign\s+key|unique|check|constraint)\b/i;
const nameAtStart = /^(?:"((?:[^"]|"")+)"|`([^`]+)`|\[([^\]]+)\]|([\p{L}_][\p{L}\p{N}_$]*))\s*/u;
const referring =
  /(?:foreign\s+key\s*\(\s*["`[]?([^"`\])]+)["`\]]?\s*\)\s*|\b)references\s+["`[]?([^"`\]\s(]+)/i;

export function readTable(name: string, sql: string): Table {
  const body = sql.slice(sql.indexOf('(') + 1, sql.lastIndexOf(')'));
  const types = new Map<string, string>();
  const references = new Map<string, string>();
  for (const part of body.split(/,(?![^(]*\))/).map((text) => text.trim())) {
    const {column, type} = readColumn(part);
    if (column !== undefined) types.set(column, type);
    const [, key = column, to] = referring.exec(part) ?? [];
    if (key !== undefined && to !== undefined) references.set(key, to);
  }
  return {name, columns: [...types.keys()], types, references};
}

function readColumn(part: string) {
  const found = constraint.test(part) ? null : nameAtStart.exec(part);
  const column = found?.slice(1).find((group) => group !== undefined);
  const type = /^[A-Za-z]*/.exec(part.slice(found?.[0].length))?.[0] ?? '';
  return {column: column?.replaceAll('""', '"'), type: type.toUpperCase()};
}

/** A reference from the rows of one table to the rows of another. */
export interface Link {
  /** The column of the referring table. */
  readonly key: string;
  readonly to: Table;
  /** The column of the referenced table. */
  readonly id: string;
}

/** The links of a table, by declaration, otherwise by name: `customer_id` refers to `id` of `customers`. */
export function linksOf(table: Table, tables: readonly Table[]): Link[] {
  return table.columns.flatMap((key) => {
    const declared = table.references.get(key);
    const word = /^(.+?)_?(?:id|Id|ID|no|code)$/.exec(key)?.[1];
    const isMeant = ({name}: Table): boolean =>
      declared === undefined
        ? word !== undefined && isNamed(name, word)
        : name.toLowerCase() === declared.toLowerCase();
    const to = tables.find((other) => other !== table && isMeant(other));
    const id = [key, 'id', 'ID', 'Id'].find((name) => to?.columns.includes(name));
    return to && id !== undefined ? [{key, to, id}] : [];
  });
}

export function reachableFrom(table: Table, tables: readonly Table[]): Table[] {
  return [table, ...linksOf(table, tables).map(({to}) => to)];
}

export function labelColumn({columns}: Table): string | undefined {
  return columns.find((column) =>
    /^(?:full_?)?name$|_name$|^title$|^label$|^名前$|名$/i.test(column),
  );
}

const dateLike = /date|time|day|year|(?:_at|_on|At|On)$|日$|年$/i;
/** Columns with the time of an event are often named by a verb. */
const happened =
  /^(?:ordered|created|joined|updated|placed|sold|paid|shipped|hired|born|signed|registered|published)/i;

export function dateColumn({columns, types}: Table): string | undefined {
  return (
    columns.find((name) => /DATE|TIME/.test(types.get(name) ?? '')) ??
    columns.find((name) => dateLike.test(name)) ??
    columns.find((name) => happened.test(name))
  );
}

const numeric = /INT|REAL|NUM|DEC|FLOA|DOUB|MONEY/;

export function measureColumns(table: Table): string[] {
  const keys = /^id$|_id$|Id$|ID$|_no$|year|zip|phone/i;
  return table.columns.filter(
    (name) =>
      numeric.test(table.types.get(name) ?? '') && !keys.test(name) && !table.references.has(name),
  );
}

export function textColumns(table: Table): string[] {
  return table.columns.filter((name) => !numeric.test(table.types.get(name) ?? ''));
}

/** True if a word of a question, in singular or plural, in English or Japanese, matches the name. */
export function isNamed(name: string, word: string): boolean {
  const wanted = textWords(word).join(' ');
  const nouns = japaneseNouns.filter(([japanese]) => name.includes(japanese));
  return (
    wanted === textWords(name).join(' ') ||
    [...textWords(name), ...nouns.flatMap(([, noun]) => textWords(noun))].includes(wanted)
  );
}

export function quotedIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
