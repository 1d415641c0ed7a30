/** Imports an exported run: checks every line against the chain, and keeps the run as it was. */

import {AppError} from '../../machines/domain/app-error.ts';
import {isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import {entryIn, firstHead, hashAfter, type Head, isInteractionId} from '../journal/chain.ts';
import type {Backup, Entry, ImportedRun, Journal} from '../journal/journal.ts';
import {backupIn} from './backup-line.ts';

/** Each without its line feed. */
export type Lines = AsyncIterable<string> | Iterable<string>;

export interface ImportReport {
  readonly id: string;
  /** False: exactly this run was in the journal already, and nothing was written. */
  readonly isNew: boolean;
  readonly entries: number;
  readonly backups: number;
  /** The status of its result; undefined for an open run. */
  readonly status: string | undefined;
}

/**
 * Rejects with AppError `usage` for a line that is changed, missing, moved or unknown, which the message names, and for a run
 * whose id other entries have in the journal; `io` when the store can't take it. Nothing is written then.
 */
export async function importRun(lines: Lines, {adopt}: Journal): Promise<ImportReport> {
  if (!adopt) throw new AppError('usage', 'this journal can not import runs');
  const run = await readExported(lines);
  const isNew = await adopt(run);
  const {interaction: id, entries, backups} = run;
  const status = statusIn(entries);
  return {id, isNew, entries: entries.length, backups: backups.length, status};
}

function statusIn(entries: readonly Entry[]): string | undefined {
  const closed = entries.at(-1);
  const status = closed?.type === 'closed' ? closed.result['status'] : undefined;
  return typeof status === 'string' ? status : undefined;
}

async function readExported(lines: Lines): Promise<ImportedRun> {
  const reader = new Reader();
  for await (const line of lines) reader.read(line);
  return reader.run();
}

/** Reads lines in order. Throws AppError `usage`, which names the line. */
class Reader {
  readonly #entries: Entry[] = [];
  readonly #backups: Backup[] = [];
  #line = 0;
  /** Undefined before the opening. */
  #head: Head | undefined;

  read(line: string): void {
    this.#line += 1;
    if (line.trim() === '') return;
    const parsed = this.#parse(line);
    if (parsed['type'] === 'backup') this.#backups.push(this.#backup(parsed));
    else this.#take(parsed);
  }

  run(): ImportedRun {
    const interaction = idIn(this.#entries[0]);
    if (interaction === undefined) throw this.#refused('the file has no entry of a run');
    return {interaction, entries: this.#entries, backups: this.#backups};
  }

  #parse(line: string): JsonObject {
    try {
      const parsed: unknown = JSON.parse(line);
      if (isJsonObject(parsed)) return parsed;
    } catch {}
    throw this.#refused('it is not a JSON object');
  }

  #backup(parsed: JsonObject): Backup {
    const backup = backupIn(parsed);
    if (backup) return backup;
    throw this.#refused('the backup is not valid, or its content was changed');
  }

  #take({seq, at, hash, ...body}: JsonObject): void {
    const text = tryStringify(body);
    const known = text === undefined ? undefined : entryIn(text);
    if (!known || !isCount(seq) || !Number.isFinite(at) || typeof hash !== 'string') {
      throw this.#refused(`no entry that this version knows${typeText(body)}`);
    }
    const entry: Entry = {...known, seq, at: Number(at), hash};
    this.#head ??= this.#first(entry);
    if (seq !== this.#head.seq) throw this.#refused(misplaced(seq, this.#head.seq));
    if (hashAfter(this.#head.hash, seq, entry.at, text ?? '') !== hash) {
      throw this.#refused(`entry ${seq} (${entry.type}) does not have its hash: it was changed`);
    }
    this.#entries.push(entry);
    this.#head = {seq: seq + 1, hash};
  }

  #first(entry: Entry): Head {
    const id = idIn(entry);
    if (id !== undefined) return firstHead(id);
    throw this.#refused('it does not open a run: the entry before it is missing');
  }

  #refused(what: string): AppError {
    return new AppError('usage', `line ${this.#line}: ${what}; nothing was imported`);
  }
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

function typeText({type}: JsonObject): string {
  return typeof type === 'string' ? ` (type ${JSON.stringify(type.slice(0, 40))})` : '';
}

/** The id of the run that an entry opens. */
function idIn(entry: Entry | undefined): string | undefined {
  const id = entry?.type === 'opened' ? entry.input['id'] : undefined;
  return typeof id === 'string' && isInteractionId(id) ? id : undefined;
}

function misplaced(found: number, expected: number): string {
  return found > expected
    ? `entry ${expected} is missing: entry ${found} is in its place`
    : `entry ${found} is repeated or moved: entry ${expected} should be here`;
}
