/** The right document comes first: natural questions about sources of a program and about a Japanese corpus. */

import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';

import {expect, test} from 'vitest';

import {createToolbox} from '../../../tools/index.ts';
import {parseCitations} from '../../../tools/search/hits.ts';
import {createSearch} from '../../../tools/search/search.ts';
import {createPlace, type Place, textOf} from '../place.ts';
import {japaneseCorpus} from './corpus-ja.ts';
import {japaneseQuestions, type Question, sourceQuestions} from './questions.ts';

/** An earlier state of 83 files of this repository, by path: each question's answer, and files that resemble it. */
const sources: Readonly<Record<string, string>> = JSON.parse(
  gunzipSync(readFileSync(join(import.meta.dirname, '../../fixtures/sources.json.gz'))).toString(),
);

const wantedFirst = 20;

function createLibrary(paths: readonly string[]): Place {
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
    const paths = [...new Set(parseCitations(text).map(({path}) => path))];
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
  const corpus = createLibrary(['**/*.md']);
  for (const {path, text} of japaneseCorpus) corpus.put(path, text);
  const program = createLibrary(['**/*.md', '**/*.ts']);
  for (const [path, text] of Object.entries(sources)) program.put(path, text);
  const misses = [
    ...(await missesOf(program, program.workspace, sourceQuestions)),
    ...(await missesOf(corpus, corpus.workspace, japaneseQuestions)),
  ];
  const asked = sourceQuestions.length + japaneseQuestions.length;
  expect(asked).toBe(24);
  expect(misses).toSatisfy(() => misses.length <= asked - wantedFirst);
});
