/** The help in both languages. */

import {PassThrough} from 'node:stream';

import {expect, test} from 'vitest';

import {settingsReference} from '../../../actors/config/reference.ts';
import {explainLayers} from '../../../cli/config/explain.ts';
import {inJapanese, translations} from '../../../cli/help/ja/translation.ts';
import {helpText, helpTopics, writeHelp} from '../../../cli/help/text.ts';
import {widthOfText} from '../../../cli/render/text.ts';
import {ruleForms} from '../../../machines/panel/rule.ts';
import {rules} from '../../../machines/testing/lint.ts';
import {linesAfter} from './performed.ts';

const japanese = /[ぁ-んァ-ン一-龠]/;
const pages = [undefined, ...(await helpTopics())];

test.each(pages)('the page %s is in Japanese on request', async (topic) => {
  const ja = await helpText(topic, {language: 'ja'});
  expect(ja).toMatch(japanese);
  expect(ja).not.toBe(await helpText(topic));
  expect(ja).not.toMatch(/^(?:Usage|Also|Commands|Options)\b/m);
});

test.each(pages)('no line of the page %s has more than 125 columns', async (topic) => {
  for (const language of ['en', 'ja'] as const) {
    const lines = (await helpText(topic, {language})).split('\n');
    expect(lines.filter((line) => widthOfText(line) > 125)).toEqual([]);
  }
});

test.each(pages)('on a terminal of 80 columns every line of the page %s fits', async (topic) => {
  const stdout = Object.assign(new PassThrough(), {isTTY: true, columns: 80});
  await writeHelp({stdout, language: 'ja'}, topic);
  const lines = String(stdout.read()).split('\n');
  const long = lines.filter((line) => widthOfText(line) > 80 && / \S+ \S/.test(line.slice(40)));
  expect(long).toEqual([]);
});

const rows = [
  ...[...settingsReference(), ...explainLayers([])].map(({text}) => text),
  ...rules.map(({description}) => description),
  ...ruleForms.map(({meaning}) => meaning),
];

test('every setting, rule and check is translated into Japanese, and no other row is', () => {
  expect(rows.filter((row) => !japanese.test(inJapanese(row)))).toEqual([]);
  const needed = new Set(rows.map((row) => inJapanese(row)));
  const stale = [...translations]
    .filter(([english, text]) => !english.includes('$1') && !needed.has(text))
    .map(([english]) => english);
  expect(stale).toEqual([]);
});

test('words in backticks are the same in both languages', () => {
  for (const row of rows) expect(codeIn(inJapanese(row))).toEqual(codeIn(row));
});

function codeIn(text: string): string[] {
  return (text.match(/`[^`]+`/g) ?? []).toSorted();
}

test.each([[['--help']], [['help', 'gate']], [['resume', '-h']]])(
  '%j: LANG decides, and the flag wins',
  async (argv) => {
    const inLang = await linesAfter(argv, {LANG: 'ja_JP.UTF-8'});
    expect(inLang.stdout).toMatch(japanese);
    const flagged = await linesAfter([...argv, '--lang', 'ja'], {LANG: 'C'});
    expect(flagged.stdout).toBe(inLang.stdout);
    const en = await linesAfter([...argv, '--lang', 'en'], {LANG: 'ja_JP.UTF-8'});
    expect(en.stdout).not.toMatch(/[ぁ-ん]/);
  },
);
