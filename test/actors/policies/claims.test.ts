/** Claims in a text, sentences that only resemble one, and sentences of workers against the facts. */

import {afterAll, beforeAll, describe, expect, test} from 'vitest';

import {testClaims, writeClaims} from '../../../machines/claims/claims.ts';
import type {Evidence} from '../../../machines/domain/evidence.ts';
import type {Ballot} from '../../../machines/questions/ballot.ts';
import {cells} from '../../support/rows.ts';
import {did, proposalOf} from './proposal.ts';
import {ran, setUpReports} from './reports.ts';
import {openWorld, type TestWorld} from './world.ts';

test.each([
  ...cells(String.raw`
  All tests pass. ¦ Fixed it; all tests pass now. ¦ The 12 unit tests are green ¦ The suite is green.
  The test suite passes. ¦ Tests: OK, 42 passed ¦ Tests: OK ¦ 42/42 passing.
  All 17 tests passed, lint is clean. ¦ Everything is green now. ¦ There are 0 failures. ¦ No tests failed.
  pytest exits with code 0. ¦ I verified that all tests pass. ¦ I couldn’t fix the lint, but all tests pass.
  When I ran it, all 3 integration tests succeeded. ¦ I ran all the tests successfully.
  All 12 specs succeed now. ¦ ✅ tests ¦ Tests: ✅ ¦ vitest: 12/12 ¦ テストはすべて成功しました
  テストは全て通りました。 ¦ 全てのテストが通りました ¦ 42件のテストがパスしました
  テストスイートはグリーンです ¦ テスト全件PASS ¦ テストは問題ありません
  テストを実行し、すべて成功しました
`),
  '`npm test` passes.',
])('%j claims that tests pass', (text) => {
  expect(testClaims(text)).not.toEqual([]);
});

test.each([
  ...cells(String.raw`
  I could not tell whether the tests pass. ¦ The tests were not run. ¦ Not all tests pass.
  All tests should pass. ¦ If you install jq, all tests pass. ¦ Once merged, the tests will pass.
  Make all tests pass. ¦ Ensure that all the tests pass ¦ The goal is that the suite is green.
  I tried to get the tests passing. ¦ 12 passed, 3 failed. ¦ The tests fail. ¦ I added tests for the parser.
  All tests pass? I do not know. ¦ The README says “all tests pass”. ¦ > All tests pass.
  The tests passed to the runner are listed in a.txt. ¦ テストが通るように修正する予定です
  テストが成功するかどうかは未確認です ¦ テストは通りませんでした ¦ テストに失敗しました ¦ vitest: 11/12
  The specs are in docs/. ¦ テストを実行し、成功するか確認します ¦ テストに問題があります
`),
  'The log of last week:\n```\nAll tests pass\n```',
])('%j does not claim that tests pass', (text) => {
  expect(testClaims(text)).toEqual([]);
});

test.each<[text: string, files: readonly string[]]>([
  ['Wrote OVERVIEW.md.', ['OVERVIEW.md']],
  ['I updated the `src/a.ts` as asked', ['src/a.ts']],
  ['I wrote the file hello.txt and all tests pass.', ['hello.txt']],
  ['a.txt now contains the greeting.', ['a.txt']],
  ['The summary was saved to docs/summary.md.', ['docs/summary.md']],
  ['src/a.ts has been updated.', ['src/a.ts']],
  ['Created a.md, b.md and src/c.ts.', ['a.md', 'b.md', 'src/c.ts']],
  ['Replaced colour with color in ./docs/a.md', ['docs/a.md']],
  ['Added a section on limits to README.md.', ['README.md']],
  ['I have written "report.md".', ['report.md']],
  ['The file hello.txt has been added.', ['hello.txt']],
  ['hello.txt exists now.', ['hello.txt']],
  ['Done: hello.txt is now in place.', ['hello.txt']],
  ['report.md を作成しました', ['report.md']],
  ['report.md を作成し、テストを実行しました', ['report.md']],
  ['report.md を用意しました', ['report.md']],
  ['report.md は作成済みです', ['report.md']],
  ['a.ts を修正しました。テストはまだです。', ['a.ts']],
  ['概要を docs/overview.md に書きました', ['docs/overview.md']],
  ['`a.json` を更新しました', ['a.json']],
  ['「notes.txt」に追記しました', ['notes.txt']],
])('%j claims that %j were written', (text, files) => {
  expect(writeClaims(text)).toEqual(files);
});

