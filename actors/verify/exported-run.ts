/** Reads the lines of `quorate export`, to verify them. */

import {AppError} from '../../machines/domain/app-error.ts';
import {isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import {entryIn, firstHead, hashAfter, type Head} from '../journal/chain.ts';
import type {Entry} from '../journal/journal.ts';
import type {Verifiable} from './checks/check.ts';

/**
 * The sound entries, and the first that is not. Lines that are not entries, such as backups, are left out. Rejects with AppError
 * `usage` when the first entry does not open a run.
 */
export async function readExportedRun(
  lines: AsyncIterable<string> | Iterable<string>,
): Promise<Verifiable> {
  const entries: Entry[] = [];
  let id: string | undefined;
  let head: Head = firstHead('');
  let damage: AppError | undefined;
  for await (const line of lines) {
    const parsed = parseLine(line);
    if (parsed === 'none') continue;
    if (id === undefined) {
      id = openedId(parsed);
      head = firstHead(id);
    }
    const entry = entryAfter(head, parsed);
    if (typeof entry === 'string') {
      damage = new AppError('journal_corrupt', `entry ${head.seq}: ${entry}`);
      break;
    }
    entries.push(entry);
    head = {seq: entry.seq + 1, hash: entry.hash};
  }
  if (id === undefined) throw noRun();
  return {id, entries, damage, imported: true};
}

/** `none`: a line of something else. Undefined: not JSON. */
function parseLine(line: string): JsonObject | undefined | 'none' {
  if (line.trim() === '') return 'none';
  try {
    const parsed: unknown = JSON.parse(line);
    if (!isJsonObject(parsed)) return undefined;
    return parsed['type'] === 'backup' ? 'none' : parsed;
  } catch {
    return undefined;
  }
}

function openedId(parsed: JsonObject | undefined): string {
  const input = parsed?.['type'] === 'opened' ? parsed['input'] : undefined;
  const id = isJsonObject(input) ? input['id'] : undefined;
  if (typeof id === 'string') return id;
  throw noRun();
}

/** The entry, or why it can't be the next one. */
function entryAfter(head: Head, parsed: JsonObject | undefined): Entry | string {
  const {seq, at, hash, ...rest} = parsed ?? {};
  const text = JSON.stringify(rest);
  const body = entryIn(text);
  if (!body || typeof seq !== 'number' || typeof at !== 'number' || typeof hash !== 'string')
    return 'it is not a valid entry';
  if (seq > head.seq) return `it is missing: entry ${seq} is in its place`;
  if (seq !== head.seq) return `entry ${seq} is in its place`;
  if (hashAfter(head.hash, seq, at, text) !== hash) return 'it was changed after it was written';
  return {...body, seq, at, hash};
}

function noRun(): AppError {
  return new AppError(
    'usage',
    'the first line does not open a run: give a file that quorate export has written, from its beginning',
  );
}
