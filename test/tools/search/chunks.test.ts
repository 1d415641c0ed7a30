/** The walk to the documents of a search, and their chunks. */

import {chmodSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';

import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';

import {compileGlob, type Glob} from '../../../tools/read/glob.ts';
import {listFiles} from '../../../tools/read/tree.ts';
import {type Chunk, chunksOf} from '../../../tools/search/chunks.ts';
import {
  type DocumentLimits,
  type DocumentListing,
  listDocuments,
  walkPatternsOf,
} from '../../../tools/search/list-documents.ts';
import {parseQuery} from '../../../tools/search/query.ts';
import {bestPassage} from '../../../tools/search/searcher.ts';
import {cpuMs} from '../../support/cpu-time.ts';
import {isDeep} from '../../support/depth.ts';
import {cells} from '../../support/rows.ts';
import {createPlace, type Place} from '../place.ts';
import {boundariesOf, generatedText, lineAt} from './texts.ts';

function split(text: string, path = 'a.md'): Chunk[] {
  return [...chunksOf(path, text)];
}

function headings(text: string, path = 'a.md'): string[] {
  return split(text, path).map(({heading}) => heading);
}

describe('chunks of any text', () => {
  test('are verbatim, know their lines, and cut no character in two', () => {
    fc.assert(
      fc.property(generatedText, fc.constantFrom('a.md', 'a.ts', 'a'), (text, path) => {
        const boundaries = boundariesOf(text);
        for (const {start, end, line, text: piece} of split(text, path)) {
          expect(text.slice(start, end)).toBe(piece);
          expect([boundaries.has(start), boundaries.has(end)]).toEqual([true, true]);
          expect(line).toBe(lineAt(text, start));
        }
      }),
    );
  });

  test('contain everything except blanks, each with a little of the one before', () => {
    fc.assert(
      fc.property(generatedText, (text) => {
        let covered = 0;
        let before = -1;
        for (const {start, end} of split(text)) {
          expect(start).toBeGreaterThan(before);
          expect(text.slice(covered, Math.max(covered, start)).trim()).toBe('');
          covered = Math.max(covered, end);
          before = start;
        }
        expect(text.slice(covered).trim()).toBe('');
      }),
    );
  });

  test('have the intended size', () => {
    const sentence = 'A sentence of about fifty characters, give or take. ';
    const chunks = split(sentence.repeat(500));
    for (const {text, start, end} of chunks.slice(0, -1)) {
      expect(text.length).toBeGreaterThan(800);
      expect(text.length).toBeLessThanOrEqual(1_200);
      const next = chunks.find((other) => other.start > start);
      expect(end - (next?.start ?? 0)).toBeGreaterThanOrEqual(100);
      expect(end - (next?.start ?? 0)).toBeLessThanOrEqual(300);
      expect(text).toMatch(/^A sentence .*\. $/);
    }
  });

  test.each([
    ['flags without a seam', '\u{1f1ef}\u{1f1f5}'.repeat(100_000)],
    ['one character of many marks', `a${'\u0301'.repeat(200_000)}`],
    ['many characters of many marks', `a${'\u0301'.repeat(2_000)}`.repeat(200)],
    ['a single line', 'x'.repeat(1_000_000)],
    ['line ends', '\r\n'.repeat(300_000)],
    ['headings', '# a\n'.repeat(100_000)],
    ['brackets', '.)'.repeat(300_000)],
  ])('are made in time of %s', (_, text) => {
    const started = cpuMs();
    const chunks = split(text);
    expect(chunks.every(({start, end, text: piece}) => piece.length === end - start)).toBe(true);
    expect(cpuMs() - started).toBeLessThan(10_000);
  });
});

describe('sections', () => {
  test('carry the headings above them, from the title on', () => {
    const text = '# A\n\none\n\n## B\n\ntwo\n\n### C ##\nthree\n## D\nfour\n# E\nfive\n';
    expect(split(text).map(({heading, line}) => `${line} ${heading}`)).toEqual([
      '1 A',
      '5 A > B',
      '9 A > B > C',
      '11 A > D',
      '13 E',
    ]);
  });

  test('begin at headings only: not in fences, not without a space, not at too deep a level', () => {
    const text = '# A\n```sh\n# not\n~~~\n```\n#no\n####### no\n    # code\n\\# no\n';
    expect(headings(text)).toEqual(['A']);
    expect(headings('~~~~\n# not\n~~~\n~~~~\n# B\nx')).toEqual(['', 'B']);
  });

  test('with only a heading belong to the next one', () => {
    expect(split('# A\n\n## B\n\ntext\n').map(({text, heading}) => [heading, text])).toEqual([
      ['A > B', '# A\n\n## B\n\ntext\n'],
    ]);
    expect(headings('intro\n\n# A\n')).toEqual(['', 'A']);
    expect(split(' \n\n')).toEqual([]);
  });

  test.each([
    ['a.ts', '/** What it does.\n *\n * More. */\ncode', 'What it does.'],
    ['a.ts', '/**\n * First\n * second.\n */\ncode', 'First second.'],
    ['a.sh', '#!/bin/sh\n# Starts it.\n# Twice.\necho', 'Starts it. Twice.'],
    ['a.py', '"""Docs of it."""\nx', 'Docs of it.'],
    ['a.ts', 'code\n// later', ''],
    ['notes.txt', 'Title here\n\ntext', 'Title here'],
    ['LICENSE', 'MIT License\n', 'MIT License'],
    ['a.md', 'no heading', ''],
  ])('of %s have the title that %j gives', (path, text, expected) => {
    expect(headings(text, path)).toEqual([expected]);
  });
});

function passage(text: string, question: string): string {
  const query = parseQuery(question);
  if (!query) throw new Error('the question has no words');
  const {start, end} = bestPassage(text, query);
  return text.slice(start, end);
}

describe('a passage', () => {
  const filler = 'Nothing of interest is said in here. '.repeat(12);

  test('is cut at sentences around the highest density of words from the question', () => {
    const text = `${filler}Tea is hot. Green tea is served at five. Cake is extra. ${filler}`;
    const found = passage(text, 'When is green tea served?');
    expect(found).toMatch(/^Tea is hot\. Green tea is served at five\.|Nothing .*/);
    expect(found).toContain('Green tea is served at five.');
    expect(found).toMatch(/\.$/);
    expect(found.length).toBeLessThanOrEqual(400);
  });

  test('takes lines and Japanese sentences whole', () => {
    const text = `${'関係のない文です。'.repeat(60)}返品は14日以内です。\n次の行です。`;
    const found = passage(text, '返品は何日以内？');
    expect(found).toMatch(/^関係のない文です。/);
    expect(found).toMatch(/返品は14日以内です。\n次の行です。$/);
  });

  test('keeps a blank that ends a character', () => {
    expect(passage('\u{600} ', 'tea')).toBe('\u{600} ');
  });

  test('lies within its text, at whole characters, without blanks around it', () => {
    fc.assert(
      fc.property(generatedText, (text) => {
        const query = parseQuery('tea 営業時間 fox');
        for (const {start: from, text: chunk} of split(text)) {
          const {start, end} = bestPassage(
            chunk,
            query ?? {terms: [], characters: [], expression: ''},
          );
          expect(chunk.slice(start, end).trim()).not.toBe('');
          const boundaries = boundariesOf(text);
          expect([boundaries.has(from + start), boundaries.has(from + end)]).toEqual([true, true]);
        }
      }),
    );
  });
});

function globOf(pattern: string): Glob {
  const glob = compileGlob(pattern);
  if (!glob.ok) throw new Error(glob.denial.message);
  return glob.value;
}

async function list(
  {workspace}: Place,
  patterns: readonly string[],
  limits?: DocumentLimits,
): Promise<DocumentListing> {
  const {signal} = new AbortController();
  return await listDocuments({workspace, globs: patterns.map(globOf), signal}, limits);
}

async function pathsOf(place: Place, ...patterns: readonly string[]): Promise<string[]> {
  const {documents, notes} = await list(place, patterns);
  expect(notes).toEqual([]);
  return documents.map(({path}) => path);
}

function putMany(place: Place, folder: string, count = 50): void {
  for (let index = 0; index < count; index += 1) place.put(`${folder}/${index}.md`, 'tea');
}

const few: DocumentLimits = {maxDocuments: 10, maxEntries: 30};

describe('the walked folders', () => {
  test.each(['docs/**/*.md', 'docs/guide/*.md', 'd*s/guide/a.md', '{docs,doc}/**', 'docs/*/a.md'])(
    'are the files that %s names',
    async (pattern) => {
      const place = createPlace();
      place.put('docs/guide/a.md', 'tea');
      putMany(place, 'other');
      putMany(place, 'docs-old/guide');
      const {documents, missedMost, notes} = await list(place, [pattern], few);
      expect({documents, missedMost, notes}).toEqual({
        documents: [{path: 'docs/guide/a.md'}],
        missedMost: false,
        notes: [],
      });
    },
  );

  test('are those of all globs together, each file once and in order', async () => {
    const place = createPlace();
    for (const path of ['b/x.md', 'a/x.md', 'README.md', 'c/x.md']) place.put(path, 'tea');
    expect(await pathsOf(place, '{b,a}/*.md', 'a/**', 'README.md', 'none/*.md')).toEqual([
      'README.md',
      'a/x.md',
      'b/x.md',
    ]);
    expect(await pathsOf(place)).toEqual([]);
    expect(await pathsOf(place, '.')).toEqual([]);
  });

  test('are not those behind a link, even when the glob names it', async () => {
    const place = createPlace();
    place.put('real/a.txt', 'tea');
    symlinkSync(place.outside, join(place.workspace, 'out'));
    symlinkSync('real', join(place.workspace, 'in'));
    symlinkSync('../real/a.txt', join(place.workspace, 'real/b.txt'));
    symlinkSync('.', join(place.workspace, 'loop'));
    expect(await pathsOf(place, 'out/**', 'out/secret.txt', 'in/*', 'in/a.txt', 'loop/**')).toEqual(
      [],
    );
    expect(await pathsOf(place, '**/*.txt')).toEqual(['real/a.txt']);
  });

  test('are hidden ones only when the glob names the dot', async () => {
    const place = createPlace();
    for (const path of ['.github/a.md', '.github/x/.b.md', 'a/.c.md', 'a/d.md']) {
      place.put(path, 'tea');
    }
    expect(await pathsOf(place, '**/*.md')).toEqual(['a/d.md']);
    expect(await pathsOf(place, '.github/**/*.md')).toEqual(['.github/a.md']);
    expect(await pathsOf(place, '**/.*.md')).toEqual(['a/.c.md']);
    expect(await pathsOf(place, '.g*/x/.b.md', 'a/*.md')).toEqual(['.github/x/.b.md', 'a/d.md']);
  });

  test('exclude ignored files and folders that are never searched, even when the glob names them', async () => {
    const place = createPlace();
    place.put('.gitignore', 'build/\n');
    place.put('a/.gitignore', '*.tmp.md\nout\n');
    for (const path of ['build/x/a.md', 'a/b.tmp.md', 'a/out/c.md', 'a/b/out/d.md', 'a/e.md']) {
      place.put(path, 'tea');
    }
    for (const path of ['node_modules/x/a.md', '.git/a.md', 'a/node_modules/b.md']) {
      place.put(path, 'tea');
    }
    expect(await pathsOf(place, 'build/**', 'build/x/*.md', 'build/x/a.md', '.git/*')).toEqual([]);
    expect(await pathsOf(place, 'node_modules/x/*', 'a/node_modules/*', 'a/b/out/**')).toEqual([]);
    expect(await pathsOf(place, 'a/**')).toEqual(['a/e.md']);
  });
});

/** Folders and names of the generated tree; patterns are made of the same names. */
const names = cells(`
  a ¦ ab ¦ .a ¦ b c ¦ (a) ¦ [a] ¦ {a} ¦ !a ¦ a+ ¦ @(a) ¦ 'a' ¦ "a" ¦ é ¦ 😀
`);
const segment = fc.oneof(
  fc.constantFrom('**', '*', '?', 'a*', '*b', '.*', '[!b]*', '{a,ab}', '*a*', String.raw`\*`, '.'),
  fc.constantFrom(...names),
);

test('the result is the same as of a walk through all folders', async () => {
  const place = createPlace();
  for (const outer of names) {
    place.put(outer === 'a' ? 'a/file' : outer, '');
    for (const inner of names) place.put(`d-${outer}/${inner}/x`, '');
    for (const inner of names) place.put(`a/${outer === 'a' ? 'deep' : outer}/${inner}`, '');
  }
  const {signal} = new AbortController();
  const {files} = await listFiles(place.workspace, [], signal);
  const pattern = fc.array(segment, {minLength: 1, maxLength: 4}).map((parts) => parts.join('/'));
  let found = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(pattern, {minLength: 1, maxLength: 2}), async (patterns) => {
      const globs = patterns.map(globOf);
      const paths = await pathsOf(place, ...patterns);
      const expected = files.filter(({path}) => globs.some((glob) => glob.matches(path)));
      expect(paths).toEqual(expected.map(({path}) => path));
      found += paths.length;
    }),
    // Random patterns may match little; with these the total does not depend on luck.
    {numRuns: isDeep ? 200 : 40, examples: [[['**']], [['*/**']], [['**/*', 'a/**']]]},
  );
  expect(found).toBeGreaterThan(isDeep ? 1_000 : 300);
});

