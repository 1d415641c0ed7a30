/**
 * A strict reader for JSON from a model: it rejects texts that `JSON.parse` accepts silently (duplicate keys, `__proto__`, any
 * depth, numbers out of range). Nothing is repaired.
 */

import type {Json} from '../../../machines/domain/json.ts';
import {readPlacedJson} from '../../../tools/places/json.ts';

type StrictJson =
  | {readonly ok: true; readonly value: Json}
  | {readonly ok: false; readonly problem: string};

const maxDepth = 64;
const refusedKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor']);

/** Returned strings are well-formed. Never throws. */
export function readStrictJson(text: string): StrictJson {
  if (!isJson(text)) return {ok: false, problem: 'not valid JSON'};
  const read = readPlacedJson(text);
  const problem = read.ok ? problemIn(read.value) : read.problem;
  return read.ok && problem === undefined
    ? {ok: true, value: read.value}
    : {ok: false, problem: problem ?? ''};
}

/** Most invalid texts are the beginning of a long one, which `JSON.parse` rejects soonest. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function problemIn(value: Json, depth = 0): string | undefined {
  // It would be serialized as `null`.
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number is out of range';
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === maxDepth) return `nested deeper than ${maxDepth} levels`;
  for (const [key, item] of Object.entries(value)) {
    const problem = refusedKeys.has(key)
      ? `the key "${key}" is not allowed`
      : problemIn(item, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
