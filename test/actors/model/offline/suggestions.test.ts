/** Every request that a refusal suggests is understood verbatim, after any refused request. */

import * as fc from 'fast-check';
import {expect, test} from 'vitest';

import {createOfflineModel} from '../../../../actors/model/offline/offline.ts';
import type {ModelReply} from '../../../../machines/domain/model.ts';
import {planMessage} from '../../../../machines/forms/agent/planning/planner-prompt.ts';
import {openTranscript} from '../../../../machines/prompts/transcript.ts';
import {isDeep, sampled} from '../../../support/depth.ts';
import {naturalRequests, refusals} from './natural-requests.ts';
import {wordings} from './wordings.ts';

const model = createOfflineModel();

async function planReply(request: string): Promise<ModelReply> {
  const text = planMessage({request, background: [], rounds: [], runs: [], maxResults: 9000});
  const outcome = await model.call(
    {
      purpose: 'plan',
      model: model.name,
      system: '',
      transcript: openTranscript(text),
      tools: [],
      toolChoice: 'auto',
      maxOutputTokens: 1000,
    },
    {tools: [], signal: new AbortController().signal, onDelta: () => {}},
  );
  if (outcome.kind !== 'ok') throw new Error(outcome.kind);
  return outcome;
}

/** The lines of the list, and the suggested sentence. */
async function suggestionsFor(request: string): Promise<string[]> {
  const {calls, text} = await planReply(request);
  if (calls.length > 0) return [];
  return [...text.matchAll(/^(?:- |Please [^:\n]*: )(.+)$/gm)].map(([, line = '']) => line);
}

async function misunderstoodIn(request: string): Promise<string[]> {
  const found: string[] = [];
  for (const suggestion of await suggestionsFor(request)) {
    const {calls} = await planReply(suggestion);
    if (calls.length === 0) found.push(suggestion);
  }
  return found;
}

const refused = [...naturalRequests, ...wordings, ...refusals].filter(({isRefused}) => isRefused);

test.each(sampled(refused, 3))('suggestions for “$request” are understood', async ({request}) => {
  expect(await misunderstoodIn(request)).toEqual([]);
});

const words = fc.constantFrom(
  ...'append add insert delete replace set create write rename move copy fix bump run list lines line version key folder to in of with and at the top after typo content file tests "x" "a b" a.txt src/b.js c.json d.md src 3000 true を に の 追加して 削除して 変更して 行目 「あ」 「い」 `ls` {"a":1}'.split(
    ' ',
  ),
);

test('suggestions for any sequence of words from requests are understood', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(words, {minLength: 1, maxLength: 9}), async (some) => {
      expect(await misunderstoodIn(some.join(' '))).toEqual([]);
    }),
    {numRuns: isDeep ? 300 : 60},
  );
});

test.each([
  ['Delete lines 2, 4 and 6 of notes.txt', '- Delete the line "…" from notes.txt'],
  ['Add a footer "x" to data.csv', '- Add "x" to the end of data.csv'],
  ['Move all .md files to docs', '- Move a.txt to docs/a.txt'],
  ['Turn debug on in config.json', '- Set "…" to true in config.json'],
  ['Set the title of config.json to A Big Shop', 'Set "title" to "A Big Shop" in config.json'],
])('the refusal of “%s” suggests “%s”', async (request, suggestion) => {
  expect((await planReply(request)).text).toContain(suggestion);
});

test('no suggestion overwrites a file that is only mentioned, or repeats a placeholder', async () => {
  const {text} = await planReply('Set the licence in package.json to something free');
  expect(text).not.toMatch(/overview|b\.txt|Explain/);
  expect((await planReply('Add a comment to src/main.js')).text).not.toMatch(/into src|overview/);
});

test.each([
  ['Set the license in package.json to a-2.0 or so', 'it stopped at “or”'],
  ['Translate README.md into French', 'it stopped at “Translate”'],
  ['Delete the docs folder', 'it stopped at “folder”'],
])('the refusal of “%s” names the word: %s', async (request, stop) => {
  expect((await planReply(request)).text).toContain(stop);
});
