/** The index: it follows the files while the tool is used, by one search or by several at once. */

import {renameSync, rmSync, statSync, utimesSync} from 'node:fs';
import {join} from 'node:path';

import {describe, expect, test} from 'vitest';

import {createSearch} from '../../../tools/search/search.ts';
import {createWriter, openIndex, stampsOf, updateIndex} from '../../../tools/search/update.ts';
import {createPlace, type Place, textOf} from '../place.ts';

interface Library extends Place {
  readonly ask: (query: string, workspace?: string) => Promise<string>;
}

function createLibrary(): Library {
  const place = createPlace();
  const tool = createSearch({paths: ['**/*.md'], topK: 5});
  const {signal} = new AbortController();
  return {
    ...place,
    ask: async (query, workspace = place.workspace) =>
      textOf(
        await tool.run({query}, {workspace, signal, recovering: false, onChild: () => undefined}),
      ),
  };
}

/** Changed long ago, so that a later change shows in its time. */
function putOld(place: Place, path: string, content: string): string {
  const full = place.put(path, content);
  utimesSync(full, 1_000, 1_000);
  return full;
}

describe('the index follows the files', () => {
  test('when they are changed, added, removed and renamed', async () => {
    const library = createLibrary();
    const tea = library.put('tea.md', 'Tea is green.');
    library.put('coffee.md', 'Coffee is black.');
    expect(await library.ask('green tea')).toContain('[1] tea.md:1-1\n> Tea is green.\n');

    library.put('tea.md', 'Tea is white.');
    expect(await library.ask('green tea')).toContain('> Tea is white.');

    renameSync(tea, join(library.workspace, 'chai.md'));
    const renamed = await library.ask('white tea');
    expect(renamed).toContain('[1] chai.md:1-1\n');
    expect(renamed).not.toContain('tea.md');

    rmSync(join(library.workspace, 'chai.md'));
    expect(await library.ask('white tea')).toBe('nothing found in 1 document');
  });

  test('and keeps the chunks of a file that is unchanged or was only touched, until it is gone', async () => {
    const place = createPlace();
    const tea = putOld(place, 'tea.md', 'Tea is green.');
    const index = openIndex();
    const update = async (paths: readonly string[]): Promise<unknown[]> => {
      const files = paths.map((path) => ({path}));
      await updateIndex(index, place.workspace, files, new AbortController().signal);
      return index.prepare('SELECT text FROM chunks').all();
    };
    expect(await update(['tea.md'])).toEqual([{text: 'Tea is green.'}]);
    index.exec("UPDATE chunks SET text = 'Kept tea.'");
    expect(await update(['tea.md'])).toEqual([{text: 'Kept tea.'}]);
    utimesSync(tea, 2_000, 2_000);
    expect(await update(['tea.md'])).toEqual([{text: 'Kept tea.'}]);
    expect(await update([])).toEqual([]);
    expect(index.prepare("SELECT rowid FROM words WHERE words MATCH 'tea'").all()).toEqual([]);
  });

  test('and the ignore files', async () => {
    const library = createLibrary();
    for (const path of ['a.md', 'b.md']) library.put(path, 'tea');
    await library.ask('tea');
    library.put('.gitignore', 'b.md\n');
    expect(await library.ask('tea')).toContain('1 passage from 1 document searched');
  });

  test('and notices a change within the same instant and size', async () => {
    const library = createLibrary();
    const tea = library.put('tea.md', 'Tea is green.');
    const {atime, mtime} = statSync(tea);
    await library.ask('tea');
    library.put('tea.md', 'Tea is white.');
    utimesSync(tea, atime, mtime);
    expect(await library.ask('tea')).toContain('> Tea is white.');
  });

  test('and does not trust a modification time that may repeat', () => {
    const library = createLibrary();
    library.put('new.md', 'Tea is green.');
    putOld(library, 'old.md', 'Tea is green.');
    const files = ['gone.md', 'new.md', 'old.md'].map((path) => ({path, bytes: 13}));
    const stamps = [...stampsOf(library.workspace, files)].map(({stamp}) => stamp);
    expect(stamps).toEqual([undefined, '', expect.stringMatching(/^13 1000000 /)]);
  });

  test('and does not write a file again that another search has just written', () => {
    const index = openIndex();
    const words = {path: 'tea', heading: '', body: 'tea', characters: ''};
    const rows = [{start: 0, line: 1, heading: '', text: 'Tea', words}];
    const changes = [1, 2].map(() => {
      const writer = createWriter(index, '/');
      writer.put({path: 'tea.md', stamp: '', hash: 'a', rows});
      writer.flush();
      return index.prepare('SELECT total_changes() AS count').get();
    });
    expect(changes[0]?.['count']).toBeGreaterThan(0);
    expect(changes[1]).toEqual(changes[0]);
  });

  test('and separates workspaces', async () => {
    const library = createLibrary();
    library.put('tea.md', 'Tea is green.');
    await library.ask('tea');
    const other = createPlace();
    other.put('coffee.md', 'Tea is not coffee.');
    const text = await library.ask('tea', other.workspace);
    expect(text).toContain('[1] coffee.md:1-1');
    expect(text).toContain('1 passage from 1 document searched');
    expect(await library.ask('tea')).toContain('[1] tea.md:1-1');
  });
});

test('searches at once get the same answers', async () => {
  const library = createLibrary();
  for (let file = 0; file < 60; file += 1) {
    library.put(
      `${file % 7}/${file}.md`,
      `# ${file}\n\n${`Tea number ${file} is hot. `.repeat(1_000)}`,
    );
  }
  const texts = await Promise.all(Array.from({length: 4}, async () => await library.ask('tea')));
  expect([...new Set(texts)]).toEqual([expect.stringMatching(/60 documents searched$/)]);
});