describe('a hostile glob', () => {
  test.each([
    '**/*a*a*a*a*a*a*a*a*b',
    '(a+)+b',
    '@(+(a)|a+)b',
    '**/a/'.repeat(8),
    '*a*/*a*/*a*/*b',
  ])('%s ends in time', async (pattern) => {
    const place = createPlace();
    place.put(`${'a/'.repeat(90)}${'a'.repeat(255)}`, '');
    place.put(`${'a'.repeat(255)}/${'a'.repeat(254)}/${'a'.repeat(253)}/x`, '');
    const started = cpuMs();
    expect(await pathsOf(place, pattern)).toEqual([]);
    expect(cpuMs() - started).toBeLessThan(5_000);
  });

  test('becomes patterns of at most one star a name and one globstar', () => {
    fc.assert(
      fc.property(fc.array(segment, {minLength: 1}), (parts) => {
        const glob = compileGlob(parts.join('/'));
        for (const pattern of glob.ok ? walkPatternsOf([glob.value]).patterns : []) {
          expect(pattern).toMatch(
            /^(?:(?:[^*/()[\]{}!?+@"\\]*\*?[^*/()[\]{}!?+@"\\]*|\*\*(?=\/\*$))(?:\/|$))+$/,
          );
        }
      }),
    );
  });
});

