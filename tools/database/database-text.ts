/** The text of a database for a model: its tables and views, and rows as JSON of limited size. */

import type {DatabaseSync, SQLOutputValue} from 'node:sqlite';

import {escapePattern} from '../../machines/domain/plain-text.ts';
import {escapeLine, firstUnsafe} from '../escape.ts';

const maxBytes = 8_000;
const maxLineBytes = 2_000;
const maxNameLength = 60;

/** One line per table, with a count of those left out. */
export function describeSchema(db: DatabaseSync): string {
  const deep = deepViewsOf(db);
  const tables = tablesOf(db, deep.size > 0);
  if (tables.length === 0) return '(no tables)';
  const lines: string[] = [];
  let bytes = 0;
  for (const {name, type} of tables) {
    const isView = type === 'view';
    const columns = deep.has(String(name)) ? [] : columnsOf(db, String(name));
    const line = describeTable(db, {name: String(name), columns, isView});
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > maxBytes) break;
    lines.push(line);
  }
  const left = tables.length - lines.length;
  if (left > 0) lines.push(`[and ${left} more tables and views: SELECT name FROM sqlite_schema]`);
  return lines.join('\n');
}

/** SQLite's own list excludes shadow tables, but SQLite expands every view to make it. */
function tablesOf(db: DatabaseSync, hasDeepViews: boolean) {
  const list = hasDeepViews
    ? `main.sqlite_schema WHERE type IN ('table', 'view')`
    : `pragma_table_list WHERE schema = 'main' AND type <> 'shadow'`;
  const isOurs = `name NOT LIKE 'sqlite!_%' ESCAPE '!'`;
  return db.prepare(`SELECT name, type FROM ${list} AND ${isOurs} ORDER BY name`).all();
}

/** Empty for a view that cannot be read. */
export function columnsOf(db: DatabaseSync, table: string): {name: string; type: string}[] {
  try {
    return db
      .prepare('SELECT name, type FROM pragma_table_xinfo(?) WHERE hidden <> 1')
      .all(table)
      .map(({name, type}) => ({name: String(name), type: String(type)}));
  } catch {
    return [];
  }
}

interface Table {
  readonly name: string;
  readonly columns: readonly {readonly name: string; readonly type: string}[];
  readonly isView: boolean;
}

function describeTable(db: DatabaseSync, {name: table, columns, isView}: Table): string {
  const shown: string[] = [];
  let bytes = 0;
  for (const {name, type} of columns) {
    const text = `${quoteName(db, name)} ${brief(type)}`.trim();
    bytes += Buffer.byteLength(text) + 2;
    if (bytes > maxLineBytes) break;
    shown.push(text);
  }
  const left = columns.length - shown.length;
  if (left > 0) shown.push(`[and ${left} more columns]`);
  if (columns.length === 0) shown.push('[cannot be read]');
  return `${isView ? 'view ' : ''}${quoteName(db, table)}(${shown.join(', ')})`;
}

/** The name as a query must write it. */
function quoteName(db: DatabaseSync, name: string): string {
  return isPlain(db, name) ? brief(name) : `"${brief(name.replaceAll('"', '""'))}"`;
}

function isPlain(db: DatabaseSync, name: string): boolean {
  if (!/^[A-Za-z_]\w*$/.test(name)) return false;
  try {
    db.prepare(`SELECT 1 AS ${name}`);
    return true;
  } catch {
    return false;
  }
}

function brief(text: string): string {
  const whole = Array.from(text.slice(0, 4 * maxNameLength));
  const shown = escapeLine(whole.slice(0, maxNameLength).join(''));
  return whole.length > maxNameLength ? `${shown}…` : shown;
}

/** If a database has more views, none is expanded. */
const maxViews = 200;
/** The maximum number of views in an expansion, including nested ones. */
const maxExpanded = 1_000;

/**
 * The names of views that SQLite takes too long to expand: it expands each view as often as it is named, so thirty views that
 * each name the previous one twice lead to a thousand million expansions. Names are searched for in texts: a false match at
 * worst leaves a view undescribed.
 */
function deepViewsOf(db: DatabaseSync): ReadonlySet<string> {
  const views = db
    .prepare(`SELECT name, sql FROM main.sqlite_schema WHERE type = 'view'`)
    .all()
    .map(({name, sql}) => ({name: String(name), key: bare(String(name)), text: bare(String(sql))}));
  const byKey = Map.groupBy(views, ({key}) => key);
  const isTooMuch = views.length > maxViews || byKey.has('');
  const expandedBy = isTooMuch ? () => Infinity : expansionOf(byKey);
  return new Set(views.filter(({key}) => expandedBy(key) > maxExpanded).map(({name}) => name));
}

