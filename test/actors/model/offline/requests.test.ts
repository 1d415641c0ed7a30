/** Requests to the offline model: as whole runs judged by the files, its suggestions, and what it says about files that it did not search. */

import {existsSync} from 'node:fs';
import {join} from 'node:path';

import * as fc from 'fast-check';
import {afterAll, describe, expect, test} from 'vitest';

import {createRuntime} from '../../../../actors/index.ts';
import {inLanguageOf} from '../../../../actors/model/offline/japanese.ts';
import {replacement} from '../../../../actors/model/offline/skills/replacement.ts';
import type {Answer, Use} from '../../../../actors/model/offline/skills/skill.ts';
import type {ModelReply} from '../../../../machines/domain/model.ts';
import type {RunResult} from '../../../../machines/domain/result.ts';
import {planMessage} from '../../../../machines/forms/agent/planning/planner-prompt.ts';
import {openTranscript} from '../../../../machines/prompts/transcript.ts';
import {isDeep, sampled} from '../../../support/depth.ts';
import {createPlace, type Place, textOf} from '../../../tools/place.ts';
import {
  naturalRequests,
  refusals,
  requests,
  type Tried,
  type Wording,
  wordings,
} from './requests.ts';
import {callOffline, createFolder, shop, world} from './worlds.ts';

const runtime = createRuntime({env: {}, config: {agent: {hil_mode: 'auto_reject'}}});

const statuses = {done: /^completed$/, notUnderstood: /^failed$/, notDone: /^(?:failed|rejected)$/};

function endOf({outcome, says = /\S/}: Tried) {
  return {
    status: expect.stringMatching(statuses[outcome]),
    isPlanned: outcome !== 'notUnderstood',
    said: expect.stringMatching(says),
  };
}

function changesOf({changes = {}}: Tried) {
  return Object.fromEntries(
    Object.entries(changes).map(([path, content]) => [path, content && matching(content)]),
  );
}

function matching(content: string | RegExp) {
  return expect.stringMatching(typeof content === 'string' ? wholly(content) : content);
}

function wholly(text: string): RegExp {
  return new RegExp(`^${RegExp.escape(text)}$`);
}

function reportIn({summary, tasks = []}: Pick<RunResult, 'summary' | 'tasks'>): string {
  return [summary, ...tasks.map(({failure}) => failure?.message ?? '')].join('\n');
}

/** All texts of the result that a person reads. */
function saidIn({summary, tasks = [], reviews = []}: RunResult): string {
  const reasons = reviews.flatMap(({votes}) => votes.flatMap((vote) => vote.reasons ?? []));
  return [reportIn({summary, tasks}), ...reasons].join('\n');
}

afterAll(() => runtime.close());

describe('first requests, as whole runs', () => {
  test.each(sampled(requests, 10))('$request: $outcome', async (tried) => {
    const folder = createFolder(tried.files ?? {...shop, ...tried.more});
    const result = await runtime.agent(tried.request, {workspace: folder.path}).result;
    expect({
      status: result.status,
      isPlanned: (result.tasks ?? []).length > 0,
      said: saidIn(result),
    }).toEqual(endOf(tried));
    expect(folder.changes()).toStrictEqual(changesOf(tried));
  });
});

function changesAfter({changes}: Wording): Record<string, string | undefined> {
  const after: Record<string, string | undefined> = {};
  for (const [path, from, to] of changes) {
    if (path.endsWith('/')) continue;
    const before = after[path] ?? String(world[path] ?? '');
    after[path] = to === undefined ? from : before.replaceAll(from ?? '', () => to);
  }
  return after;
}