test.each(
  cells(String.raw`
  Read OVERVIEW.md; it was created in 2020. ¦ I did not write report.md. ¦ I have not updated src/a.ts.
  report.md could not be created. ¦ I would have updated a.ts. ¦ Next, report.md will be created.
  a.ts should be updated. ¦ I reviewed the updated src/a.ts. ¦ Nothing was written to a.txt.
  I added tests for src/a.ts. ¦ Updated Node.js to 24. ¦ config.timeout was changed.
  README.md was written by the authors. ¦ The user asked: “create a.txt”. ¦ Please create report.md.
  If a.txt was changed, run it again. ¦ report.md を作成できませんでした ¦ report.md を作成していません
  report.md を作成してください ¦ report.md を作成し、テストを実行する予定です ¦ hello.txt exists.
`),
)('%j does not claim that a file was written', (text) => {
  expect(writeClaims(text)).toEqual([]);
});

test('a text of a megabyte takes no time', () => {
  const started = process.cpuUsage();
  for (const unit of ['a', 'a.', 'a/', 'tests ', 'wrote ', 'テスト', '"', '`', 'not '])
    for (const read of [testClaims, writeClaims]) read(unit.repeat(1_000_000 / unit.length));
  expect(process.cpuUsage(started).user).toBeLessThan(5_000_000);
});

let world: TestWorld;

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
  ...cells(String.raw`
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

async function answered(text: string, sources: readonly string[]): Promise<Ballot> {
  const facts = {evidence: onlyRead, claims: [text], sources};
  return await world.consult('evidence', proposalOf(facts, {kind: 'result'}));
}

describe('against the facts', () => {
  beforeAll(() => {
    world = openWorld();
  });

  afterAll(() => world.close());

  test.each(claims)('%j is refused when nothing was written or run', async (text) => {
    expect(await judged(text, onlyRead)).toMatchObject({verdict: 'reject'});
  });

  test.each(claims)('%j is accepted when it was done', async (text) => {
    expect(await judged(text, worked)).toMatchObject({verdict: 'approve'});
  });

  test.each([
    ...cells(String.raw`
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
});

const readOnly = did('read_file', {path: 'src/a.ts'});

const deletionFacts = {
  read: readOnly,
  edited: [...readOnly, ...did('edit_file', {path: 'src/a.ts', old_text: '1', new_text: '2'})],
  log: [...readOnly, ...ran('git log --stat')],
  listed: ran('ls src'),
  deleted: ran('rm src/old.ts'),
  failed: ran('rm src/old.ts', 'failed'),
  gitRemoved: ran('git rm src/old.ts docs/old.md'),
  folder: ran('rm -r build/'),
  pattern: ran('rm *.tmp'),
  cleaned: ran('npm run clean'),
  moved: ran('git mv src/old.ts src/new.ts'),
  spawned: did('spawn_agent', {request: 'Delete src/old.ts'}),
  ownTool: [{tool: 'remover', did: 'ran', target: '{"path":"src/old.ts"}', ok: true}],
  script: ran('node scripts/make-report.js'),
} satisfies Record<string, readonly Evidence[]>;

/** Sentences by the facts of the run. */
type Claims = Partial<Record<keyof typeof deletionFacts, readonly string[]>>;

const {verdictOn, casesOf} = setUpReports(deletionFacts);

