/** The index, in memory, and writing to it: several files in one transaction, each completely or not at all. */

import {DatabaseSync} from 'node:sqlite';

import {transact} from '../sqlite.ts';

const maxPending = 500;

/** Words are stored folded and separated by spaces: the ascii tokenizer treats every other character as part of a word. */
const schema = `
  CREATE TABLE files (
    id INTEGER PRIMARY KEY, root TEXT NOT NULL, path TEXT NOT NULL, stamp TEXT NOT NULL, hash TEXT NOT NULL,
    denied TEXT, UNIQUE (root, path)
  ) STRICT;
  CREATE TABLE chunks (
    id INTEGER PRIMARY KEY, file INTEGER NOT NULL, start INTEGER NOT NULL, line INTEGER NOT NULL,
    heading TEXT NOT NULL, text TEXT NOT NULL
  ) STRICT;
  CREATE INDEX chunks_by_file ON chunks (file);
  CREATE VIRTUAL TABLE words USING fts5 (path, heading, body, characters, tokenize = 'ascii');
  CREATE VIRTUAL TABLE vocabulary USING fts5vocab (words, row);
`;

export function openIndex(): DatabaseSync {
  const index = new DatabaseSync(':memory:');
  index.exec(schema);
  return index;
}

export interface FileRecord {
  readonly stamp: string;
  readonly hash: string;
}

export interface Row {
  readonly start: number;
  readonly line: number;
  readonly heading: string;
  readonly text: string;
  /** Separated by spaces. */
  readonly words: Readonly<Record<'path' | 'heading' | 'body' | 'characters', string>>;
}

export interface IndexedFile extends FileRecord {
  readonly path: string;
  /** The reason why the file is not searched: the code of its denial. */
  readonly denied?: string;
  readonly rows: readonly Row[];
}

/** All changes take effect with `flush` at the latest. */
export interface Writer {
  /** The files of the workspace in the index, by path. */
  readonly known: () => ReadonlyMap<string, FileRecord>;
  readonly forget: (paths: readonly string[]) => void;
  /** The file is unchanged, but has another stamp. */
  readonly touch: (path: string, stamp: string) => void;
  /** Replaces the entry of a file. An entry with the same hash that another search has written in the meantime stays. */
  readonly put: (file: IndexedFile) => void;
  readonly flush: () => void;
}

export function createWriter(index: DatabaseSync, root: string): Writer {
  const list = index.prepare('SELECT path, stamp, hash FROM files WHERE root = ?');
  const changeStamp = index.prepare('UPDATE files SET stamp = ? WHERE root = ? AND path = ?');
  const {remove, replace} = createStatements(index, root);
  let pending: (() => void)[] = [];
  let size = 0;
  const flush = (): void => {
    const changes = pending;
    pending = [];
    size = 0;
    if (changes.length > 0) transact(index, () => changes.forEach((change) => change()));
  };
  const add = (weight: number, change: () => void): void => {
    pending.push(change);
    size += weight;
    if (size >= maxPending) flush();
  };
  return {
    known: () =>
      new Map(
        list
          .all(root)
          .map((row) => [
            String(row['path']),
            {stamp: String(row['stamp']), hash: String(row['hash'])},
          ]),
      ),
    forget: (paths) => paths.forEach((path) => add(1, () => remove(path))),
    touch: (path, stamp) => add(1, () => changeStamp.run(stamp, root, path)),
    put: (file) => add(file.rows.length + 1, () => replace(file)),
    flush,
  };
}

interface Statements {
  readonly remove: (path: string) => void;
  readonly replace: (file: IndexedFile) => void;
}

function createStatements(index: DatabaseSync, root: string): Statements {
  const find = index.prepare('SELECT id, hash FROM files WHERE root = ? AND path = ?');
  const dropWords = index.prepare(
    'DELETE FROM words WHERE rowid IN (SELECT id FROM chunks WHERE file = ?)',
  );
  const dropChunks = index.prepare('DELETE FROM chunks WHERE file = ?');
  const dropFile = index.prepare('DELETE FROM files WHERE id = ?');
  const addFile = index.prepare(
    'INSERT INTO files (root, path, stamp, hash, denied) VALUES (?, ?, ?, ?, ?)',
  );
  const addChunk = index.prepare(
    'INSERT INTO chunks (file, start, line, heading, text) VALUES (?, ?, ?, ?, ?)',
  );
  const addWords = index.prepare(
    'INSERT INTO words (rowid, path, heading, body, characters) VALUES (?, ?, ?, ?, ?)',
  );
  const drop = (id: number): void => {
    for (const statement of [dropWords, dropChunks, dropFile]) statement.run(id);
  };
  return {
    remove: (path) => {
      const known = find.get(root, path);
      if (known) drop(Number(known['id']));
    },
    replace: ({path, stamp, hash, denied, rows}) => {
      const known = find.get(root, path);
      if (known && hash !== '' && known['hash'] === hash) return;
      if (known) drop(Number(known['id']));
      const file = addFile.run(root, path, stamp, hash, denied ?? null).lastInsertRowid;
      for (const {start, line, heading, text, words} of rows) {
        const {lastInsertRowid: id} = addChunk.run(file, start, line, heading, text);
        addWords.run(id, words.path, words.heading, words.body, words.characters);
      }
    },
  };
}
