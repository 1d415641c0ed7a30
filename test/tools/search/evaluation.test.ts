/** Whether the right document comes first: natural questions on this repository and on a Japanese corpus. */

import {join} from 'node:path';

import {expect, test} from 'vitest';

import {createToolbox} from '../../../tools/index.ts';
import {parseCitations} from '../../../tools/search/hits.ts';
import {createSearch} from '../../../tools/search/search.ts';
import {createPlace, type Place, textOf} from '../place.ts';
import {japaneseCorpus} from './corpus-ja.ts';
import {japaneseQuestions, type Question, repositoryQuestions} from './questions.ts';

const repository = join(import.meta.dirname, '../../..');
const sources = ['machines', 'actors', 'tools', 'cli'].map((folder) => `${folder}/**/*.ts`);

const wantedFirst = 20;

function createLibrary(paths: readonly string[]): Place {
  return createPlace(createToolbox([createSearch({paths, topK: 5, indexFile: ':memory:'})]));
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

test('the corpus is large enough to be confused by', () => {
  expect(new Set(japaneseCorpus.map(({path}) => path)).size).toBeGreaterThanOrEqual(50);
  for (const {text} of japaneseCorpus) {
    expect(text.length).toBeGreaterThanOrEqual(150);
    expect(text.length).toBeLessThanOrEqual(500);
  }
});

test(`the right document comes first for ${wantedFirst} of 24 questions`, async () => {
  const corpus = createLibrary(['**/*.md']);
  for (const {path, text} of japaneseCorpus) corpus.put(path, text);
  const own = createLibrary(['**/*.md', ...sources]);
  const misses = [
    ...(await missesOf(own, repository, repositoryQuestions)),
    ...(await missesOf(corpus, corpus.workspace, japaneseQuestions)),
  ];
  const asked = repositoryQuestions.length + japaneseQuestions.length;
  expect(asked).toBe(24);
  expect(misses).toSatisfy(() => misses.length <= asked - wantedFirst);
});