/** The number of views in the expansion of a view, by its key. */
function expansionOf(byKey: ReadonlyMap<string, readonly {readonly text: string}[]>) {
  const known = new Map<string, number>();
  const expandedBy = (key: string): number => {
    const count = known.get(key);
    if (count !== undefined) return count;
    // Reaching this view again means that it names itself.
    known.set(key, Infinity);
    const own = byKey.get(key) ?? [];
    const text = own.map((view) => view.text).join(' ');
    let sum = 0;
    for (const other of byKey.keys()) {
      const times = timesIn(text, other) - (other === key ? own.length : 0);
      if (times > 0) sum += times * (1 + expandedBy(other));
    }
    known.set(key, sum);
    return sum;
  };
  return expandedBy;
}

function bare(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/["'`[\]\s]+/g, ' ')
    .trim();
}

const partOfName = String.raw`[\w$\u0080-\u{10ffff}]`;

function timesIn(text: string, name: string): number {
  const whole = `(?<!${partOfName})${escapePattern(name)}(?!${partOfName})`;
  return text.match(new RegExp(whole, 'gu'))?.length ?? 0;
}

const maxChars = 15_000;
const maxTextLength = 8_000;
const maxBlobBytes = 256;

/**
 * An object with `columns` and `rows`, and if rows are left out `truncated: true` and a `note`. Reads at most one row more
 * than it shows. Each row is a list of values; duplicate column names get a number.
 */
export function rowsToJson(
  names: readonly string[],
  rows: Iterable<readonly SQLOutputValue[]>,
  maxRows: number,
): string {
  const columns = uniqueNames(names).map(toJson);
  const lines: string[] = [];
  let chars = columns.join().length;
  let note = '';
  for (const row of rows) {
    const line = `{${row.map((value, index) => `${columns[index]}:${toJson(value)}`).join(',')}}`;
    chars += line.length + 2;
    if (chars > maxChars) note = tooLarge(lines.length);
    else if (lines.length === maxRows) note = tooMany(maxRows);
    else lines.push(line);
    if (note !== '') break;
  }
  const rest = note === '' ? '' : `,\n"truncated":true,"note":${toJson(note)}`;
  return `{"columns":[${columns.join(',')}],\n"rows":[${lines.join(',\n')}]${rest}}`;
}

function tooMany(rows: number): string {
  return `only the first ${rows} rows; narrow the query, aggregate, or page with ORDER BY, LIMIT and OFFSET`;
}

function tooLarge(rows: number): string {
  if (rows === 0)
    return `the first row is larger than ${maxChars} characters; select fewer columns`;
  return `only the first ${rows} rows fit in ${maxChars} characters; select fewer columns or rows`;
}

function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  for (const name of names) {
    const short = cut(name, maxNameLength) + (name.length > maxNameLength ? '…' : '');
    let unique = short;
    for (let count = 2; taken.has(unique); count += 1) unique = `${short}:${count}`;
    taken.add(unique);
  }
  return [...taken];
}

/** Integers that a JSON parser would round, and infinities, which JSON lacks, become text. */
function toJson(value: SQLOutputValue): string {
  if (value === null) return 'null';
  if (typeof value === 'bigint') return isExact(value) ? String(value) : `"${value}"`;
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : `"${value}"`;
  return quote(typeof value === 'string' ? cutText(value) : describeBlob(value));
}

function isExact(value: bigint): boolean {
  return Number.isSafeInteger(Number(value));
}

function cutText(text: string): string {
  if (text.length <= maxTextLength) return text;
  return `${cut(text, maxTextLength)}… [cut: ${text.length} characters in all]`;
}

function describeBlob(blob: Uint8Array): string {
  const hex = `x'${Buffer.from(blob.subarray(0, maxBlobBytes)).toString('hex')}'`;
  return blob.length > maxBlobBytes ? `${hex}… [cut: ${blob.length} bytes in all]` : hex;
}

/** Does not split a surrogate pair. */
function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}

/** Characters that can control a terminal or are invisible are escaped as in JSON, so the value stays exact. */
function quote(text: string): string {
  const json = JSON.stringify(text);
  if (/^[ -~]*$/.test(json)) return json;
  return Array.from(json, (character) =>
    firstUnsafe(character) === undefined ? character : codeUnits(character),
  ).join('');
}

function codeUnits(character: string): string {
  return Array.from(
    {length: character.length},
    (_, index) => String.raw`\u` + character.charCodeAt(index).toString(16).padStart(4, '0'),
  ).join('');
}
