/** The skill that replaces a text, with real files: what it says about files that it did not search. */

import {expect, test} from 'vitest';

import {inLanguageOf} from '../../../../actors/model/offline/japanese.ts';
import {replacement} from '../../../../actors/model/offline/skills/replacement.ts';
import type {Answer, Use} from '../../../../actors/model/offline/skills/skill.ts';
import {createPlace, type Place, textOf} from '../../../tools/place.ts';

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
