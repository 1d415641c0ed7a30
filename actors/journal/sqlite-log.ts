/** The entries in the database, the head of each interaction, and the list of interactions. */

import type {SQLOutputValue} from 'node:sqlite';

import {AppError} from '../../machines/domain/app-error.ts';
import {escapePattern} from '../../machines/domain/plain-text.ts';
import {
  chainAfter,
  type Draft,
  entryIn,
  firstHead,
  type Head,
  isWritten,
  link,
  requireInteractionId,
  requireSound,
  salvageChain,
  type StoredEntry,
  takenOver,
  toDraft,
} from './chain.ts';
import {
  type Closed,
  type Entry,
  type InteractionRow,
  type Log,
  readAtOnce,
  type RowQuery,
  type Salvaged,
} from './journal.ts';
import type {Sign} from './signing-key.ts';
import {isPlaceTaken, resumable} from './sqlite-errors.ts';
import type {Store} from './sqlite-store.ts';
import type {Turns} from './sqlite-turns.ts';

type Row = Record<string, SQLOutputValue>;

/** The position of an interaction. `number`: of its row; undefined before its first entry. */
interface Place {
  readonly number: number | undefined;
  readonly head: Head;
  /** Nothing was added to it since its import. */
  readonly isImported?: boolean;
}

interface LogDeps {
  readonly store: Store;
  /** Appends and reads wait in separate queues, so that a waiting append does not delay reads. */
  readonly writers: Turns;
  readonly readers: Turns;
  /** Called inside a transaction, for each draft that it writes: what belongs to the same fact. */
  readonly besides: (draft: Draft) => void;
  /** Called inside a transaction. Throws AppError `busy` or `io` when this journal no longer owns one of the interactions. */
  readonly requireOwned: (interactions: ReadonlySet<string>) => void;
  readonly sign: Sign | undefined;
}

interface SqliteLog extends Log {
  /** Inside a transaction: removes the interaction with all of its entries. */
  readonly clear: (interaction: string) => void;
  readonly onOwned: (interaction: string) => void;
  readonly onReleased: (interaction: string) => void;
}

export function createLog(deps: LogDeps): SqliteLog {
  const {store, readers} = deps;
  /** The interactions that this journal owns, with the position last read or written; undefined before that. */
  const owned = new Map<string, Place | undefined>();
  const findPlace = createFinder(store);
  const salvageRows = createSalvage(store, findPlace);

  const salvage = (interaction: string): Salvaged =>
    store.attempt(() => {
      const {place, salvaged} = store.consistently(() => salvageRows(interaction));
      if (owned.has(interaction) && !owned.get(interaction)) owned.set(interaction, place);
      return place.isImported === true ? {...salvaged, imported: true} : salvaged;
    });
  const closing = createClosing(store);
  const findAfter = createAfter(store);
  const list = createList(store);
  return {
    append: createAppend(deps, owned, {findPlace, salvageRows}),
    read: (interaction) => {
      requireInteractionId(interaction);
      return readers.take(() => requireSound(salvage(interaction)), [interaction]);
    },
    salvage: (interaction) => {
      requireInteractionId(interaction);
      return readers.take(() => salvage(interaction), [interaction]);
    },
    after: (interaction, last) => {
      requireInteractionId(interaction);
      const find = (): readonly Entry[] => findAfter(interaction, last);
      return readers.take(() => store.attempt(find), [interaction]);
    },
    lengthOf: (interaction) => {
      requireInteractionId(interaction);
      const find = (): number => findPlace(interaction).head.seq;
      return readers.take(() => store.attempt(find), [interaction]);
    },
    closing: (interaction) => {
      requireInteractionId(interaction);
      return readers.take(() => store.attempt(() => closing(interaction)), [interaction]);
    },
    list: (of = {}) => readers.take(() => store.attempt(() => list(of)), []),
    clear: createClear(store, owned),
    onOwned: (interaction) => {
      owned.set(interaction, undefined);
    },
    onReleased: (interaction) => {
      owned.delete(interaction);
    },
  };
}

