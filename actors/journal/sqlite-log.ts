/** The entries in the database, and the list of interactions that is drawn from them. */

import type {SQLOutputValue} from 'node:sqlite';

import {AppError} from '../../machines/domain/app-error.ts';
import {
  closingStatus,
  describeOpening,
  firstHead,
  linkBatch,
  requireInteractionId,
  requireSound,
  salvageChain,
  type Head,
  type LinkedAddition,
  type StoredEntry,
} from './chain.ts';
import type {Addition, Immediate, InteractionRow, Log, Salvaged} from './journal.ts';
import {isPlaceTaken} from './sqlite-errors.ts';
import type {Store} from './sqlite-store.ts';

type Row = Record<string, SQLOutputValue>;

interface SqliteLog extends Immediate<Log> {
  /** To be called when another process may have written to the interaction. */
  readonly forgetHead: (interaction: string) => void;
}

export function createLog(store: Store): SqliteLog {
  const heads = new Map<string, Head>();
  return {
    append: createAppend(store, heads),
    ...createReaders(store),
    forgetHead: (interaction) => {
      heads.delete(interaction);
    },
  };
}

/** Heads are kept from append to append: only the first of an interaction reads. */
function createAppend(store: Store, heads: Map<string, Head>): Immediate<Log>['append'] {
  const findHead = store.db.prepare(
    'SELECT seq, hash FROM entries WHERE interaction = ? ORDER BY seq DESC LIMIT 1',
  );
  const headOf = (interaction: string): Head => {
    const known = heads.get(interaction);
    if (known) return known;
    requireInteractionId(interaction);
    const last = findHead.get(interaction);
    if (!last) return firstHead(interaction);
    return {seq: Number(last['seq']) + 1, hash: String(last['hash'])};
  };
  const write = createWriter(store);
  return (batch: readonly Addition[]) => {
    const {linked, heads: next} = store.attempt(() => linkBatch(batch, headOf));
    try {
      store.durably(() => linked.forEach(write));
    } catch (error) {
      for (const interaction of next.keys()) heads.delete(interaction);
      throw error;
    }
    for (const [interaction, head] of next) heads.set(interaction, head);
  };
}

function createWriter({db}: Store): (addition: LinkedAddition) => void {
  const insert = db.prepare('INSERT INTO entries VALUES (?, ?, ?, ?, ?)');
  const open = db.prepare('INSERT OR IGNORE INTO sessions VALUES (?, ?, ?, ?, ?, NULL)');
  const close = db.prepare('UPDATE sessions SET status = ? WHERE id = ?');
  return ({interaction, bodies, at, stored}) => {
    try {
      for (const {seq, hash, body} of stored) insert.run(interaction, seq, at, hash, body);
    } catch (error) {
      if (!isPlaceTaken(error)) throw error;
      throw new AppError(
        'busy',
        `interaction ${interaction} has been written by another process meanwhile; leave it to that one`,
        {cause: error},
      );
    }
    for (const entry of bodies) {
      if (entry.type === 'opened') {
        const {id, form, request, workspace} = describeOpening(interaction, entry);
        open.run(id, form, request, workspace, at);
      }
      if (entry.type === 'closed') close.run(closingStatus(entry), interaction);
    }
  };
}

function createReaders({db, attempt}: Store): Pick<Immediate<Log>, 'read' | 'salvage' | 'list'> {
  const findEntries = db.prepare(
    'SELECT seq, at, hash, body FROM entries WHERE interaction = ? ORDER BY seq',
  );
  const listAll = db.prepare(
    `SELECT sessions.*, entries.seq + 1 AS count, entries.at FROM sessions
     LEFT JOIN entries ON interaction = id AND seq = (SELECT max(seq) FROM entries WHERE interaction = id)
     ORDER BY opened_at DESC, sessions.rowid DESC`,
  );
  const salvage = (interaction: string): Salvaged => {
    requireInteractionId(interaction);
    return attempt(() => salvageChain(interaction, findEntries.all(interaction).map(toStored)));
  };
  return {
    read: (interaction) => requireSound(salvage(interaction)),
    salvage,
    list: () => attempt(() => listAll.all().map(toInteraction)),
  };
}

function toStored(row: Row): StoredEntry {
  return {
    seq: Number(row['seq']),
    at: Number(row['at']),
    hash: String(row['hash']),
    body: String(row['body']),
  };
}

function toInteraction(row: Row): InteractionRow {
  const status = row['status'];
  return {
    id: String(row['id']),
    form: String(row['form']),
    request: String(row['request']),
    workspace: String(row['workspace']),
    openedAt: Number(row['opened_at']),
    updatedAt: Number(row['at'] ?? row['opened_at']),
    entries: Number(row['count'] ?? 0),
    status: typeof status === 'string' ? status : undefined,
  };
}
