/** Questions, which are answered with tools that only read. */

import {describe, expect, test} from 'vitest';

import {isQuestion} from '../../../cli/line/question.ts';

const linesOf = (text: string): string[] => text.trim().split('\n');

describe('a question', () => {
  test.each(
    linesOf(`
what does computeTotal do?
What's in the cart
why does the test fail
how many lines of code are there?
which files import cart.js?
Where is the retry limit defined
is there a security problem?
The test fails. Is it flaky?
このプロジェクトは何をしますか
なぜテストが失敗するのですか。
合計はいくら？
テストはどこにあるか
`),
  )('%s', (text) => {
    expect(isQuestion(text)).toBe(true);
  });
});

describe('a task', () => {
  test.each(
    linesOf(`
fix the failing test
can you add a test?
The test fails. Could you fix it?
could we rename computeTotal to cartTotal?
please explain the cart?
why don't you add a test?
how about adding a test?
where possible, use const
When the build fails, retry it
whatever fails, fix it
remove the TODO comment, will you?
format the code, ok?
テストを直してくれませんか
テストを直していただけますか？
テストを直してください
notes.txt を削除
`),
  )('%s', (text) => {
    expect(isQuestion(text)).toBe(false);
  });
});
