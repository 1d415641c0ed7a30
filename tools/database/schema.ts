/** The tables and views of a database as models receive them: names and types, never values. */

import type {DatabaseSync} from 'node:sqlite';

import {escapeLine} from '../escape.ts';
import {deepViewsOf} from './view-depth.ts';

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
