/** The index across searches with other globs: existing files stay, removed files go. */

import {rmSync, utimesSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {expect, test} from 'vitest';

import {createSearch} from '../../../tools/search/search.ts';
import {createPlace, type Place, textOf} from '../place.ts';

async function ask(place: Place, ...paths: readonly string[]): Promise<string> {
  const tool = createSearch({paths, topK: 5, indexFile: indexOf(place)});
  const {signal} = new AbortController();
  const context = {workspace: place.workspace, signal, recovering: false, onChild: () => undefined};
  return textOf(await tool.run({query: 'tea'}, context));
}

function indexOf({workspace}: Place): string {
  return join(dirname(workspace), 'index.db');
}

function sql(place: Place, text: string): readonly Record<string, unknown>[] {
  using db = new DatabaseSync(indexOf(place));
  return db.prepare(text).all();
}

test('a file of other globs is not read again, and is not in the results', async () => {
  const place = createPlace();
  for (const path of ['docs/a.md', 'other/b.md']) utimesSync(place.put(path, 'tea'), 1_000, 1_000);
  await ask(place, '**/*.md');
  sql(place, "UPDATE chunks SET text = 'Kept tea.'");
  const docs = await ask(place, 'docs/*.md');
  expect(docs).toContain('1 passage from 1 document searched');
  expect(docs).not.toContain('b.md');
  expect(await ask(place, 'other/*.md')).toContain('[1] other/b.md:1-1\n> Kept tea.');
});

test('a removed file is forgotten, even when the globs no longer match it', async () => {
  const place = createPlace();
  for (const path of ['docs/a.md', 'other/b.md', 'gone/c.md']) place.put(path, 'tea');
  await ask(place, '**/*.md');
  rmSync(join(place.workspace, 'other/b.md'));
  rmSync(join(place.workspace, 'gone'), {recursive: true});
  await ask(place, 'docs/*.md');
  expect(sql(place, 'SELECT path FROM files')).toEqual([{path: 'docs/a.md'}]);
});

test('a file that has become ignored is no longer searched', async () => {
  const place = createPlace();
  for (const path of ['a.md', 'b.md']) place.put(path, 'tea');
  await ask(place, '*.md');
  place.put('.gitignore', 'b.md\n');
  expect(await ask(place, '*.md')).toContain('1 passage from 1 document searched');
});
