/** Reactions of persons to runs, in the database. */

import type {SQLOutputValue} from 'node:sqlite';

import {requireInteractionId} from './chain.ts';
import type {Reaction, Reactions} from './journal.ts';
import type {Store} from './sqlite-store.ts';
import type {Turns} from './sqlite-turns.ts';

interface SqliteReactions extends Reactions {
  /** Inside a transaction, before the interaction itself is removed. */
  readonly clear: (interaction: string) => void;
}

export function createReactions(store: Store, writers: Turns, readers: Turns): SqliteReactions {
  const {db, attempt, durably} = store;
  const insert = db.prepare(
    `INSERT OR REPLACE INTO reactions SELECT number, ?, ?, ?, ? FROM interactions WHERE id = ?`,
  );
  const find = db.prepare(
    `SELECT id, kind, at, words FROM reactions JOIN interactions USING (number)
     WHERE ?1 IS NULL OR id = ?1 ORDER BY reactions.number, about`,
  );
  const remove = db.prepare(
    'DELETE FROM reactions WHERE number = (SELECT number FROM interactions WHERE id = ?)',
  );
  return {
    add: (interaction, {kind, at, words}) => {
      requireInteractionId(interaction);
      const about = kind === 'undone' ? 'changes' : 'result';
      const row = [about, kind, at, words ?? null, interaction];
      return writers.take(() => durably(() => void insert.run(...row)), [interaction]);
    },
    list: (interaction) =>
      readers.take(() => attempt(() => find.all(interaction ?? null).flatMap(toReaction)), []),
    clear: (interaction) => void remove.run(interaction),
  };
}

const kinds = ['up', 'down', 'undone'] as const;

function toReaction({
  id,
  kind: kept,
  at,
  words,
}: Record<string, SQLOutputValue>): (Reaction & {readonly interaction: string})[] {
  const kind = kinds.find((each) => each === kept);
  if (kind === undefined) return [];
  const said = typeof words === 'string' ? {words} : {};
  return [{interaction: String(id), kind, at: Number(at), ...said}];
}
