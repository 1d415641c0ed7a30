/** Previous contents of files that runs changed, in the database. */

import type {StatementSync} from 'node:sqlite';

import {requireInteractionId} from './chain.ts';
import type {Backup, Backups} from './journal.ts';
import {hasBackups} from './sqlite-schema.ts';
import type {Store} from './sqlite-store.ts';
import type {Turns} from './sqlite-turns.ts';

/** Created with the first write of a run: a journal without writes has no such table. */
const TABLE = `
  CREATE TABLE IF NOT EXISTS backups (
    id INTEGER PRIMARY KEY, interaction TEXT NOT NULL, path TEXT NOT NULL, after TEXT, hash TEXT, mode INTEGER,
    content BLOB, missing TEXT, effect TEXT
  ) STRICT
`;
const INSERT = `
  INSERT INTO backups (interaction, path, effect, after, hash, mode, content, missing)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)
`;
/** Keeps the newest contents that there is room for. */
const MAKE_ROOM = `
  UPDATE backups SET content = NULL, missing = 'old'
  WHERE content IS NOT NULL AND id IN (
    SELECT id FROM (SELECT id, sum(length(content)) OVER (ORDER BY id DESC) AS bytes FROM backups) WHERE bytes > ?
  )
`;
const FIND = 'SELECT * FROM backups WHERE interaction = ? ORDER BY id';
const FIND_SIZES = `
  SELECT interaction, sum(length(content)) AS bytes FROM backups WHERE content IS NOT NULL GROUP BY interaction
`;

interface SqliteBackups extends Backups {
  /** Inside a transaction. */
  readonly clear: (interaction: string) => void;
}

export function createBackups(
  {db, durably, attempt}: Store,
  turns: Turns,
  roomBytes: number,
): SqliteBackups {
  const write = (interaction: string, backups: readonly Backup[]): void => {
    if (backups.length === 0) return;
    db.exec(TABLE);
    const insert = db.prepare(INSERT);
    for (const backup of backups) insert.run(interaction, ...toRow(backup));
    db.prepare(MAKE_ROOM).run(roomBytes);
  };
  return {
    keep: (interaction, backups) => {
      requireInteractionId(interaction);
      return turns.take(() => durably(() => write(interaction, backups)), [interaction]);
    },
    list: (interaction) => {
      requireInteractionId(interaction);
      return turns.take(
        () =>
          attempt(() => (hasBackups(db) ? db.prepare(FIND).all(interaction).map(toBackup) : [])),
        [interaction],
      );
    },
    sizes: () =>
      turns.take(
        () =>
          attempt(() => new Map(hasBackups(db) ? db.prepare(FIND_SIZES).all().map(toSize) : [])),
        [],
      ),
    clear: (interaction) => {
      if (hasBackups(db)) db.prepare('DELETE FROM backups WHERE interaction = ?').run(interaction);
    },
  };
}

type Cell = string | number | Uint8Array | null;

function toRow({path, effect, before, after}: Backup): Cell[] {
  const change = [path, effect ?? null, after ?? null];
  if (!before) return [...change, null, null, null, null];
  const {hash, mode, content} = before;
  const kept = typeof content === 'string' ? [null, content] : [content, null];
  return [...change, hash, mode, ...kept];
}

type Row = ReturnType<StatementSync['all']>[number];

function toSize({interaction, bytes}: Row): [interaction: string, bytes: number] {
  return [cellText(interaction), Number(bytes)];
}

function toBackup({path, effect, after, hash, mode, content, missing}: Row): Backup {
  const before = {hash: cellText(hash), mode: Number(mode), content: contentOf(content, missing)};
  return {
    path: cellText(path),
    ...(effect === null ? {} : {effect: cellText(effect)}),
    ...(hash === null ? {} : {before}),
    ...(after === null ? {} : {after: cellText(after)}),
  };
}

function cellText(cell: unknown): string {
  return typeof cell === 'string' ? cell : '';
}

const reasons = ['large', 'secret', 'unkept', 'moved'] as const;

function contentOf(content: unknown, missing: unknown): NonNullable<Backup['before']>['content'] {
  if (content instanceof Uint8Array) return content;
  return reasons.find((reason) => reason === missing) ?? 'old';
}
