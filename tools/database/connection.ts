/** Opens a database so that reading leaves no trace: no byte of it is written, and no file is made beside it. */

import {closeSync, openSync, readSync, realpathSync, statSync} from 'node:fs';
import {DatabaseSync} from 'node:sqlite';
import {pathToFileURL} from 'node:url';

import {type Attempt, type Denial, failed} from '../containment/denial.ts';
import {damaged, unrecovered} from './denials.ts';

/** How long to wait for a writer. */
const lockMs = 500;

/** The offset of the byte in a file's header that says whether it is used with a write-ahead log. */
const modeAt = 18;
const logMode = 2;

export interface Connection {
  readonly db: DatabaseSync;
  /** False when a program wrote in the meantime without a lock that would have prevented it: the rows may be of two states. */
  readonly isSteady: () => boolean;
}

/** Throws the errors of SQLite and of the file system. */
export function openConnection(given: string): Attempt<Connection> {
  const denial = judgeFile(given);
  if (denial) return {ok: false, denial};
  // SQLite keeps a database's other files beside the target of a link.
  const path = realpathSync(given);
  const way = wayIn(path);
  if (way === 'barred') return {ok: false, denial: unrecovered('its log has no index (-shm)')};
  const before = stateOf(path);
  const url = pathToFileURL(path);
  if (way === 'immutable') url.search = 'immutable=1';
  const db = new DatabaseSync(url, {readOnly: true, timeout: lockMs});
  for (const setting of settings) db.exec(`PRAGMA ${setting}`);
  return {ok: true, value: {db, isSteady: () => way === 'locked' || stateOf(path) === before}};
}

const settings = [
  'temp_store = MEMORY',
  'query_only = ON',
  'trusted_schema = OFF',
  'cell_size_check = ON',
];

/**
 * A reader of a database with a write-ahead log creates the log and its index if they are missing, or fails if it
 * may not. Without a log no program is writing, so SQLite may treat the file as immutable. If a log has no index, its writer
 * locks it exclusively or is gone: then another reader would remove the log.
 */
function wayIn(path: string): 'locked' | 'immutable' | 'barred' {
  const [log, index, journal] = ['-wal', '-shm', '-journal'].map((end) => sizeOf(path + end));
  const isManaged = log !== undefined && index !== undefined;
  if (!usesLog(path) || isManaged || journal) return 'locked';
  return log ? 'barred' : 'immutable';
}

function judgeFile(path: string): Denial | undefined {
  const stat = statSync(path, {throwIfNoEntry: false});
  if (!stat) return failed('io', 'there is no such file; check the path');
  if (!stat.isFile()) return failed('io', 'not a file; name the file of the database');
  return stat.size === 0 ? damaged('the file is empty') : undefined;
}

function usesLog(path: string): boolean {
  const header = Buffer.alloc(modeAt + 2);
  const descriptor = openSync(path, 'r');
  try {
    readSync(descriptor, header, 0, header.length, 0);
  } finally {
    closeSync(descriptor);
  }
  return header.subarray(modeAt).includes(logMode);
}

function sizeOf(path: string): number | undefined {
  return statSync(path, {throwIfNoEntry: false})?.size;
}

function stateOf(path: string): string {
  return ['', '-wal', '-shm', '-journal']
    .map((end) => statSync(path + end, {bigint: true, throwIfNoEntry: false}))
    .map((stat) => (stat ? `${stat.ino} ${stat.size} ${stat.mtimeNs}` : 'none'))
    .join('; ');
}
