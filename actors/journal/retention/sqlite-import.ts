/** Keeps a run of another journal: its entries with their times, its backups, and its end, in one transaction. */

import type {DatabaseSync} from 'node:sqlite';

import {type Draft, markOf, toDraft} from '../chain.ts';
import {shorten} from '../dictionary.ts';
import type {Backup, Entry, ImportedRun, Journal} from '../journal.ts';
import type {Store} from '../sqlite-store.ts';
import type {Turns} from '../sqlite-turns.ts';
import type {Witness} from '../sqlite-witness.ts';
import {bodyOf, otherEntries} from './adopted.ts';

interface ImportDeps {
  readonly store: Store;
  readonly writers: Turns;
  readonly witness: Witness;
  /** Inside the transaction. */
  readonly adoptBackups: (interaction: string, backups: readonly Backup[]) => void;
  /** Called after the transaction, with the number of interactions that have ended. */
  readonly onEnded: (count: number) => void;
}

export function createAdopt(deps: ImportDeps): NonNullable<Journal['adopt']> {
  const {store, writers, witness, adoptBackups, onEnded} = deps;
  return (run) => {
    const draft = draftOf(run);
    return writers.take(() => {
      const isNew = store.durably(() => {
        if (isThere(store.db, run)) return false;
        write(store.db, run, draft);
        adoptBackups(run.interaction, run.backups);
        return true;
      });
      const hasEnded = draft.closing !== undefined;
      if (isNew) witness.testify(run.interaction, {begun: draft.begun, hasEnded});
      if (isNew && hasEnded) onEnded(1);
      return isNew;
    }, []);
  };
}

/** Throws AppError `usage` for an invalid id. */
function draftOf({interaction, entries}: ImportedRun): Draft {
  return toDraft({interaction, bodies: entries.map(bodyOf), at: entries[0]?.at ?? 0});
}

function isThere(db: DatabaseSync, {interaction, entries}: ImportedRun): boolean {
  const row = db.prepare('SELECT entries, hash FROM interactions WHERE id = ?').get(interaction);
  if (!row) return false;
  const {length} = entries;
  if (row['entries'] === length && row['hash'] === entries.at(-1)?.hash) return true;
  throw otherEntries(interaction, Number(row['entries']), length);
}

function write(db: DatabaseSync, {interaction, entries}: ImportedRun, draft: Draft): void {
  const number = writeHead(db, interaction, entries.at(-1), draft);
  const insert = db.prepare('INSERT INTO entries VALUES (?, ?, ?, ?, ?)');
  let bytes = 0;
  for (const [index, {seq, at, hash}] of entries.entries()) {
    const body = shorten(draft.bodies[index] ?? '');
    insert.run(number, seq, at, markOf(hash), body);
    bytes += Buffer.byteLength(body);
  }
  db.prepare('UPDATE interactions SET bytes = ? WHERE number = ?').run(bytes, number);
}

/** Returns the number of the interaction. */
function writeHead(
  db: DatabaseSync,
  interaction: string,
  last: Entry | undefined,
  {bodies: {length}, opening, closing, movedTo}: Draft,
): number {
  const {at = 0, hash = ''} = last ?? {};
  const {status = null, answer = null} = closing ?? {};
  const add = db.prepare(
    `INSERT INTO interactions (id, entries, updated_at, hash, status, answer, imported)
     VALUES (?, ?, ?, ?, ?, ?, 1)`,
  );
  const number = Number(add.run(interaction, length, at, hash, status, answer).lastInsertRowid);
  if (opening) {
    const {form, request, workspace, openedAt, session} = opening;
    const open = db.prepare('INSERT INTO openings VALUES (?, ?, ?, ?, ?, ?)');
    open.run(number, form, request, movedTo ?? workspace, openedAt, session);
  }
  return number;
}
