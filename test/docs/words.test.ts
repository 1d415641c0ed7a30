/** The product is written in plain words. */

import {join} from 'node:path';

import {expect, test} from 'vitest';

import {findWords, findWordsOfProduct, productTextFiles, type WordFinding} from './words.ts';

const root = join(import.meta.dirname, '../..');

interface Exception {
  readonly file: string | RegExp;
  /** A part of each line. */
  readonly part: string;
  readonly reason: string;
}

const typed = 'words that a person types, which the program recognizes';
const words = 'a list of words';
const contract = 'a name that other programs read';

const exceptions: readonly Exception[] = [
  {file: /./v, part: 'unheard', reason: contract},
  {file: /^(?:actors|cli)/v, part: "'told'", reason: contract},
  {file: 'actors/model/offline/questions/arithmetic.ts', part: 'tell me', reason: typed},
  {file: 'actors/model/offline/questions/keywords.ts', part: 'say tell', reason: words},
  {file: 'actors/model/offline/questions/table-words.ts', part: 'please tell', reason: words},
  {file: 'actors/model/offline/refusing.ts', part: '|tell|', reason: typed},
  {file: 'actors/model/offline/skills/commands.ts', part: 'tell me', reason: typed},
  {file: 'actors/model/offline/skills/definition.ts', part: 'tell me', reason: typed},
  {file: 'actors/model/offline/skills/facts.ts', part: 'tell me', reason: typed},
  {file: 'actors/model/offline/skills/overview.ts', part: 'tell me', reason: typed},
  {file: 'actors/model/offline/skills/run-tests.ts', part: 'tell me', reason: typed},
  {file: 'actors/model/offline/skills/todos.ts', part: 'tell me', reason: typed},
  {file: 'machines/claims/requests.ts', part: '|tell|', reason: typed},
  {file: 'cli/chat/questions/undelivered.ts', part: '|go on|', reason: typed},
  {file: 'machines/forms/interview/texts/parts.ts', part: 'to tell', reason: typed},
  {file: 'tools/search/stop-words.ts', part: 'whatever', reason: words},
  {file: 'tools/search/stop-words.ts', part: 'whoever', reason: words},
];

const files = await productTextFiles(root);
const found = await findWordsOfProduct(root, files);

function isFor({file, part}: Exception, finding: WordFinding): boolean {
  const isThere = typeof file === 'string' ? file === finding.file : file.test(finding.file);
  return isThere && finding.text.includes(part);
}

test('the whole product is read', () => {
  expect(files.length).toBeGreaterThan(1_000);
});

test('no text and no name of the product has unclear words', () => {
  const unclear = found.filter((finding) => !exceptions.some((each) => isFor(each, finding)));
  expect(unclear.map(({file, line, pattern}) => `${file}:${line}: ${pattern}`)).toEqual([]);
});

test('at most 20 exceptions are listed, each of them needed', () => {
  expect(exceptions.length).toBeLessThanOrEqual(20);
  const unneeded = exceptions.filter((each) => !found.some((finding) => isFor(each, finding)));
  expect(unneeded).toEqual([]);
});

test.each([
  '/** What a seat is given. */',
  'const wasTold = true;',
  'it is told of the vote',
  'x is no task',
  'which comes to nothing',
])('%s is unclear', (line) => {
  expect(findWords('x.ts', line)).not.toEqual([]);
});

test.each(['There is no model.', 'it is no longer open', 'The model that a seat has.'])(
  '%s is clear',
  (line) => {
    expect(findWords('x.ts', line)).toEqual([]);
  },
);
