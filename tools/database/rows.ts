/** Rows as JSON text of limited size. Every value is exact, or states what was cut. */

import type {SQLOutputValue} from 'node:sqlite';

import {firstUnsafe} from '../escape.ts';

const maxChars = 15_000;
const maxTextLength = 8_000;
const maxBlobBytes = 256;
const maxNameLength = 60;

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
    const brief = cut(name, maxNameLength) + (name.length > maxNameLength ? '…' : '');
    let unique = brief;
    for (let count = 2; taken.has(unique); count += 1) unique = `${brief}:${count}`;
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