describe('a walk', () => {
  test('reports more documents than its limit', async () => {
    const place = createPlace();
    putMany(place, 'a', 15);
    const some = await list(place, ['**/*.md'], {maxDocuments: 10, maxEntries: 1_000});
    expect(some.documents).toHaveLength(10);
    expect(some).toMatchObject({
      missedMost: false,
      notes: ['only the first 10 documents are searched'],
    });
    putMany(place, 'b');
    const most = await list(place, ['**/*.md'], {maxDocuments: 10, maxEntries: 1_000});
    expect(most.documents).toHaveLength(10);
    expect(most.missedMost).toBe(true);
  });

  test('reports more files than it visits', async () => {
    const place = createPlace();
    putMany(place, 'a');
    expect(await list(place, ['**/none.md'], few)).toEqual({
      documents: [],
      missedMost: true,
      notes: ['only the first 30 files and folders were looked at'],
    });
  });

  test('reports folders that are too deep or unreadable', async () => {
    const place = createPlace();
    place.put(`${'a/'.repeat(101)}deep.md`, 'tea');
    place.put('\nline/a.md', 'tea');
    place.put('top.md', 'tea');
    const {documents, notes} = await list(place, ['**/*.md']);
    expect(documents).toEqual([{path: 'top.md'}]);
    expect(notes).toEqual([
      'folders more than 100 deep were not searched',
      '1 folders could not be read',
    ]);
  });

  test.skipIf(process.getuid?.() === 0)('counts a folder that its user may not read', async () => {
    const place = createPlace();
    place.put('docs/shut/a.md', 'tea');
    chmodSync(join(place.workspace, 'docs/shut'), 0);
    const {notes} = await list(place, ['docs/**', 'docs/shut/*']);
    expect(notes).toEqual(['1 folders could not be read']);
    chmodSync(join(place.workspace, 'docs/shut'), 0o700);
  });

  test('finds files and folders with line breaks in their names', async () => {
    const place = createPlace();
    const paths = ['a\nb/c.md', 'd\u2028/\ne.md'];
    for (const path of paths) place.put(path, 'tea');
    expect(await pathsOf(place, '**/*.md')).toEqual(paths);
    expect(await pathsOf(place, '*/*.md')).toEqual(paths);
  });

  test('ends when it is aborted', async () => {
    const place = createPlace();
    for (let folder = 0; folder < 100; folder += 1) putMany(place, `d${folder}`, 2);
    const stop = new AbortController();
    setImmediate(() => setImmediate(() => stop.abort()));
    const request = {workspace: place.workspace, globs: [globOf('**/*.md')], signal: stop.signal};
    const {documents} = await listDocuments(request);
    expect(documents.length).toBeLessThan(200);
  });

  test('lets others run after each folder', async () => {
    const place = createPlace();
    for (let folder = 0; folder < 100; folder += 1) place.put(`d${folder}/a.md`, 'tea');
    let turns = 0;
    let next: NodeJS.Immediate;
    const count = (): void => {
      turns += 1;
      next = setImmediate(count);
    };
    next = setImmediate(count);
    await pathsOf(place, '**/*.md');
    clearImmediate(next);
    expect(turns).toBeGreaterThan(100);
  });
});
