/** The index on disk: it follows the files, repairs itself, and is shared by simultaneous searches. */

import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {execa, execaSync} from 'execa';
import {describe, expect, test} from 'vitest';

import {createToolbox} from '../../../tools/index.ts';
import {createSearch} from '../../../tools/search/search.ts';
import {createShelf} from '../../../tools/search/shelf.ts';
import {stampsOf} from '../../../tools/search/stamps.ts';
import {discardIndex, openIndex} from '../../../tools/search/store.ts';
import {createWriter} from '../../../tools/search/writer.ts';
import {transact} from '../../../tools/sqlite.ts';
import {createPlace, type Place, textOf} from '../place.ts';

const toolUrl = new URL('../../../tools/search/search.ts', import.meta.url).href;

interface Library extends Place {
  readonly indexFile: string;
  readonly ask: (query: string) => Promise<string>;
  /** Reads or changes the index. */
  readonly sql: (text: string) => readonly Record<string, unknown>[];
}

/** The index is next to the workspace, in a folder that does not exist yet. Each question uses a tool of its own. */
function createLibrary(): Library {
  const place = createPlace();
  const indexFile = join(dirname(place.workspace), 'cache', 'search', 'index.db');
  return {
    ...place,
    indexFile,
    ask: async (query) => askIn(place.workspace, indexFile, query),
    sql: (text) => {
      const db = new DatabaseSync(indexFile);
      try {
        return db.prepare(text).all();
      } finally {
        db.close();
      }
    },
  };
}

