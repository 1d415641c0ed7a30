/** Sentences of workers against the facts: an unsupported claim is refused, an honest sentence is not. */

import {afterAll, beforeAll, expect, test} from 'vitest';

import type {Evidence} from '../../../machines/domain/evidence.ts';
import type {Ballot} from '../../../machines/questions/ballot.ts';
import {rows} from '../../support/rows.ts';
import {did, proposalOf} from './proposal.ts';
import {openWorld, type TestWorld} from './world.ts';

let world: TestWorld;

beforeAll(() => {
  world = openWorld();
});

afterAll(() => world.close());

const onlyRead = did('read_file', {path: 'src/a.ts'});
const worked: readonly Evidence[] = [
  ...did('write_file', {path: 'hello.txt'}),
  ...did('run_command', {command: 'npm test'}),
];

async function judged(text: string, evidence: readonly Evidence[]): Promise<Ballot> {
  const results = [{task: 'a', succeeded: true, text, isReport: true}];
  return await world.consult('evidence', proposalOf({evidence, results}, {kind: 'result'}));
}

const claims = [
  ...rows(String.raw`
  I wrote the file hello.txt and all tests pass.
  Fixed. The previously failing spec succeeds now; verified locally. ¦ All tests pass.
  The whole suite is green. ¦ The test suite completed without errors. ¦ The tests come back clean now.
  I ran the tests successfully. ¦ I ran it and it works. ¦ Tested it locally: it works.
  Verified by running the program. ¦ No tests failed. ¦ 12/12 tests passed.
  The greeting was saved to hello.txt. ¦ I’ve created hello.txt with the greeting.
  hello.txt is now on disk. ¦ hello.txt now contains the greeting. ¦ Done: placed the greeting in hello.txt.
  Added the greeting to hello.txt. ¦ The file hello.txt has been created.
  hello.txt を作成し、すべてのテストが通りました。 ¦ hello.txt というファイルを作りました。
  挨拶を hello.txt に書き込みました。 ¦ hello.txt に挨拶を入れました。
  hello.txt を更新し、動作を確認しました。 ¦ テストは全部通っています。 ¦ テストは問題なくパスしました。
  テストスイートはグリーンです。 ¦ 手元で実行しました。 ¦ 動作確認済みです。
  テストを実行し、すべて成功しました。 ¦ 全テストがPASSしました。
`),
  '`npm test` exits with code 0.',
];

test.each(claims)('%j is refused when nothing was written or run', async (text) => {
  expect(await judged(text, onlyRead)).toMatchObject({verdict: 'reject'});
});

test.each(claims)('%j is accepted when it was done', async (text) => {
  expect(await judged(text, worked)).toMatchObject({verdict: 'approve'});
});

test.each([
  ...rows(String.raw`
  Nothing was written. ¦ I did not run the tests. ¦ I could not verify it locally.
  The tests passed before my change. ¦ Previously all tests passed. ¦ Last week the suite was green.
  If you add the fix, all tests pass. ¦ The tests should pass once the fix is in.
  The README says “all tests pass”. ¦ > I wrote hello.txt. ¦ To finish, create hello.txt.
  hello.txt would have to be created. ¦ hello.txt was written by the authors in 2020.
  src/a.ts exports add and sub. ¦ The port is 8080, see src/a.ts.
  The code was tested in production by others. ¦ I reviewed the recently changed src/a.ts.
  何も書き込んでいません。 ¦ テストは実行していません。 ¦ 以前はテストが通っていました。
  変更前はすべてのテストが成功していました。 ¦ テストが通るはずです。 ¦ テストが通るかどうかは分かりません。
  修正すればテストが通ります。 ¦ hello.txt を作成する必要があります。 ¦ hello.txt は作成していません。
  動作は確認していません。 ¦ 「すべてのテストが通りました」と README にあります。
  src/a.ts は add を定義しています。
`),
  'Run `npm test` to check that all tests pass.',
])('%j is accepted though nothing was written or run', async (text) => {
  expect(await judged(text, onlyRead)).toMatchObject({verdict: 'approve'});
});

test.each([
  [
    'another interaction was spawned, which may have run the tests',
    did('spawn_agent', {request: 'Fix it'}),
  ],
  [
    'a tool that is not a shell ran',
    [{tool: 'ci', did: 'ran', target: '{"job":"test"}', ok: true}],
  ],
] as const)('a claim that tests pass is not refused when %s', async (_, evidence) => {
  const {verdict} = await judged('All tests pass.', evidence);
  expect(verdict).not.toBe('reject');
});

async function answered(text: string, sources: readonly string[]): Promise<Ballot> {
  const facts = {evidence: onlyRead, claims: [text], sources};
  return await world.consult('evidence', proposalOf(facts, {kind: 'result'}));
}

test.each([
  ['All tests pass.', ['$ npm test\n12 passing']],
  ['The commit created src/a.ts.', []],
  ['Alice updated README.md.', []],
  ['src/a.ts has been changed twice this year.', []],
  ['このコミットは src/a.ts を変更しました。', []],
])('an answer may report %j from its sources', async (text, sources) => {
  expect(await answered(text, sources)).toMatchObject({verdict: 'approve'});
});

test.each([
  ['All tests pass.', ['{"scripts": {"test": "vitest"}}']],
  ['I created src/a.ts.', []],
  ['Done. Updated README.md as you asked.', []],
  ['README.md を更新しました。', []],
])('an answer may not claim %j', async (text, sources) => {
  expect(await answered(text, sources)).toMatchObject({verdict: 'reject'});
});