interface Finding {
  readonly findPlace: (interaction: string) => Place;
  readonly salvageRows: (interaction: string) => {
    readonly place: Place;
    readonly salvaged: Salvaged;
  };
}

function createAppend(
  deps: LogDeps,
  owned: Map<string, Place | undefined>,
  {findPlace, salvageRows}: Finding,
): Log['append'] {
  const {store, writers, requireOwned} = deps;
  const write = createWriter(deps, salvageRows);
  // Not read from the database for an owned interaction, so that writes of another process are detected.
  const placeOf = (interaction: string): Place =>
    owned.has(interaction)
      ? (owned.get(interaction) ?? {number: undefined, head: firstHead(interaction)})
      : findPlace(interaction);
  const transact = (drafts: readonly Draft[]): void => {
    const next = new Map<string, Place>();
    const interactions = drafts.map(({interaction}) => interaction);
    store.durably(() => {
      requireOwned(new Set(interactions.filter((each) => owned.has(each))));
      for (const draft of drafts) {
        const {interaction} = draft;
        next.set(interaction, write(draft, next.get(interaction) ?? placeOf(interaction)));
      }
    });
    for (const [interaction, place] of next)
      if (owned.has(interaction)) owned.set(interaction, place);
  };
  return (batch) => {
    const drafts = batch.map(toDraft).filter(({bodies}) => bodies.length > 0);
    if (drafts.length === 0) return undefined;
    // An interaction that could not be opened can't be resumed.
    const interactions = drafts.flatMap(({interaction, opening}) => (opening ? [] : [interaction]));
    return writers.take(() => {
      try {
        transact(drafts);
      } catch (error) {
        throw error instanceof AppError ? resumable(error, interactions) : error;
      }
    }, interactions);
  };
}

function createClear(
  {db}: Store,
  owned: Map<string, Place | undefined>,
): (interaction: string) => void {
  const numbered = '(SELECT number FROM interactions WHERE id = ?)';
  const removals = [
    `DELETE FROM entries WHERE interaction = ${numbered}`,
    `DELETE FROM openings WHERE number = ${numbered}`,
    'DELETE FROM interactions WHERE id = ?',
  ].map((sql) => db.prepare(sql));
  return (interaction) => {
    for (const removal of removals) removal.run(interaction);
    if (owned.has(interaction)) owned.set(interaction, undefined);
  };
}

function createFinder({db}: Store): (interaction: string) => Place {
  const find = db.prepare('SELECT number, entries, hash, imported FROM interactions WHERE id = ?');
  return (interaction) => {
    const row = find.get(interaction);
    if (!row) return {number: undefined, head: firstHead(interaction)};
    const head = {seq: Number(row['entries']), hash: String(row['hash'])};
    return {number: Number(row['number']), head, isImported: row['imported'] === 1};
  };
}

/** Writes one draft inside a transaction, and returns the new position of its interaction. */
function createWriter(
  deps: LogDeps,
  salvageRows: Finding['salvageRows'],
): (draft: Draft, place: Place) => Place {
  const writeAt = createPlacedWriter(deps);
  return (draft, place) => {
    const {interaction, seq = place.head.seq} = draft;
    try {
      if (seq === place.head.seq) return writeAt(draft, place);
    } catch (error) {
      if (!isPlaceTaken(error)) throw error;
    }
    const {place: last, salvaged} = salvageRows(interaction);
    if (isWritten(draft, salvaged.entries, deps.sign)) return last;
    throw takenOver(interaction);
  };
}

