/** Reads the lines of `quorate export` in order, and checks each entry against the chain. */

import {AppError} from '../../machines/domain/app-error.ts';
import {isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import type {NamedPoint} from '../history/points.ts';
import {entryIn, firstHead, hashAfter, isInteractionId, type Head} from '../journal/chain.ts';
import type {Entry, Origin, Salvaged} from '../journal/journal.ts';

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
type Lines = AsyncIterable<string> | Iterable<string>;

/** One of the members, or none for a blank line. */
interface ReadLine {
  readonly entry?: Entry;
  /** Why the line is not the next entry, with the number of that entry. */
  readonly fault?: string;
}

interface LineReader {
  /** Never throws. After a fault no further line is to be read. */
  readonly read: (line: string) => ReadLine;
  /** The id of the run; undefined before an entry that opens it. */
  readonly id: () => string | undefined;
}

function createLineReader(): LineReader {
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

// The outcomes of a verification. See ../verify.md for what each check shows.

export type CheckName = 'chain' | 'end' | 'replay' | 'laws' | 'signatures';

export type Finding =
  /** Every entry has the hash that follows from it and the one before. */
  | 'chained'
  /** The first entries were copied from another run, which must be verified by itself. */
  | 'copied'
  /** An entry was changed, or is missing, moved or unknown. */
  | 'broken'
  /** The last entry is the end of the run. */
  | 'ended'
  /** The run is open, and all of the entries that its journal wrote are there. */
  | 'open'
  | 'endMissing'
  /** The export does not hold the end of the run: the run was open, or its end is missing. */
  | 'notEnded'
  /** An entry follows the end of the run. */
  | 'afterEnd'
  /** The charts reach the recorded states, reports and result. */
  | 'replayed'
  | 'diverged'
  /** Not replayed as recorded: other charts recorded the run. */
  | 'otherVersion'
  | 'lawsHold'
  | 'lawBroken'
  | 'lawUnread'
  | 'signed'
  /** No entry is signed: an earlier version, or a journal without a key, recorded the run. */
  | 'unsigned'
  /** The entry, its place or the chain before it is not the one that was signed. */
  | 'forged'
  /** The end, or a decision of a person, is not signed. */
  | 'signatureMissing'
  /** The entry is signed with a key that was not given. */
  | 'otherKey'
  /** The entries are signed, and no key is given. */
  | 'keyMissing'
  /** Not reached, because the chain is broken. */
  | 'notReached';

export interface Check {
  readonly check: CheckName;
  readonly state: 'holds' | 'fails' | 'unchecked';
  readonly finding: Finding;
  /** The `seq` of the entry that shows it; for `signed`, of the last one that is signed. */
  readonly entry?: number;
  /** The number of a statement in verify.md; for `lawsHold`, of each that holds. */
  readonly laws?: readonly number[];
  /** Of copied entries: the last one, in the run that was copied. */
  readonly origin?: Origin;
  /** The id of a key. */
  readonly key?: string;
  /** Of a run that was replayed: its named points. */
  readonly points?: readonly NamedPoint[];
  /** In words. */
  readonly detail?: string;
}

export interface Verification {
  readonly id: string;
  /** The number of sound entries. */
  readonly entries: number;
  /** False when any check fails. */
  readonly holds: boolean;
  /** False when no check fails, but the run is not proven: it could not be replayed, a law seems broken, or a key is missing. */
  readonly isProven: boolean;
  readonly checks: readonly Check[];
}

/** The parts of {@link Salvaged} that are verified. `imported`: read from an export; no journal holds its end. */
export interface Verifiable extends Pick<
  Salvaged,
  'entries' | 'damage' | 'isEndMissing' | 'imported'
> {
  readonly id: string;
}

/** True when entries, not only the end, are damaged: the entries behind the damage are unknown. */
export function isBroken({damage, isEndMissing}: Verifiable): boolean {
  return damage !== undefined && isEndMissing !== true;
}

export interface VerifyOptions {
  /**
   * The public keys with which the run may be signed: PEM, or the base64 of the SPKI. The end of the run and the decisions of
   * persons must be signed then. Absent: no signature is required, and only the place of each is checked.
   */
  readonly key?: string | readonly string[];
}
