/** Previous contents of files that runs changed, in the database. */

import type {StatementSync} from 'node:sqlite';

import {requireInteractionId} from './chain.ts';
import type {Backup, Backups} from './journal.ts';
import {hasBackups, type Store} from './sqlite-store.ts';
import type {Turns} from './sqlite-turns.ts';

/** Created with the first write of a run: a journal without writes has no such table. */
const TABLE = `
  CREATE TABLE IF NOT EXISTS backups (
    id INTEGER PRIMARY KEY, interaction TEXT NOT NULL, path TEXT NOT NULL, after TEXT, hash TEXT, mode INTEGER,
    content BLOB, missing TEXT, effect TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS backups_of ON backups (interaction);
  CREATE INDEX IF NOT EXISTS backups_kept ON backups (id) WHERE content IS NOT NULL;
`;
/**
 * The size of all contents, kept by triggers so that a write costs the same in a large journal as in a small one, and so that the
 * writes of any process count.
 */
const TOTAL = `
  CREATE TABLE IF NOT EXISTS backup_bytes (bytes INTEGER NOT NULL) STRICT;
  INSERT INTO backup_bytes SELECT coalesce(sum(length(content)), 0) FROM backups
    WHERE NOT EXISTS (SELECT 1 FROM backup_bytes);
  CREATE TRIGGER IF NOT EXISTS backup_added AFTER INSERT ON backups WHEN new.content IS NOT NULL BEGIN
    UPDATE backup_bytes SET bytes = bytes + length(new.content);
  END;
  CREATE TRIGGER IF NOT EXISTS backup_dropped AFTER UPDATE OF content ON backups BEGIN
    UPDATE backup_bytes SET bytes = bytes + coalesce(length(new.content), 0) - coalesce(length(old.content), 0);
  END;
  CREATE TRIGGER IF NOT EXISTS backup_removed AFTER DELETE ON backups WHEN old.content IS NOT NULL BEGIN
    UPDATE backup_bytes SET bytes = bytes - length(old.content);
  END
`;
const INSERT = `
  INSERT INTO backups (interaction, path, effect, after, hash, mode, content, missing)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)
`;
const FIND_TOTAL = 'SELECT bytes FROM backup_bytes';
const FIND_OLDEST = 'SELECT id FROM backups WHERE content IS NOT NULL ORDER BY id LIMIT 1';
const DROP = "UPDATE backups SET content = NULL, missing = 'old' WHERE id = ?";
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
  let hasTotal = false;
  /** Drops the oldest contents until there is room for the rest. */
  const makeRoom = (): void => {
    const [total, oldest, drop] = [FIND_TOTAL, FIND_OLDEST, DROP].map((sql) => db.prepare(sql));
    while (Number(total?.get()?.['bytes'] ?? 0) > roomBytes) {
      const id = oldest?.get()?.['id'];
      if (id === undefined) return;
      drop?.run(id);
    }
  };
  const write = (interaction: string, backups: readonly Backup[]): void => {
    if (backups.length === 0) return;
    db.exec(TABLE);
    if (!hasTotal) db.exec(TOTAL);
    hasTotal = true;
    const insert = db.prepare(INSERT);
    for (const backup of backups) insert.run(interaction, ...backupCells(backup));
    makeRoom();
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

export function backupCells({path, effect, before, after}: Backup): Cell[] {
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

export function toBackup({
  path,
  effect,
  after,
  hash,
  mode,
  content,
  missing,
}: Readonly<Record<string, unknown>>): Backup {
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
