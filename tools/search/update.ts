/** The index in memory, and bringing it up to date with the files of a workspace. */

import {lstatSync, type Stats} from 'node:fs';
import {DatabaseSync} from 'node:sqlite';

import {isCredentialPlace} from '../../machines/places/places.ts';
import {type Folder, openFolder} from '../containment/folder.ts';
import {paced} from '../read/pace.ts';
import {decodedText, readInside, sha256} from '../read/read.ts';
import {transact} from '../sqlite.ts';
import {textWords} from '../text/words.ts';
import {chunksOf} from './chunks.ts';
import type {FoundDocument} from './list-documents.ts';
import {charactersOf} from './query.ts';

/** Larger files are skipped, and the result says so. */
const maxDocumentBytes = 2 * 1024 * 1024;

/** The number of chunks made before other work gets its turn. */
const chunksAtOnce = 16;

/** Reads only files that seem to have changed, and writes only changed ones. Gives way to the event loop; ends early on abort. */
export async function updateIndex(
  index: DatabaseSync,
  workspace: string,
  wanted: readonly FoundDocument[],
  signal: AbortSignal,
): Promise<void> {
  const writer = createWriter(index, workspace);
  const work = steps(writer, workspace, wanted);
  try {
    await paced(work, signal, () => true);
  } finally {
    // An abort stops the walk in the middle, with a folder open.
    work.return(undefined);
  }
}

function* steps(
  writer: Writer,
  workspace: string,
  wanted: readonly FoundDocument[],
): Generator<void> {
  const known = writer.known();
  const found = new Set(wanted.map(({path}) => path));
  writer.forget([...known.keys()].filter((path) => !found.has(path)));
  for (const file of stampsOf(workspace, wanted)) {
    const old = known.get(file.path);
    if (old === undefined || file.stamp === '' || old.stamp !== file.stamp) {
      yield* renew(writer, workspace, file, old);
    }
    yield;
  }
  writer.flush();
}

function* renew(
  writer: Writer,
  workspace: string,
  {path, stamp}: Stamped,
  old: FileRecord | undefined,
): Generator<void> {
  const loaded = load(workspace, path);
  if (stamp === undefined || loaded === undefined) return writer.forget([path]);
  if ('denied' in loaded) return writer.put({path, stamp, hash: '', ...loaded, rows: []});
  const {hash, text} = loaded;
  if (old?.hash === hash) return writer.touch(path, stamp);
  const rows: Row[] = [];
  const pathWords = textWords(path).join(' ');
  for (const {start, line, heading, text: piece} of chunksOf(path, text)) {
    const words = {
      path: pathWords,
      heading: textWords(heading).join(' '),
      body: textWords(piece).join(' '),
      characters: charactersOf(piece).join(' '),
    };
    rows.push({start, line, heading, text: piece, words});
    if (rows.length % chunksAtOnce === 0) yield;
  }
  return writer.put({path, stamp, hash, rows});
}

type Loaded = {readonly hash: string; readonly text: string} | {readonly denied: string};

/** Codes of denials that hold as long as the file is unchanged. */
const lasting: ReadonlySet<string> = new Set(['binary', 'encoding', 'too_large', 'credentials']);

/** Undefined for a file that can't be read now but perhaps later. */
function load(workspace: string, path: string): Loaded | undefined {
  if (isCredentialPlace(path)) return {denied: 'credentials'};
  const file = readInside(workspace, path, {maxBytes: maxDocumentBytes});
  const text = file.ok ? decodedText(file.value) : file;
  if (file.ok && text.ok) return {hash: sha256(file.value.bytes), text: text.value};
  const code = text.ok ? 'io' : text.denial.code;
  return lasting.has(code) ? {denied: code} : undefined;
}

/** A file that has just been changed may change again within the resolution of its time. */
const settledMs = 2_000;

interface Stamped extends FoundDocument {
  /** Equal while the file is unchanged; empty when that is uncertain; undefined when the file is gone. */
  readonly stamp: string | undefined;
}

/** `files` by path. Links are not followed. */
export function* stampsOf(workspace: string, files: readonly FoundDocument[]): Generator<Stamped> {
  let open: {readonly at: string; readonly folder: Folder | undefined} | undefined;
  try {
    for (const file of files) {
      const names = file.path.split('/');
      const name = names.pop() ?? '';
      const at = names.join('/');
      if (open?.at !== at) {
        open?.folder?.close();
        open = {at, folder: tryOpen(workspace, names)};
      }
      yield {...file, stamp: stampOf(open.folder?.reach(name))};
    }
  } finally {
    open?.folder?.close();
  }
}

function tryOpen(workspace: string, parts: readonly string[]): Folder | undefined {
  try {
    return openFolder(workspace, parts);
  } catch {
    return undefined;
  }
}

function stampOf(path: string | undefined): string | undefined {
  const stats = path === undefined ? undefined : tryStat(path);
  if (stats?.isFile() !== true) return undefined;
  if (Date.now() - stats.mtimeMs < settledMs) return '';
  return [stats.size, stats.mtimeMs, stats.ctimeMs, stats.ino].join(' ');
}

function tryStat(path: string): Stats | undefined {
  try {
    return lstatSync(path, {throwIfNoEntry: false});
  } catch {
    return undefined;
  }
}

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

interface FileRecord {
  readonly stamp: string;
  readonly hash: string;
}

interface Row {
  readonly start: number;
  readonly line: number;
  readonly heading: string;
  readonly text: string;
  /** Separated by spaces. */
  readonly words: Readonly<Record<'path' | 'heading' | 'body' | 'characters', string>>;
}

interface IndexedFile extends FileRecord {
  readonly path: string;
  /** The reason why the file is not searched: the code of its denial. */
  readonly denied?: string;
  readonly rows: readonly Row[];
}

/** All changes take effect with `flush` at the latest. */
interface Writer {
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
