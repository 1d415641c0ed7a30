/**
 * A strict reader for JSON from a model: it rejects texts that `JSON.parse` accepts silently (duplicate keys, `__proto__`, any
 * depth, numbers out of range). Nothing is repaired.
 */

import type {Json} from '../../../machines/domain/json.ts';

export type StrictJson =
  | {readonly ok: true; readonly value: Json}
  | {readonly ok: false; readonly problem: string};

const maxDepth = 64;
const refusedKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor']);

/** Returned strings are well-formed. Never throws. */
export function readStrictJson(text: string): StrictJson {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return {ok: false, problem: 'not valid JSON'};
  }
  const problem = findProblem(text);
  if (problem !== undefined) return {ok: false, problem};
  if (hasHugeNumber(value)) return {ok: false, problem: 'a number is out of range'};
  return {ok: true, value: toJson(value)};
}

/** Scans valid JSON. In `open`, an object is represented by its set of keys, an array by undefined. */
function findProblem(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') {
      const end = endOfString(text, at);
      const keys = open.at(-1);
      const problem = keys && isKey(text, end) ? checkKey(text.slice(at, end), keys) : undefined;
      if (problem !== undefined) return problem;
      at = end - 1;
    } else {
      follow(text[at], open);
    }
    if (open.length > maxDepth) return `nested deeper than ${maxDepth} levels`;
  }
  return undefined;
}

function follow(char: string | undefined, open: (Set<string> | undefined)[]): void {
  if (char === '{') open.push(new Set());
  if (char === '[') open.push(undefined);
  if (char === '}' || char === ']') open.pop();
}

/** The index after the closing quote. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function isKey(text: string, end: number): boolean {
  let at = end;
  while (' \t\n\r'.includes(text[at] ?? ':')) at += 1;
  return text[at] === ':';
}

function checkKey(quoted: string, keys: Set<string>): string | undefined {
  const key = String(JSON.parse(quoted)).toWellFormed();
  if (refusedKeys.has(key)) return `the key "${key}" is not allowed`;
  if (keys.has(key)) return `the key "${key.slice(0, 80)}" appears twice`;
  keys.add(key);
  return undefined;
}

/** A number that was parsed as Infinity would be serialized as `null`. */
function hasHugeNumber(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  if (Array.isArray(value)) return value.some(hasHugeNumber);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasHugeNumber);
}

function toJson(value: unknown): Json {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key.toWellFormed(), toJson(item)]),
  );
}
