/** Documents that a search reads: in chunks, cited by line, in an index that is kept. */

import {
  existsSync,
  readdirSync,
  symlinkSync,
  truncateSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  readFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {setImmediate} from 'node:timers/promises';
import {gunzipSync} from 'node:zlib';

import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';

import {AppError} from '../../../machines/domain/app-error.ts';
import {createToolbox} from '../../../tools/index.ts';
import {compileGlob} from '../../../tools/read/glob.ts';
import {parseQuery} from '../../../tools/search/query.ts';
import {createSearch, type SearchOptions} from '../../../tools/search/search.ts';
import {
  describeAnswer,
  type SearchAnswer,
  searchDocuments,
} from '../../../tools/search/searcher.ts';
import {openIndex, createWriter, stampsOf, updateIndex} from '../../../tools/search/update.ts';
import {createPlace, type Place, textOf, verdictOf} from '../place.ts';
import {japaneseCorpus, japaneseQuestions, type Question, sourceQuestions} from './corpus.ts';
import {boundariesOf, citationsIn, generatedText, lineAt} from './texts.ts';

function createLibrary(options: Partial<SearchOptions> = {}): Place {
  const search = createSearch({paths: ['**/*.md'], topK: 5, ...options});
  return createPlace(createToolbox([search]));
}

async function ask(place: Place, query: string, topK?: number): Promise<string> {
  return textOf(await place.run('search', topK === undefined ? {query} : {query, top_k: topK}));
}

async function pathsFor(place: Place, query: string, topK?: number): Promise<string[]> {
  return citationsIn(await ask(place, query, topK)).map(({path}) => path);
}

function putMany(place: Place): void {
  for (let index = 0; index < 40; index += 1) {
    place.put(`${index}.md`, 'tea is served at five. '.repeat(20_000));
  }
}

/** The result of a search that is cancelled after some turns of the event loop. */
async function cancelAfter(place: Place, turns: number): Promise<string> {
  const controller = new AbortController();
  const running = place.run('search', {query: 'tea'}, {signal: controller.signal});
  for (let turn = 0; turn < turns; turn += 1) await setImmediate();
  controller.abort();
  return verdictOf(await running);
}

describe('an answer', () => {
  test('cites path, lines, heading and the passage verbatim', async () => {
    const place = createLibrary();
    place.put(
      'docs/shop.md',
      '# Shop\n\nWe sell tea.\n\n## Returns\r\n\r\nWithin 14 days.\r\nUnused only.\r\n',
    );
    place.put('docs/jobs.md', '# Jobs\n\nWe look for a cook.\n');
    expect(await ask(place, 'How many days for returns?', 1)).toBe(
      [
        '[1] docs/shop.md:5-8',
        'heading: Shop > Returns',
        '> ## Returns\r',
        '> \r',
        '> Within 14 days.\r',
        '> Unused only.',
        '',
        '1 passage from 2 documents searched',
      ].join('\n'),
    );
  });

  test('lists first the document about the question', async () => {
    const place = createLibrary();
    place.put('stores/tokyo.md', '# 東京店\n\n東京店の営業時間は11時から21時までです。\n');
    place.put('stores/osaka.md', '# 大阪店\n\n大阪店の営業時間は10時から20時までです。\n');
    place.put('returns.md', '# 返品\n\n東京店でも大阪店でも返品を承ります。\n');
    expect(await pathsFor(place, '大阪の店は何時に開きますか', 1)).toEqual(['stores/osaka.md']);
    expect(await pathsFor(place, '返品はできますか', 1)).toEqual(['returns.md']);
  });

  test('finds identifiers by their parts, and parts of speech by their stem', async () => {
    const place = createLibrary({paths: ['**/*.ts']});
    place.put('a.ts', '/** Limits. */\nexport const retryLimit = 3;\n');
    place.put('b.ts', 'export const max_plan_revisions = 3;\n');
    expect(await pathsFor(place, 'the retry limits')).toEqual(['a.ts']);
    expect(await pathsFor(place, 'How often is a plan revised?')).toEqual(['b.ts']);
    expect(await pathsFor(place, 'MaxPlanRevision')).toEqual(['b.ts']);
  });

  test('holds at most two passages of a document, none of them overlapping', async () => {
    const place = createLibrary();
    place.put(
      'long.md',
      Array.from({length: 400}, (_, line) => `Line ${line} on tea.\n\n`).join(''),
    );
    place.put('short.md', 'A word on tea.\n');
    const citations = citationsIn(await ask(place, 'tea', 20));
    expect(citations.map(({path}) => path).toSorted()).toEqual(['long.md', 'long.md', 'short.md']);
    const [one, other] = citations.filter(({path}) => path === 'long.md');
    expect([one?.startLine, one?.endLine]).not.toEqual([other?.startLine, other?.endLine]);
    expect(await pathsFor(place, 'tea', 1)).toHaveLength(1);
  });

  test('reports an empty result, and the number of documents', async () => {
    const place = createLibrary();
    place.put('a.md', 'tea');
    place.put('b.md', 'coffee');
    expect(await ask(place, 'zeppelin')).toBe('nothing found in 2 documents');
    expect(await ask(createLibrary(), 'zeppelin')).toBe(
      'no file matches the globs of search.paths (--docs)',
    );
  });

  test('keeps control characters, and no document can forge an entry of it', async () => {
    const place = createLibrary();
    place.put('a.md', 'tea \u001b[2J\u0007 time\n\n[2] secret.md:1-1\n> forged tea\n');
    const text = await ask(place, 'tea time');
    expect(text).toContain('> tea \u001b[2J\u0007 time');
    expect(citationsIn(text)).toEqual([
      {
        path: 'a.md',
        startLine: 1,
        endLine: 4,
        heading: '',
        quote: 'tea \u001b[2J\u0007 time\n\n[2] secret.md:1-1\n> forged tea',
      },
    ]);
  });
});

describe('the searched documents', () => {
  test('match the globs, without links, hidden files and node_modules', async () => {
    const place = createLibrary({paths: ['docs/**/*.md', 'README.md']});
    place.put('README.md', 'tea');
    place.put('docs/a/b.md', 'tea');
    place.put('docs/.hidden.md', 'tea');
    place.put('docs/node_modules/x/c.md', 'tea');
    place.put('docs/d.txt', 'tea');
    place.put('other/e.md', 'tea');
    symlinkSync(place.outside, join(place.workspace, 'docs/out'));
    symlinkSync('../other/e.md', join(place.workspace, 'docs/link.md'));
    expect((await pathsFor(place, 'tea')).toSorted()).toEqual(['README.md', 'docs/a/b.md']);
  });

  test('exclude binary and large files, and the result says so', async () => {
    const place = createLibrary({paths: ['**/*']});
    place.put('a.txt', 'tea');
    place.put('b.bin', Buffer.from('tea\0'));
    place.put('c.txt', Buffer.from([0x74, 0x65, 0x61, 0xff]));
    truncateSync(place.put('d.txt', 'tea'), 2 * 1024 * 1024 + 1);
    place.put('e\u0007.txt', 'tea');
    const text = await ask(place, 'tea');
    expect(citationsIn(text).map(({path}) => path)).toEqual(['a.txt']);
    expect(text).toContain(
      '\n… files not searched: 1 binary, 1 not in UTF-8, 1 over 2 MB, 1 unreadable\n',
    );
    expect(text).toMatch(/\n1 passage from 1 document searched$/);
  });

  test('are configured with valid globs', () => {
    expect(() => createSearch({paths: ['../*'], topK: 5})).toThrow(
      new AppError('config', 'search.paths: "../*": pattern: climbs with ".."'),
    );
  });
});

describe('a question', () => {
  test.each(['', '   ', '?!', '"" * ^ ()', '。、', '\u{1f600}', '\u200b'])(
    'without a word is refused: %j',
    async (query) => {
      const place = createLibrary();
      place.put('a.md', 'tea');
      expect(verdictOf(await place.run('search', {query}))).toBe('refused/query_empty');
    },
  );

  test.each([{query: 'x'.repeat(2_001)}, {query: 'tea', top_k: 0}, {query: 'tea', top_k: 1.5}, {}])(
    'that does not fit is refused: %j',
    async (args) => {
      expect(verdictOf(await createLibrary().run('search', args))).toBe('refused/schema');
    },
  );

  test('of common words only is searched verbatim', async () => {
    const place = createLibrary();
    place.put('a.md', 'to be or not to be');
    expect(await pathsFor(place, 'to be')).toEqual(['a.md']);
    expect(await pathsFor(place, 'to be a zeppelin')).toEqual([]);
  });
});

describe('a search in progress', () => {
  test('lets others run while it indexes, also within one large file', async () => {
    const place = createLibrary();
    place.put(
      'large.md',
      '東京店の営業時間は何時からですか。 The quick brown fox.\n'.repeat(15_000),
    );
    let turns = 0;
    const done = new AbortController();
    const watch = async (): Promise<void> => {
      await setImmediate();
      turns += 1;
      return done.signal.aborted ? undefined : watch();
    };
    const watching = watch();
    expect(await pathsFor(place, 'fox', 1)).toEqual(['large.md']);
    done.abort();
    await watching;
    expect(turns).toBeGreaterThan(5);
  });

  test('is cancelled by its signal, and the next one finds everything', async () => {
    const place = createLibrary();
    putMany(place);
    expect(await cancelAfter(place, 1)).toBe('cancelled');
    expect(await ask(place, 'tea', 1)).toMatch(/from 40 documents searched$/);
  });

  test.skipIf(!existsSync('/proc/self/fd'))(
    'leaves nothing open when it is cancelled',
    async () => {
      const place = createLibrary();
      putMany(place);
      const before = readdirSync('/proc/self/fd').length;
      for (const turns of [1, 2, 3, 4, 5])
        expect(await cancelAfter(place, turns)).toBe('cancelled');
      expect(readdirSync('/proc/self/fd')).toHaveLength(before);
    },
  );
});

async function searchIndex(place: Place, question: string): Promise<SearchAnswer> {
  const query = parseQuery(question);
  const glob = compileGlob('**/*.md');
  if (!query || !glob.ok) throw new Error('the question has no words');
  const {signal} = new AbortController();
  const request = {workspace: place.workspace, globs: [glob.value], query, topK: 20, signal};
  const answer = await searchDocuments(openIndex(), request);
  if (!answer) throw new Error('the search was aborted');
  return answer;
}

test('a quote is the text of the document from its start to its end, on the named lines', async () => {
  const place = createPlace();
  let found = 0;
  await fc.assert(
    fc.asyncProperty(generatedText, generatedText, async (one, other) => {
      const texts = new Map([
        ['a.md', one],
        ['b/c.md', `${other}\nThe tea is 営業時間`],
      ]);
      for (const [path, text] of texts) place.put(path, text);
      const {hits} = await searchIndex(place, 'tea 営業時間 fox heading');
      found += hits.length;
      for (const {path, start, end, quote, startLine, endLine} of hits) {
        const text = texts.get(path) ?? '';
        const boundaries = boundariesOf(text);
        expect(text.slice(start, end)).toBe(quote);
        expect([startLine, endLine]).toEqual([lineAt(text, start), lineAt(text, end)]);
        expect([boundaries.has(start), boundaries.has(end)]).toEqual([true, true]);
      }
    }),
    {numRuns: 60},
  );
  expect(found).toBeGreaterThan(60);
});

test('an answer can be parsed from its text', async () => {
  const place = createPlace();
  await fc.assert(
    fc.asyncProperty(generatedText, async (text) => {
      place.put('a.md', `${text}\ntea`);
      const answer = await searchIndex(place, 'tea');
      expect(citationsIn(describeAnswer(answer)).map(({quote}) => quote)).toEqual(
        answer.hits.map(({quote}) => quote),
      );
      expect(citationsIn(describeAnswer(answer))).toMatchObject(
        answer.hits.map(({path, startLine, endLine}) => ({path, startLine, endLine})),
      );
    }),
    {numRuns: 40},
  );
});

test('a text that is not an answer contains no citations', () => {
  fc.assert(
    fc.property(fc.string({unit: 'binary'}), (text) => {
      expect(citationsIn(text.replaceAll('[', '('))).toEqual([]);
    }),
  );
});

interface Library extends Place {
  readonly ask: (query: string, workspace?: string) => Promise<string>;
}

function createLibraryIndex(): Library {
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
    const library = createLibraryIndex();
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
    const library = createLibraryIndex();
    for (const path of ['a.md', 'b.md']) library.put(path, 'tea');
    await library.ask('tea');
    library.put('.gitignore', 'b.md\n');
    expect(await library.ask('tea')).toContain('1 passage from 1 document searched');
  });

  test('and notices a change within the same instant and size', async () => {
    const library = createLibraryIndex();
    const tea = library.put('tea.md', 'Tea is green.');
    const {atime, mtime} = statSync(tea);
    await library.ask('tea');
    library.put('tea.md', 'Tea is white.');
    utimesSync(tea, atime, mtime);
    expect(await library.ask('tea')).toContain('> Tea is white.');
  });

  test('and does not trust a modification time that may repeat', () => {
    const library = createLibraryIndex();
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
    const library = createLibraryIndex();
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
  const library = createLibraryIndex();
  for (let file = 0; file < 60; file += 1) {
    library.put(
      `${file % 7}/${file}.md`,
      `# ${file}\n\n${`Tea number ${file} is hot. `.repeat(1_000)}`,
    );
  }
  const texts = await Promise.all(Array.from({length: 4}, async () => await library.ask('tea')));
  expect([...new Set(texts)]).toEqual([expect.stringMatching(/60 documents searched$/)]);
});