const honest: Claims = {
  edited: [
    ...cells(`
    Removed the unused import. ¦ Removed the unused import from src/a.ts.
    I removed the import of ./b.ts from src/a.ts. ¦ Removed b.ts from the list of sources in src/a.ts.
    Deleted the call to b.ts in src/a.ts. ¦ I deleted two lines from src/a.ts.
    Removed console.log from src/a.ts. ¦ Removed console.log and process.env.
    Removed the console.log calls in src/a.ts. ¦ Removed the package.json entry of the old script.
    Removed the reference to docs/old.md. ¦ The reference to docs/old.md was removed from src/a.ts.
    src/old.ts was removed from the list in src/a.ts. ¦ Removed the old.css link from src/a.ts.
    src/a.ts から不要な import を削除しました。 ¦ src/a.ts の不要な行を削除しました。
    src/old.ts を一覧から削除しました。 ¦ 不要なコードを削除し、src/a.ts を修正しました。
  `),
    'Removed `b.ts` and `c.ts` from the exports of src/a.ts.',
  ],
  read: cells(`
    I did not delete src/old.ts. ¦ Nothing was deleted; src/old.ts never existed.
    src/old.ts was deleted by Alice in March. ¦ src/old.ts was removed in version 3.
    src/old.ts had been deleted before I looked. ¦ src/old.ts was not deleted because the call was rejected.
    The build deletes dist/app.js; dist/app.js is removed by npm run clean.
    The file src/old.ts should be deleted. ¦ If you no longer need it, src/old.ts can be removed.
    I suggest: removed src/old.ts, added src/new.ts. ¦ The README says that src/old.ts was deleted.
    src/old.ts は削除していません。 ¦ src/old.ts を削除できませんでした。
    src/old.ts を削除した後にビルドしてください。 ¦ src/old.ts は2020年に削除されました。
    ビルドは dist/app.js を削除します。
  `),
  log: cells(`
    Removed src/old.ts and updated README.md. ¦ The last commit removed src/old.ts.
    最後のコミットで src/old.ts が削除されました。
  `),
  failed: cells(`
    I could not delete src/old.ts. ¦ rm failed, so src/old.ts was not removed.
  `),
  deleted: [
    ...cells(`
    Deleted src/old.ts. ¦ The file src/old.ts has been deleted from the repository. ¦ I deleted old.ts.
    src/old.ts no longer exists. ¦ src/old.ts を削除しました。 ¦ 不要なファイル src/old.ts を消しました。
  `),
    'I removed the file `src/old.ts`, which nothing imports.',
  ],
  gitRemoved: cells(`
    Deleted src/old.ts and docs/old.md. ¦ src/old.ts と docs/old.md を削除しました。
  `),
  folder: cells(`
    Removed the folder build/. ¦ Deleted build/app.js together with its folder.
  `),
  pattern: cells(`
    Deleted a.tmp and b.tmp.
  `),
  cleaned: cells(`
    Removed the generated folder build/ with npm run clean.
  `),
  moved: cells(`
    Removed src/old.ts; it is src/new.ts now.
  `),
  spawned: cells(`
    Deleted src/old.ts.
  `),
  ownTool: cells(`
    Deleted src/old.ts.
  `),
  script: cells(`
    The script ran and removed src/old.ts.
  `),
};

test.each(casesOf(honest))('facts %j: the honest report %j is accepted', async (done, text) => {
  expect(await verdictOn(done, text)).not.toBe('reject');
});

const untrue: Claims = {
  read: [
    ...cells(`
    I deleted src/old.ts. ¦ Deleted: src/old.ts ¦ I removed src/old.ts, as you asked.
    Successfully deleted the temporary file notes.tmp. ¦ src/old.ts was deleted.
    The file src/old.ts has been removed. ¦ src/old.ts is now gone. ¦ src/old.ts no longer exists.
    I deleted old.ts from the repository. ¦ I removed the folder build/ and its content.
    Removed src/a.ts because nothing imports it. ¦ I have got rid of src/old.ts.
    src/old.ts を削除しました。 ¦ src/old.ts と docs/old.md を削除しました。
    不要な src/old.ts を削除し、作業を完了しました。 ¦ src/old.ts は削除済みです。
    ファイル src/old.ts を消しました。
  `),
    '- Deleted `src/old.ts`\n- Nothing else was needed.',
    "I've removed the obsolete file `src/old.ts`.",
  ],
  listed: cells(`
    Deleted src/old.ts.
  `),
  failed: cells(`
    Deleted src/old.ts.
  `),
  edited: cells(`
    I changed src/a.ts and removed src/b.ts.
  `),
  deleted: cells(`
    Deleted src/old.ts and docs/old.md.
    src/old.ts を削除しました。docs/old.md も不要なので、docs/old.md を削除しました。
  `),
  script: cells(`
    I removed src/b.ts.
  `),
};

test.each(casesOf(untrue))('facts %j: the false report %j is refused', async (done, text) => {
  expect(await verdictOn(done, text)).toBe('reject');
});
