/** The help: its topics, and its lines on a terminal. */

import {globSync, readFileSync} from 'node:fs';
import {PassThrough} from 'node:stream';

import {expect, test} from 'vitest';

import {settingsReference} from '../../actors/config/reference.ts';
import {explainLayers} from '../../cli/config/explain.ts';
import {inJapanese, translations} from '../../cli/help/ja/translation.ts';
import {helpText, helpTopics, writeHelp} from '../../cli/help/text.ts';
import {topics} from '../../cli/help/topics.ts';
import {decisionOption, readDecisionFlag} from '../../cli/line/decision-flag.ts';
import {widthOfText} from '../../cli/render/text.ts';
import {ruleForms} from '../../machines/panel/rule.ts';
import {rules} from '../../machines/testing/lint.ts';
import {runLine} from '../support/command-line.ts';

async function flat(topic?: string): Promise<string> {
  return (await helpText(topic)).replaceAll(/\s+/g, ' ');
}

test('every topic is printed under its name', async () => {
  for (const [name, topic] of Object.entries(topics)) {
    expect(await helpText(name)).toContain(await topic());
  }
});

test('every topic that a text or a page refers to exists', async () => {
  const files = globSync(['README.md', '{cli,actors,machines,tools}/**/*.{ts,md}']);
  const named = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/quorate help ([a-z][a-z-]+)/g)].map(
      ([, name]) => name,
    ),
  );
  expect(new Set(named).difference(new Set(await helpTopics()))).toEqual(new Set());
  expect(named).toContain('gate');
});

test('a topic that shares the name of a command is followed by the help of the command', async () => {
  expect(await flat('models')).toMatch(
    /^Models are named .*\[providers\.mine\].* Usage: quorate models /,
  );
});

test('lists every decision of the command line', async () => {
  const {text} = decisionOption;
  for (const value of ['approve', 'always', 'reject', 'edit:FILE', 'retry', 'done', 'fail']) {
    expect(value).toMatch(readDecisionFlag(value).decision);
    expect(text?.en).toMatch(new RegExp(String.raw`(?:^|, )${value}`, 'm'));
  }
});

test.each(['en', 'ja'] as const)(
  'the first screen in %s is 24 lines of 80 columns',
  async (language) => {
    const lines = (await helpText(undefined, {language})).trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(lines.filter((line) => widthOfText(line) > 80)).toEqual([]);
  },
);

test('the first screen names commands and options that help all lists, the same in both languages', async () => {
  const [en = [], ja] = [await helpText(), await helpText(undefined, {language: 'ja'})].map(
    namesIn,
  );
  const all = await flat('all');
  expect(en).toEqual(expect.arrayContaining(['discuss', 'undo', '-C', '--hil', '--timeout']));
  expect(en.filter((name) => !all.includes(` ${name} `) && !all.includes(` ${name},`))).toEqual([]);
  expect(ja).toEqual(en);
});

/** The commands of the left column, and the options. */
function namesIn(screen: string): readonly string[] {
  const [, ...rows] = screen.split('\n  ');
  const left = rows.map((line) => line.slice(0, 29));
  const names = [
    ...left.flatMap((text) => text.match(/(?<=quorate |, )[a-z]+/g) ?? []),
    ...(screen.match(/(?<!\S)--?[A-Za-z][a-z-]*/g) ?? []),
  ];
  return [...new Set(names)];
}

async function shownOn(columns: number): Promise<string> {
  const stdout = Object.assign(new PassThrough(), {isTTY: true, columns});
  await writeHelp({stdout}, 'all');
  return String(stdout.read());
}

test.each([60, 100])(
  'on a terminal of %i columns no word of the help is broken',
  async (columns) => {
    const shown = await shownOn(columns);
    expect(shown.replaceAll(/\s+/g, ' ')).toBe(await flat('all'));
    expect(shown.split('\n').filter((line) => line.length > columns)).toEqual([]);
  },
);

test('the continuation of a column is below its beginning', async () => {
  expect(await shownOn(100)).toMatch(/\n {2}runs [^ ]+ +list the newest runs[^\n]*\n {28}\S/);
});

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

const translatedRows = [
  ...[...settingsReference(), ...explainLayers([])].map(({text}) => text),
  ...rules.map(({description}) => description),
  ...ruleForms.map(({meaning}) => meaning),
];

test('every setting, rule and check is translated into Japanese, and no other row is', () => {
  expect(translatedRows.filter((row) => !japanese.test(inJapanese(row)))).toEqual([]);
  const needed = new Set(translatedRows.map((row) => inJapanese(row)));
  const stale = [...translations]
    .filter(([english, text]) => !english.includes('$1') && !needed.has(text))
    .map(([english]) => english);
  expect(stale).toEqual([]);
});

test('words in backticks are the same in both languages', () => {
  for (const row of translatedRows) expect(codeIn(inJapanese(row))).toEqual(codeIn(row));
});

function codeIn(text: string): string[] {
  return (text.match(/`[^`]+`/g) ?? []).toSorted();
}

test.each([[['--help']], [['help', 'gate']], [['resume', '-h']]])(
  '%j: LANG decides, and the flag wins',
  async (argv) => {
    const inLang = await runLine(argv, {LANG: 'ja_JP.UTF-8'});
    expect(inLang.out).toMatch(japanese);
    const flagged = await runLine([...argv, '--lang', 'ja'], {LANG: 'C'});
    expect(flagged.out).toBe(inLang.out);
    const en = await runLine([...argv, '--lang', 'en'], {LANG: 'ja_JP.UTF-8'});
    expect(en.out).not.toMatch(/[ぁ-ん]/);
  },
);
