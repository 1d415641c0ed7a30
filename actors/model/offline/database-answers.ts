/** Questions on a database: a SELECT given as such, and those that a query can be made for. */

import {textOf} from './answer-text.ts';
import {type Ranking, rankingQuery, readTable, tablesQuery} from './ranking.ts';
import type {Steps} from './skill.ts';

const noDatabase =
  'No database is there to be asked. Name a SQLite file: quorate ask --db FILE "SELECT …"';

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
  if (!result || result.isError) return `The query can't be run: ${textOf(result)}`;
  return tableOf(result.text);
}

export function* rank(ranking: Ranking, tools: readonly string[]): Steps<string> {
  const [schema] = yield [{tool: 'database', args: {sql: tablesQuery}}];
  if (!schema || schema.isError) return `The tables can't be read: ${textOf(schema)}`;
  const tables = rowsOf(schema.text).map(({name, sql}) => readTable(cellOf(name), cellOf(sql)));
  const sql = rankingQuery(ranking, tables);
  if (sql === undefined) {
    const known = tables.map(({name, columns}) => `${name} (${columns.join(', ')})`).join('; ');
    return `The offline model finds no table for this question. There is ${known}. Give it the SELECT itself.`;
  }
  return `${yield* query(sql, tools)}\n\nThe question was read as: ${sql}`;
}

interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly note?: string;
}

function rowsOf(text: string): Rows['rows'] {
  try {
    const {rows}: Rows = JSON.parse(text);
    return rows;
  } catch {
    return [];
  }
}

/** The rows as a table; the answer as it came when it can't be read. */
function tableOf(text: string): string {
  try {
    const {columns, rows, note}: Rows = JSON.parse(text);
    const cells = [columns, ...rows.map((row) => columns.map((name) => cellOf(row[name])))];
    const widths = columns.map((_, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0)));
    const lines = cells.map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    );
    const count = rows.length === 1 ? '1 row' : `${rows.length} rows`;
    return [...lines, '', note === undefined ? count : `${count}; ${note}`].join('\n');
  } catch {
    return text;
  }
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  return typeof value === 'string' && !/\p{Cc}/u.test(value) ? value : JSON.stringify(value);
}