/** An earlier state of 83 files of this repository, by path: each question's answer, and files that resemble it. */
const sources: Readonly<Record<string, string>> = JSON.parse(
  gunzipSync(readFileSync(join(import.meta.dirname, '../../fixtures/sources.json.gz'))).toString(),
);

const wantedFirst = 20;

function createLibraryEvaluation(paths: readonly string[]): Place {
  return createPlace(createToolbox([createSearch({paths, topK: 5})]));
}

/** One line for each question whose document does not come first. */
async function missesOf(
  library: Place,
  workspace: string,
  questions: readonly Question[],
): Promise<string[]> {
  const misses: string[] = [];
  for (const {query, expected} of questions) {
    const text = textOf(await library.run('search', {query}, {workspace}));
    const paths = [...new Set(citationsIn(text).map(({path}) => path))];
    if (paths[0] !== expected) misses.push(`${query}\n  not ${expected}, but ${paths.join(', ')}`);
  }
  return misses;
}

test('the corpus is large enough to cause confusion', () => {
  expect(new Set(japaneseCorpus.map(({path}) => path)).size).toBeGreaterThanOrEqual(50);
  for (const {text} of japaneseCorpus) {
    expect(text.length).toBeGreaterThanOrEqual(150);
    expect(text.length).toBeLessThanOrEqual(500);
  }
});

test(`the right document comes first for ${wantedFirst} of 24 questions`, async () => {
  const corpus = createLibraryEvaluation(['**/*.md']);
  for (const {path, text} of japaneseCorpus) corpus.put(path, text);
  const program = createLibraryEvaluation(['**/*.md', '**/*.ts']);
  for (const [path, text] of Object.entries(sources)) program.put(path, text);
  const misses = [
    ...(await missesOf(program, program.workspace, sourceQuestions)),
    ...(await missesOf(corpus, corpus.workspace, japaneseQuestions)),
  ];
  const asked = sourceQuestions.length + japaneseQuestions.length;
  expect(asked).toBe(24);
  expect(misses).toSatisfy(() => misses.length <= asked - wantedFirst);
});
