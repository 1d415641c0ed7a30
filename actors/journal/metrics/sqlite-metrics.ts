/** Figures of runs and reactions to them, in the database. */

import type {SQLOutputValue} from 'node:sqlite';

import type {JsonObject} from '../../../machines/domain/json.ts';
import {requireInteractionId} from '../chain.ts';
import type {Store} from '../sqlite-store.ts';
import type {Turns} from '../sqlite-turns.ts';
import {aboutOf, type KeptFigures, type Metrics, type Reaction} from './metrics.ts';

type Row = Record<string, SQLOutputValue>;

interface SqliteMetrics extends Metrics {
  /** Inside a transaction, before the interaction itself is removed. */
  readonly clear: (interaction: string) => void;
}

export function createMetrics(store: Store, writers: Turns, readers: Turns): SqliteMetrics {
  const {db, attempt, durably, quickly} = store;
  const insert = db.prepare(
    `INSERT OR REPLACE INTO metrics
     SELECT number, ? FROM interactions WHERE id = ? AND status IS NOT NULL`,
  );
  const listAll = db.prepare('SELECT id, figures FROM metrics JOIN interactions USING (number)');
  const react = db.prepare(
    `INSERT OR REPLACE INTO reactions SELECT number, ?, ?, ?, ? FROM interactions WHERE id = ?`,
  );
  const findReactions = db.prepare(
    `SELECT id, kind, at, words FROM reactions JOIN interactions USING (number)
     WHERE ?1 IS NULL OR id = ?1 ORDER BY reactions.number, about`,
  );
  const numbered = 'number = (SELECT number FROM interactions WHERE id = ?)';
  const removals = ['metrics', 'reactions'].map((table) =>
    db.prepare(`DELETE FROM ${table} WHERE ${numbered}`),
  );
  return {
    keep: (all) => {
      const rows = all.map(({interaction, figures}) => [JSON.stringify(figures), interaction]);
      return writers.take(() => quickly(() => rows.forEach((row) => insert.run(...row))), []);
    },
    list: () => readers.take(() => attempt(() => listAll.all().map(toFigures)), []),
    react: (interaction, {kind, at, words}) => {
      requireInteractionId(interaction);
      const row = [aboutOf(kind), kind, at, words ?? null, interaction];
      return writers.take(() => durably(() => void react.run(...row)), [interaction]);
    },
    reactions: (interaction) =>
      readers.take(
        () => attempt(() => findReactions.all(interaction ?? null).flatMap(toReaction)),
        [],
      ),
    clear: (interaction) => {
      for (const removal of removals) removal.run(interaction);
    },
  };
}

function toFigures({id, figures}: Row): KeptFigures {
  const parsed: JsonObject = JSON.parse(String(figures));
  return {interaction: String(id), figures: parsed};
}

const kinds = ['up', 'down', 'undone'] as const;

function toReaction({
  id,
  kind: kept,
  at,
  words,
}: Row): (Reaction & {readonly interaction: string})[] {
  const kind = kinds.find((each) => each === kept);
  if (kind === undefined) return [];
  const said = typeof words === 'string' ? {words} : {};
  return [{interaction: String(id), kind, at: Number(at), ...said}];
}