function createPlacedWriter({
  store: {db},
  besides,
  sign,
}: LogDeps): (draft: Draft, place: Place) => Place {
  const insert = db.prepare('INSERT INTO entries VALUES (?, ?, ?, ?, ?)');
  const add = db.prepare(
    'INSERT INTO interactions (id, entries, updated_at, hash) VALUES (?, 0, ?, ?)',
  );
  const open = db.prepare('INSERT OR IGNORE INTO openings VALUES (?, ?, ?, ?, ?, ?)');
  const relocate = db.prepare('UPDATE openings SET workspace = ? WHERE number = ?');
  const move = db.prepare(
    `UPDATE interactions
     SET entries = ?, updated_at = ?, hash = ?, status = coalesce(?, status), answer = coalesce(?, answer),
       bytes = bytes + ?
     WHERE number = ? AND entries = ?`,
  );
  return (draft, place) => {
    const {interaction, at, opening, closing, movedTo} = draft;
    const {hash: before, seq} = place.head;
    const number = place.number ?? Number(add.run(interaction, at, before).lastInsertRowid);
    const {stored, head} = link(place.head, draft, {...draft, sign});
    let bytes = 0;
    for (const entry of stored) {
      const body = shorten(entry.body);
      insert.run(number, entry.seq, at, entry.mark, body);
      bytes += Buffer.byteLength(body);
    }
    const {status = null, answer = null} = closing ?? {};
    if (move.run(head.seq, at, head.hash, status, answer, bytes, number, seq).changes !== 1)
      throw takenOver(interaction);
    if (opening) {
      const {form, request, workspace, openedAt, session} = opening;
      open.run(number, form, request, workspace, openedAt, session);
    }
    if (movedTo !== undefined) relocate.run(movedTo, number);
    besides(draft);
    return {number, head};
  };
}

function createSalvage({db}: Store, findPlace: Finding['findPlace']): Finding['salvageRows'] {
  const findEntries = db.prepare(
    'SELECT seq, at, mark, body FROM entries WHERE interaction = ? ORDER BY seq',
  );
  return (interaction) => {
    const place = findPlace(interaction);
    const rows = place.number === undefined ? [] : findEntries.iterate(place.number);
    const stored = Iterator.from(rows).map(toStored);
    return {place, salvaged: salvageChain(interaction, stored, place.head)};
  };
}

function createAfter({db}: Store): (...given: Parameters<Log['after']>) => readonly Entry[] {
  const find = db.prepare(
    `SELECT seq, at, mark, body FROM interactions JOIN entries ON interaction = number
     WHERE id = ? AND seq > ? ORDER BY seq LIMIT ${readAtOnce}`,
  );
  return (interaction, {seq, hash}) => {
    const stored = Iterator.from(find.iterate(interaction, seq)).map(toStored);
    return requireSound(chainAfter({seq: seq + 1, hash}, stored, interaction));
  };
}

function createClosing({db}: Store): (interaction: string) => Closed | undefined {
  const findLast = db.prepare(
    `SELECT body FROM interactions
     JOIN entries ON entries.interaction = number AND seq = interactions.entries - 1 WHERE id = ?`,
  );
  return (interaction) => {
    const row = findLast.get(interaction);
    const last = row && entryIn(lengthen(String(row['body'])));
    return last?.type === 'closed' ? last : undefined;
  };
}

/** The beginning of an entry that ends a run holds its status. */
const STATUS_WITHIN = 200;

/** The status comes from the last entry, which the chain covers; the column beside it is for queries alone. */
function createList({db}: Store): (of: RowQuery) => InteractionRow[] {
  const select = (condition: string) =>
    db.prepare(
      `SELECT *, (
         SELECT substr(body, 1, ${STATUS_WITHIN}) FROM entries WHERE interaction = number AND seq = interactions.entries - 1
       ) AS last
       FROM openings JOIN interactions USING (number) ${condition} ORDER BY opened_at DESC, number DESC`,
    );
  const listAll = select('');
  return (of) => {
    const wanted = columns.flatMap((column) => {
      const value = of[column];
      return value === undefined ? [] : [{column, value}];
    });
    if (wanted.length === 0) return listAll.all().map(toInteraction);
    const condition = `WHERE ${wanted.map(({column}) => `${column} = ?`).join(' AND ')}`;
    return select(condition)
      .all(...wanted.map(({value}) => value))
      .map(toInteraction);
  };
}

