/** Reads CSV, also with semicolons or tabs, and computes the measures that questions ask for. */

import {readTableQuestion, resolve} from './table-question.ts';
import type {Measure} from './table-words.ts';
import type {Table} from './tables.ts';

export interface Sheet {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function readSheet(text: string): Sheet {
  const flat = text
    .trimEnd()
    .replaceAll(/"(?:[^"]|"")*"/g, (cell) => cell.replaceAll(/\r?\n/g, ' '));
  const [head = '', ...body] = flat.split(/\r?\n/);
  const [mark = ','] = [',', ';', '\t'].toSorted(
    (a, b) => head.split(b).length - head.split(a).length,
  );
  const cells = new RegExp(`(?<=${mark})(?:"(?:[^"]|"")*"|[^${mark}]*)`, 'g');
  const readRow = (line: string): string[] => (mark + line).match(cells)?.map(cellText) ?? [];
  return {columns: readRow(head), rows: body.map(readRow)};
}

function cellText(cell: string): string {
  return cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
}

export function measureSheet(question: string, sheet: Sheet): readonly string[] | undefined {
  const asked = readTableQuestion(question);
  const table = tableOf(sheet);
  const found = asked && resolve({...asked, words: [...asked.words, table.name]}, [table]);
  if (!asked || !found || found.measure === 'list') return undefined;
  const {measure, column, group, year, values} = found;
  const at = (name = ''): number => sheet.columns.indexOf(name);
  const wanted = [...values, ...(year ? [year.year] : [])];
  if (!wanted.every((value) => sheet.rows.some((row) => holds(row, value)))) return undefined;
  const rows = sheet.rows.filter((row) => wanted.every((value) => holds(row, value)));
  const numbersOf = (some: Sheet['rows']) => some.map((row) => Number(row[at(column)] ?? ''));
  const of = (some: Sheet['rows']): number => measured(measure, numbersOf(some));
  const title = column === undefined ? measure : `${measure}(${column})`;
  if (!group) return [`${title}: ${of(rows)}`];
  const groups = Map.groupBy(rows, (row) => row[at(group.column)] ?? '');
  return [`${title}, ${group.column}:`, ...[...groups].map(([key, own]) => `${key}: ${of(own)}`)];
}

function holds(row: readonly string[], value: string): boolean {
  const wanted = value.toLowerCase();
  const isDate = (cell: string): boolean => /^\d{4}$/.test(value) && cell.startsWith(`${value}-`);
  const cells = row.map((cell) => cell.toLowerCase());
  return cells.some((cell) => cell === wanted || `${cell}s` === wanted || isDate(cell));
}

function tableOf({columns, rows}: Sheet): Table {
  const isNumber = (at: number): boolean =>
    rows.length > 0 &&
    rows.every((row) => (row[at] ?? '') !== '' && Number.isFinite(Number(row[at])));
  return {
    name: 'sheet',
    columns,
    types: new Map(columns.map((name, at) => [name, isNumber(at) ? 'REAL' : 'TEXT'])),
    references: new Map(),
  };
}

function measured(measure: Measure, numbers: readonly number[]): number {
  if (measure === 'max') return Math.max(...numbers);
  if (measure === 'min') return Math.min(...numbers);
  if (measure === 'count') return numbers.length;
  const sum = numbers.reduce((total, one) => total + one, 0);
  return Number((measure === 'sum' ? sum : sum / numbers.length).toPrecision(12));
}
