/** Finds values in unmodified files that git tracks: everybody who has the repository knows these values. */

import {readFile, stat} from 'node:fs/promises';
import {dirname, join} from 'node:path';

import {isCredentialPlace} from '../../machines/places/places.ts';
import {type IndexEntry, readIndex} from '../../tools/commands/look/git-index.ts';
import {openable} from '../../tools/containment/own-state.ts';
import {createFinder} from './mask.ts';

const limits = {files: 1_000, bytesAFile: 128 * 1024, bytes: 8 * 1024 * 1024};
const atOnce = 32;

/** Searches within `limits`, and skips files with credentials. Never rejects. */
export async function committedAmong(
  values: readonly string[],
  workspace: string,
): Promise<ReadonlySet<string>> {
  const root = await repositoryOf(workspace);
  const index = root === undefined ? undefined : await readIndex(join(root, '.git/index'));
  if (root === undefined || !index) return new Set();
  const find = createFinder(values);
  const found = new Set<string>();
  const entries = boundedIn(index.entries.values());
  for (let at = 0; at < entries.length; at += atOnce) {
    // oxlint-disable-next-line no-await-in-loop -- limits the number of open files
    const texts = await Promise.all(
      entries.slice(at, at + atOnce).map(async (entry) => committedText(root, entry)),
    );
    for (const {needle} of texts.flatMap(find)) found.add(needle);
  }
  return found;
}

/** The nearest folder, upwards, with a `.git` folder. */
async function repositoryOf(folder: string): Promise<string | undefined> {
  try {
    if ((await stat(join(folder, '.git'))).isDirectory()) return folder;
  } catch {
    // It does not exist.
  }
  const parent = dirname(folder);
  return parent === folder ? undefined : await repositoryOf(parent);
}

function boundedIn(entries: Iterable<IndexEntry>): readonly IndexEntry[] {
  let bytes = 0;
  const taken: IndexEntry[] = [];
  for (const entry of entries) {
    const {path, size, isLink, isSubmodule} = entry;
    if (isLink || isSubmodule || size > limits.bytesAFile || isCredentialPlace(path)) continue;
    bytes += size;
    if (bytes > limits.bytes || taken.length >= limits.files) break;
    taken.push(entry);
  }
  return taken;
}

/** Empty for a file that changed after git indexed it, and for one that cannot be read. */
async function committedText(root: string, {path, size, modified}: IndexEntry): Promise<string> {
  try {
    const file = join(root, path);
    const now = await stat(file);
    const isSame = now.size === size && Math.floor(now.mtimeMs / 1_000) === modified[0];
    return isSame ? await readFile(openable(file), 'utf8') : '';
  } catch {
    return '';
  }
}
