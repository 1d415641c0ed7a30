/** Every citation is verbatim text of the document at its stated position. */

import * as fc from 'fast-check';
import {expect, test} from 'vitest';

import {compileGlob} from '../../../tools/read/glob.ts';
import {describeAnswer, parseCitations, type SearchAnswer} from '../../../tools/search/hits.ts';
import {parseQuery} from '../../../tools/search/query.ts';
import {searchDocuments} from '../../../tools/search/searcher.ts';
import {openIndex} from '../../../tools/search/update.ts';
import {createPlace, type Place} from '../place.ts';
import {boundariesOf, generatedText, lineAt} from './texts.ts';

async function search(place: Place, question: string): Promise<SearchAnswer> {
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
      const {hits} = await search(place, 'tea 営業時間 fox heading');
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
      const answer = await search(place, 'tea');
      expect(parseCitations(describeAnswer(answer)).map(({quote}) => quote)).toEqual(
        answer.hits.map(({quote}) => quote),
      );
      expect(parseCitations(describeAnswer(answer))).toMatchObject(
        answer.hits.map(({path, startLine, endLine}) => ({path, startLine, endLine})),
      );
    }),
    {numRuns: 40},
  );
});

test('a text that is not an answer contains no citations', () => {
  fc.assert(
    fc.property(fc.string({unit: 'binary'}), (text) => {
      expect(parseCitations(text.replaceAll('[', '('))).toEqual([]);
    }),
  );
});