async function askIn(workspace: string, indexFile: string, query: string): Promise<string> {
  const tool = createSearch({paths: ['**/*.md'], topK: 5, indexFile});
  const {signal} = new AbortController();
  return textOf(
    await tool.run({query}, {workspace, signal, recovering: false, onChild: () => undefined}),
  );
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
    expect(library.sql('SELECT path FROM files')).toEqual([{path: 'coffee.md'}]);
    expect(library.sql("SELECT rowid FROM words WHERE words MATCH 'tea OR chai'")).toEqual([]);
  });

  test('and does not read an unchanged file again', async () => {
    const library = createLibrary();
    putOld(library, 'tea.md', 'Tea is green.');
    await library.ask('tea');
    library.sql("UPDATE chunks SET text = 'Kept tea.'");
    expect(await library.ask('tea')).toContain('> Kept tea.');
    library.put('tea.md', 'Tea is white.');
    expect(await library.ask('tea')).toContain('> Tea is white.');
  });

  test('and keeps the chunks of a file that was only touched', async () => {
    const library = createLibrary();
    const tea = putOld(library, 'tea.md', 'Tea is green.');
    await library.ask('tea');
    library.sql("UPDATE chunks SET text = 'Kept tea.'");
    const [before] = library.sql('SELECT stamp FROM files');
    utimesSync(tea, 2_000, 2_000);
    expect(await library.ask('tea')).toContain('> Kept tea.');
    expect(library.sql('SELECT stamp FROM files')).not.toEqual([before]);
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

  test('and does not write a file again that another process has just written', () => {
    const index = openIndex(':memory:');
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

  test('and separates workspaces that share it', async () => {
    const library = createLibrary();
    library.put('tea.md', 'Tea is green.');
    await library.ask('tea');
    const other = createPlace();
    other.put('coffee.md', 'Tea is not coffee.');
    const text = await askIn(other.workspace, library.indexFile, 'tea');
    expect(text).toContain('[1] coffee.md:1-1');
    expect(text).toContain('1 passage from 1 document searched');
    expect(await library.ask('tea')).toContain('[1] tea.md:1-1');
  });
});

describe('the index is a cache', () => {
  test('for its user alone', async () => {
    const library = createLibrary();
    library.put('tea.md', 'Tea is green.');
    await library.ask('tea');
    expect(statSync(library.indexFile).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(library.indexFile)).mode & 0o777).toBe(0o700);
  });

  test.each([
    ['is not one', (path: string) => writeFileSync(path, 'x'.repeat(10_000))],
    ['is cut short', (path: string) => truncateSync(path, 5_000)],
    [
      'is damaged inside',
      (path: string) => writeFileSync(path, readFileSync(path).fill(0xff, 4_096)),
    ],
    [
      'lacks a table',
      (path: string) => {
        const db = new DatabaseSync(path);
        db.exec('DROP TABLE words');
        db.close();
      },
    ],
    [
      'is of another version',
      (path: string) => {
        const db = new DatabaseSync(path);
        db.exec("PRAGMA user_version = 1; UPDATE chunks SET text = 'outdated tea'");
        db.close();
      },
    ],
    ['is empty', (path: string) => truncateSync(path, 0)],
    ['is gone', (path: string) => rmSync(path)],
  ])('that is rebuilt when the file %s', async (_, damage) => {
    const library = createLibrary();
    putOld(library, 'tea.md', 'Tea is green.');
    const answer = await library.ask('tea');
    damage(library.indexFile);
    expect(await library.ask('tea')).toBe(answer);
    expect(library.sql('PRAGMA integrity_check')).toEqual([{integrity_check: 'ok'}]);
    expect(library.sql('SELECT path FROM files')).toEqual([{path: 'tea.md'}]);
  });

  test('that never uses the database of another program', async () => {
    const library = createLibrary();
    library.put('tea.md', 'Tea is green.');
    mkdirSync(dirname(library.indexFile), {recursive: true});
    library.sql('CREATE TABLE precious (value)');
    const bytes = readFileSync(library.indexFile);
    expect(await library.ask('tea')).toMatch(
      /Tea is green\.\n\n… the index is kept in memory only: .*index\.db: made by another program\n1 passage/,
    );
    expect(readFileSync(library.indexFile)).toEqual(bytes);
  });

  test('that is kept in memory if it cannot be written', async () => {
    const library = createLibrary();
    library.put('tea.md', 'Tea is green.');
    writeFileSync(join(dirname(library.workspace), 'cache'), 'a file, not a folder');
    expect(await library.ask('tea')).toMatch(
      /Tea is green\.\n\n… the index is kept in memory only: .*\n1 passage from 1 document/,
    );
  });

  test('that is kept in memory when the disk has no room for it', () => {
    const library = createLibrary();
    library.put('tea.md', 'Tea is green. '.repeat(20_000));
    const args = ['-c', 'ulimit -f 100; exec "$0" "$@"', ...childArgs(library)];
    const text = execaSync('bash', args).stdout;
    expect(text).toMatch(/> Tea is green\./);
    expect(text).toMatch(/\n… the index is kept in memory only: .*\n/);
  });

  test('that is reopened when another process has rebuilt it', async () => {
    const {indexFile} = createLibrary();
    let rounds = 0;
    const {value, note} = await createShelf(indexFile).use(async (index) => {
      rounds += 1;
      if (rounds === 1) {
        discardIndex(indexFile);
        openIndex(indexFile).close();
      }
      return transact(index, () =>
        index.exec("INSERT INTO files VALUES (1, '', '', '', '', NULL)"),
      );
    });
    expect({rounds, value, note}).toEqual({rounds: 2, value: undefined, note: undefined});
    expect(existsSync(indexFile)).toBe(true);
  });
});

function fill(library: Library): void {
  for (let file = 0; file < 60; file += 1) {
    library.put(
      `${file % 7}/${file}.md`,
      `# ${file}\n\n${`Tea number ${file} is hot. `.repeat(1_000)}`,
    );
  }
}

function expectSound(library: Library): void {
  const [files] = library.sql('SELECT count(*) AS count FROM files');
  const [chunks] = library.sql('SELECT count(*) AS count FROM chunks');
  const [words] = library.sql('SELECT count(*) AS count FROM words');
  const [places] = library.sql('SELECT count(DISTINCT file || start) AS count FROM chunks');
  expect(files).toEqual({count: 60});
  expect(words).toEqual(chunks);
  expect(places).toEqual(chunks);
  expect(library.sql('PRAGMA integrity_check')).toEqual([{integrity_check: 'ok'}]);
}

describe('an index with several users at once', () => {
  test('gives processes that begin together the same answers', async () => {
    const library = createLibrary();
    fill(library);
    const [command = '', ...args] = childArgs(library);
    const answers = await Promise.all(
      Array.from({length: 4}, async () => await execa(command, args)),
    );
    const texts = new Set(answers.map(({stdout}) => stdout));
    expect([...texts]).toEqual([expect.stringMatching(/searched$/)]);
    expectSound(library);
  });

  test('gives searches of one process the same answers', async () => {
    const library = createLibrary();
    fill(library);
    const texts = await Promise.all(Array.from({length: 4}, async () => library.ask('tea')));
    expect([...new Set(texts)]).toEqual([expect.stringMatching(/60 documents searched$/)]);
    expectSound(library);
  });

  test('may be in memory', async () => {
    const tool = createSearch({paths: ['**/*.md'], topK: 5, indexFile: ':memory:'});
    const library = {...createLibrary(), ...createPlace(createToolbox([tool]))};
    fill(library);
    const outcomes = await Promise.all(
      Array.from({length: 4}, async () => library.run('search', {query: 'tea'})),
    );
    expect([...new Set(outcomes.map(textOf))]).toEqual([
      expect.stringMatching(/60 documents searched$/),
    ]);
  });

  test('is intact after processes were killed while writing it', async () => {
    const library = createLibrary();
    fill(library);
    for (const commit of [1, 2, 2]) {
      const [command = '', ...args] = childArgs(library, commit);
      await expect(execa(command, args)).rejects.toMatchObject({signal: 'SIGKILL'});
    }
    expect(await library.ask('tea')).toMatch(/60 documents searched$/);
    expectSound(library);
  });
});

/** A process that searches and prints the answer, or is killed instead of ending its nth transaction. */
function childArgs({workspace, indexFile}: Library, fatalCommit = 0): string[] {
  const options = {paths: ['**/*.md'], topK: 5, indexFile};
  const code = `
    const {createSearch} = await import(${JSON.stringify(toolUrl)});
    const {DatabaseSync} = await import('node:sqlite');
    const {exec} = DatabaseSync.prototype;
    let commits = 0;
    DatabaseSync.prototype.exec = function (sql) {
      if (sql === 'COMMIT' && ++commits === ${fatalCommit}) process.kill(process.pid, 'SIGKILL');
      return exec.call(this, sql);
    };
    const tool = createSearch(${JSON.stringify(options)});
    const {signal} = new AbortController();
    const context = {workspace: ${JSON.stringify(workspace)}, signal, recovering: false, onChild() {}};
    const outcome = await tool.run({query: 'tea'}, context);
    process.stdout.write(outcome.text ?? outcome.message);
  `;
  return [process.execPath, '--input-type=module', '-e', code];
}
