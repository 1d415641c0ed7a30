/** Claims in a text, and sentences that only resemble one. */

import {expect, test} from 'vitest';

import {testClaims} from '../../../machines/claims/claims.ts';
import {writeClaims} from '../../../machines/claims/write-claims.ts';
import {rows} from '../../support/rows.ts';

test.each([
  ...rows(String.raw`
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
  ...rows(String.raw`
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
  rows(String.raw`
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
