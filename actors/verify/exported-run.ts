/** Reads the lines of `quorate export` in order, and checks each entry against the chain. */

import {AppError} from '../../machines/domain/app-error.ts';
import {isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import {entryIn, firstHead, hashAfter, isInteractionId, type Head} from '../journal/chain.ts';
import type {Entry} from '../journal/journal.ts';
import type {Verifiable} from './check.ts';

/**
 * The sound entries, and the first line that is not the next one. Rejects with AppError `usage` when the first does not open a run.
 */
export async function readExportedRun(lines: Lines): Promise<Verifiable> {
  const reader = createLineReader();
  const entries: Entry[] = [];
  let damage: AppError | undefined;
  for await (const line of lines) {
    const {entry, fault} = reader.read(line);
    if (entry) entries.push(entry);
    if (fault === undefined) continue;
    damage = new AppError('journal_corrupt', fault);
    break;
  }
  const id = reader.id();
  if (id !== undefined) return {id, entries, damage, imported: true};
  throw new AppError(
    'usage',
    'the first line does not open a run: give a file that quorate export has written, from its beginning',
  );
}

/** Each without its line feed. */
export type Lines = AsyncIterable<string> | Iterable<string>;

/** One of the members, or none for a blank line. */
export interface ReadLine {
  readonly entry?: Entry;
  /** Why the line is not the next entry, with the number of that entry. */
  readonly fault?: string;
}

export interface LineReader {
  /** Never throws. After a fault no further line is to be read. */
  readonly read: (line: string) => ReadLine;
  /** The id of the run; undefined before an entry that opens it. */
  readonly id: () => string | undefined;
}

export function createLineReader(): LineReader {
  let id: string | undefined;
  let head: Head = firstHead('');
  const faulty = (why: string): ReadLine => ({fault: `entry ${head.seq}: ${why}`});
  const readEntry = (parsed: JsonObject): ReadLine => {
    if (id === undefined) {
      id = openedId(parsed);
      if (id === undefined) return faulty('it does not open a run');
      head = firstHead(id);
    }
    const entry = entryAfter(head, parsed);
    if (typeof entry === 'string') return faulty(entry);
    head = {seq: entry.seq + 1, hash: entry.hash};
    return {entry};
  };
  return {
    id: () => id,
    read: (line) => {
      if (line.trim() === '') return {};
      const parsed = tryParse(line);
      return parsed ? readEntry(parsed) : faulty('it is not a JSON object');
    },
  };
}

function tryParse(line: string): JsonObject | undefined {
  try {
    const parsed: unknown = JSON.parse(line);
    return isJsonObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function openedId({type, input}: JsonObject): string | undefined {
  const id = type === 'opened' && isJsonObject(input) ? input['id'] : undefined;
  return typeof id === 'string' && isInteractionId(id) ? id : undefined;
}

/** The entry, or why it can't be the next one. */
function entryAfter(head: Head, {seq, at, hash, ...rest}: JsonObject): Entry | string {
  const text = tryStringify(rest);
  const body = text === undefined ? undefined : entryIn(text);
  if (!body || !isCount(seq) || !isFiniteNumber(at) || typeof hash !== 'string') {
    return `this version does not know it${typeText(rest)}`;
  }
  if (seq > head.seq) return `it is missing: entry ${seq} is in its place`;
  if (seq < head.seq) return `entry ${seq} is repeated or moved to its place`;
  if (hashAfter(head.hash, seq, at, text ?? '') !== hash) {
    return 'it was changed after it was written';
  }
  return {...body, seq, at, hash};
}

/** Undefined for a value that is nested too deeply. */
function tryStringify(body: JsonObject): string | undefined {
  try {
    return JSON.stringify(body);
  } catch {
    return undefined;
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isFiniteNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

function typeText({type}: JsonObject): string {
  return typeof type === 'string' ? ` (type ${JSON.stringify(type.slice(0, 40))})` : '';
}

/** No entry and no backup is longer. UTF-16 units. */
const maxUnits = 64 * 1024 * 1024;

/** Holds one line at a time. Rejects with AppError `usage` for a line that is too long, before all of it is read. */
export async function* linesIn(
  chunks: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
  longest = maxUnits,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let number = 1;
  let parts: string[] = [];
  let units = 0;
  for await (const chunk of chunks) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, {stream: true});
    const pieces = text.split('\n');
    for (const [index, piece] of pieces.entries()) {
      parts.push(piece);
      units += piece.length;
      if (units > longest) throw tooLong(number);
      if (index === pieces.length - 1) break;
      yield parts.join('');
      number += 1;
      [parts, units] = [[], 0];
    }
  }
  const last = parts.join('') + decoder.decode();
  if (last !== '') yield last;
}

function tooLong(number: number): AppError {
  return new AppError('usage', `line ${number} is too long for an exported run`);
}