const columns = ['id', 'session', 'workspace'] as const satisfies (keyof RowQuery)[];

const closingStatus = /^\{"type":"closed","result":\{(?:.*?,)?"status":"([^"]*)"/s;

/** A condition on a row of `interactions`: its last entry, which the chain covers, ends it. The column `status` is not covered. */
export const isEnded = `EXISTS (
  SELECT 1 FROM entries WHERE interaction = interactions.number AND seq = interactions.entries - 1 AND body LIKE '{"type":"closed"%'
)`;

/** Undefined: the entry does not end a run. */
function statusIn(last: SQLOutputValue | undefined): string | undefined {
  const text = typeof last === 'string' ? lengthen(last) : '';
  if (!text.startsWith('{"type":"closed"')) return undefined;
  return closingStatus.exec(text)?.[1] ?? 'closed';
}

function toStored(row: Row): StoredEntry {
  return {
    seq: Number(row['seq']),
    at: Number(row['at']),
    mark: String(row['mark']),
    body: lengthen(String(row['body'])),
  };
}

function toInteraction(row: Row): InteractionRow {
  const {last, answer} = row;
  return {
    id: String(row['id']),
    form: String(row['form']),
    request: String(row['request']),
    workspace: String(row['workspace']),
    openedAt: Number(row['opened_at']),
    updatedAt: Number(row['updated_at']),
    entries: Number(row['entries']),
    session: String(row['session']),
    status: statusIn(last),
    answer: typeof answer === 'string' ? answer : undefined,
    bytes: Number(row['bytes']),
    ...(row['imported'] === 1 ? {imported: true} : {}),
  };
}

// The form of a body on disk, which saves space: one character replaces each phrase that nearly all bodies have. The characters
// are control characters, which JSON always escapes.

/** By the code of the character. Journals on disk depend on them: add phrases, but don't change any. */
const dictionary: ReadonlyMap<number, string> = new Map([
  [1, '{"type":"settled","key":"i/interaction/form/'],
  [2, '{"type":"requested","key":"i/interaction/form/'],
  [3, 'execution/task:'],
  [4, '/turns/model#'],
  [5, '/turns/call:'],
  [6, '/run#1","request":"'],
  [7, '","request":"'],
  [11, '","outcome":{"kind":"ok","text":"'],
  [12, '","outcome":{"kind":"succeeded","text":"'],
  [14, '","usage":{"inputTokens":'],
  [15, ',"outputTokens":'],
  [16, ',"cachedTokens":'],
  [17, ',"costUsd":'],
  [18, '},"calls":[{"id":"'],
  [19, '","name":"'],
  [20, '","args":{"'],
  [21, '}]},"ms":'],
  [22, ',"digest":"'],
  [23, '","ran":'],
  [24, '{"tool":"'],
  [25, '","ok":true,"did":"'],
  [26, '","target":"'],
  [27, '"status":"succeeded","text":"'],
  [28, '/turns/model/model#'],
]);

const letters = new Map(
  [...dictionary].map(([code, phrase]) => [phrase, String.fromCodePoint(code)]),
);
const anyPhrase = new RegExp(
  [...letters.keys()].map((phrase) => escapePattern(phrase)).join('|'),
  'g',
);
const anyLetter = new RegExp(`[${[...letters.values()].join('')}]`, 'g');

export function shorten(body: string): string {
  return body.replace(anyPhrase, (phrase) => letters.get(phrase) ?? phrase);
}

/** Reverses {@link shorten}. */
export function lengthen(text: string): string {
  return text.replace(anyLetter, (letter) => dictionary.get(letter.charCodeAt(0)) ?? letter);
}
