/** Errors of usage in the language of the screen; programs read them in English. */

import {expect, test} from 'vitest';

import {linesAfter} from './performed.ts';

const japanese = /[ぁ-んァ-ン一-龠]/;

test.each([
  ['show', '--bogus'],
  ['reviw'],
  ['--scope', 'fsat', 'x'],
  ['show', 'a', 'b'],
  ['resume', '--reason', 'x'],
  ['--completion', 'csh'],
  ['help', 'nothing'],
  ['mutants', 'x.ts'],
  ['lint', '--rule', 'nothing', 'x.ts'],
  ['diagram', '--format', 'svg'],
  ['paths', 'no-such-machine'],
  ['lint', 'no-such-machine'],
  ['review', '--diff', 'a', '--base', 'b'],
  ['recount', 'nothing'],
])('%s %s', async (...argv) => {
  const ja = await linesAfter(argv, {LANG: 'ja_JP.UTF-8'});
  const flagged = await linesAfter(['--lang', 'ja', ...argv], {LANG: 'C'});
  const en = await linesAfter(['--lang', 'en', ...argv], {LANG: 'ja_JP.UTF-8'});
  const plain = await linesAfter(argv, {});
  expect(ja.stderr).toMatch(japanese);
  expect(flagged).toEqual(ja);
  expect(en.stderr).not.toMatch(japanese);
  expect(en).toEqual(plain);
  expect([ja.code, plain.code]).toEqual([2, 2]);
});

test('a result as JSON is the same in every language', async () => {
  expect(await failureIn('ja')).toBe(await failureIn('en'));
});

async function failureIn(language: string): Promise<string> {
  const argv = ['ask', '--output', 'json', '-m', 'bogus', 'Why?', '--lang', language];
  const {stdout} = await linesAfter(argv, {});
  expect(stdout).toContain('"status": "error"');
  return stdout.replace(/"at": \d+/, '');
}
