/** Answers questions about a database: runs a given SELECT statement, or builds a query from the question. */

import {type Steps, toolAnswerText} from '../skills/skill.ts';
import {type Filter, queryFor, valueQuery} from './table-query.ts';
import {type Asked, resolve, type TableQuestion} from './table-question.ts';
import {linksOf, reachableFrom, readTable, type Table, tablesQuery} from './tables.ts';

const noDatabase = 'No database was given. Name a SQLite file: quorate ask --db FILE "SELECT …"';

export function selectIn(question: string): string | undefined {
  const text = question.replace(/^```(?:sql)?\s*|\s*```$/g, '').trim();
  return /^(?:select|with|values)\b[\s\S]*\b(?:from|select|values)\b/i.test(text) ||
    /^select\s+[\d'(]/i.test(text)
    ? text
    : undefined;
}

export function* query(sql: string, tools: readonly string[]): Steps<string> {
  if (!tools.includes('database')) return noDatabase;
  const [result] = yield [{tool: 'database', args: {sql}}];
  if (!result || result.isError) return `The query can't be run: ${toolAnswerText(result)}`;
  return tableOf(result.text);
}

export function* showTables(): Steps<string> {
  const tables = yield* readTables();
  return typeof tables === 'string' ? tables : tables.map(described).join('\n');
}

export interface TableAnswer {
  readonly answer?: string;
  readonly note?: string;
}

export function* askTables(question: TableQuestion): Steps<TableAnswer> {
  const tables = yield* readTables();
  if (typeof tables === 'string') return {note: tables};
  const asked = resolve(question, tables) ?? (yield* askedOfValues(question, tables));
  if (!asked)
    return {note: `The database was not queried: no table fits the question. ${known(tables)}`};
  const filters = yield* findValues(asked, tables);
  if (typeof filters === 'string')
    return {note: `The database was not queried: ${filters} ${known(tables)}`};
  const sql = queryFor(asked, filters, tables);
  const [result] = yield [{tool: 'database', args: {sql}}];
  if (!result || result.isError) return {note: `The query can't be run: ${toolAnswerText(result)}`};
  return {
    answer: `${valueOf(result.text) ?? tableOf(result.text)}\n\nThe question was read as: ${sql}`,
  };
}

/**
 * Finds the table of a question that names only a value. `How many are cancelled?` refers to the table that contains the value,
 * `How many did Bob make?` to the table whose rows refer to that table.
 */
function* askedOfValues(
  question: TableQuestion,
  tables: readonly Table[],
): Steps<Asked | undefined> {
  const value = question.words.join(' ');
  if (value === '' || (question.measure !== 'count' && question.measure !== 'list'))
    return undefined;
  const [found] = yield [{tool: 'database', args: {sql: valueQuery(value, tables)}}];
  const [first, second] = rowsOf(found?.text ?? '');
  if (!first || second) return undefined;
  const holder = cellOf(first['t']);
  const table = question.isOfDeeds ? referringTo(holder, tables) : holder;
  return table === undefined ? undefined : resolve({...question, words: [table, value]}, tables);
}

function referringTo(name: string, tables: readonly Table[]): string | undefined {
  const [table, another] = tables.filter((one) =>
    linksOf(one, tables).some(({to}) => to.name === name),
  );
  return another ? undefined : table?.name;
}

function* findValues(asked: Asked, tables: readonly Table[]): Steps<readonly Filter[] | string> {
  if (asked.values.length === 0) return [];
  const answers = yield asked.values.map((value) => ({
    tool: 'database',
    args: {sql: valueQuery(value, reachableFrom(asked.table, tables))},
  }));
  const filters: Filter[] = [];
  for (const [index, value] of asked.values.entries()) {
    const [first] = rowsOf(answers[index]?.text ?? '');
    const table = tables.find(({name}) => name === first?.['t']);
    if (!first || !table) return `it has no table, no column and no value “${value}”.`;
    filters.push({value, place: {table, column: cellOf(first['c'])}});
  }
  return filters;
}

function* readTables(): Steps<readonly Table[] | string> {
  const [schema] = yield [{tool: 'database', args: {sql: tablesQuery}}];
  if (!schema || schema.isError) return `The tables can't be read: ${toolAnswerText(schema)}`;
  return rowsOf(schema.text).map(({name, sql}) => readTable(cellOf(name), cellOf(sql)));
}

function known(tables: readonly Table[]): string {
  return `Tables: ${tables.map(described).join('; ')}.`;
}

function described({name, columns}: Table): string {
  return `${name} (${columns.join(', ')})`;
}

interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly note?: string;
}

function parseRows(text: string): Rows | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function rowsOf(text: string): Rows['rows'] {
  return parseRows(text)?.rows ?? [];
}

/** The only value of a result with one row and one column, which is shown without a table. */
function valueOf(text: string): string | undefined {
  const [row, ...others] = rowsOf(text);
  const values = Object.values(row ?? {});
  return others.length === 0 && values.length === 1 ? cellOf(values[0]) : undefined;
}

function tableOf(text: string): string {
  const found = parseRows(text);
  if (!found) return text;
  const {columns, rows, note} = found;
  const cells = [columns, ...rows.map((row) => columns.map((name) => cellOf(row[name])))];
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0)));
  const lines = cells.map((line) =>
    line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '),
  );
  const count = rows.length === 1 ? '1 row' : `${rows.length} rows`;
  const end = note === undefined ? count : `${count}; ${note}`;
  return [...lines.map((line) => line.trimEnd()), '', end].join('\n');
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  return typeof value === 'string' && !/\p{Cc}/u.test(value) ? value : JSON.stringify(value);
}