describe('natural wordings, as whole runs', () => {
  test.each(sampled([...naturalRequests, ...wordings, ...refusals], 12))(
    '$request',
    async (wording) => {
      const folder = createFolder(world);
      const result = await runtime.agent(wording.request, {workspace: folder.path}).result;
      const said = reportIn(result);
      const folders = wording.changes.map(([path]) => path).filter((path) => path.endsWith('/'));
      expect({
        said,
        status: result.status,
        changes: folder.changes(),
        made: folders.filter((path) => existsSync(join(folder.path, path))),
      }).toStrictEqual({
        said: expect.not.stringMatching(/glob_search|grep_search|read_file/),
        status: expect.stringMatching(wording.isRefused ? /^(?:failed|rejected)$/ : /^completed$/),
        changes: changesAfter(wording),
        made: folders,
      });
      for (const words of wording.says) expect(said).toContain(words);
    },
  );
});

async function planReply(request: string): Promise<ModelReply> {
  const text = planMessage({request, background: [], rounds: [], runs: [], maxResults: 9000});
  const outcome = await callOffline({purpose: 'plan', transcript: openTranscript(text)});
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

const requestWords = fc.constantFrom(
  ...'append add insert delete replace set create write rename move copy fix bump run list lines line version key folder to in of with and at the top after typo content file tests "x" "a b" a.txt src/b.js c.json d.md src 3000 true を に の 追加して 削除して 変更して 行目 「あ」 「い」 `ls` {"a":1}'.split(
    ' ',
  ),
);

test('suggestions for any sequence of words from requests are understood', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(requestWords, {minLength: 1, maxLength: 9}), async (some) => {
      expect(await misunderstoodIn(some.join(' '))).toEqual([]);
    }),
    {numRuns: isDeep ? 300 : 20},
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

/** Resolves with the report, in the language of the request. */
async function carryOut(place: Place, request: string): Promise<string> {
  const work = replacement.understand(request)?.work?.();
  if (!work) throw new Error(`not understood: ${request}`);
  const answer = async ({tool, args}: Use): Promise<Answer> => {
    const outcome = await place.run(tool, args);
    return {text: textOf(outcome), isError: outcome.kind !== 'succeeded'};
  };
  let step = work.next();
  while (step.done !== true)
    step = work.next(await Promise.all(step.value.map(async (use) => await answer(use))));
  return inLanguageOf(request, step.value.text);
}

test('files that were not searched are named, in words, and nothing is claimed about them', async () => {
  const place = createPlace();
  place.put('a.txt', 'x');
  place.put('new\nline.txt', 'x');
  place.put('jp.txt', Buffer.from([0x78, 0x20, 0xff]));
  const leftOut =
    'Left out: 1 file not searched, text that is not UTF-8: jp.txt; 1 file not searched, whose name has characters that no tool takes: new\\nline.txt.';
  expect(await carryOut(place, 'Replace "x" with "w" in all files')).toBe(
    `Replaced x with w in all files: 1 file changed. No occurrence is left in the files that were searched.\n${leftOut}`,
  );
  expect(await carryOut(place, 'Replace "q" with "w" in all files')).toBe(
    `Not done: q does not occur in the files that were searched (all files).\n${leftOut}`,
  );
  expect(await carryOut(place, '"w" を "x" に置き換えて')).toMatch(
    /^すべてのファイル の w を x .*検索したファイルに残りはありません。\nLeft out: /,
  );
  expect(await carryOut(place, '"q" を "w" に置き換えて')).toMatch(
    /^実行していません。q は検索したファイル（すべてのファイル）に見つかりません。\nLeft out: /,
  );
});

test('the request is not done when a file that it names was left out', async () => {
  const place = createPlace();
  place.put('a.txt', 'x');
  place.put('large.txt', 'x'.repeat(3_000_000));
  expect(await carryOut(place, 'Replace "x" with "w" in a.txt and large.txt')).toBe(
    'Partly done: Replaced x with w in a.txt, large.txt: 1 file changed. No occurrence is left in the files that were searched.\n' +
      'Left out: 1 file not searched, over 2 MB: large.txt.',
  );
  expect(await carryOut(place, 'Replace "x" with "w" in large.txt')).toBe(
    'Not done: x does not occur in the files that were searched (large.txt).\n' +
      'Left out: 1 file not searched, over 2 MB: large.txt.',
  );
});
