/** Brings an index up to date with the files of a workspace. */

import type {DatabaseSync} from 'node:sqlite';

import {isCredentialPlace} from '../../machines/places/places.ts';
import {paced} from '../read/pace.ts';
import {readInside, sha256, decodedText} from '../read/read.ts';
import {textWords} from '../text/words.ts';
import {chunksOf} from './chunks.ts';
import {charactersOf} from './query.ts';
import {stampsOf, type Stamped} from './stamps.ts';
import type {FoundDocument} from './walk/list-documents.ts';
import {createWriter, type FileRecord, type Row, type Writer} from './writer.ts';

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
