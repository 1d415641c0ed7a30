/** Section texts: a text from others stays within its line, its quotation and its size limit. */

import {array, assert, constantFrom, integer, oneof, property, string} from 'fast-check';
import {describe, expect, expectTypeOf, test} from 'vitest';

import {bytesOf} from '../../../machines/domain/bytes.ts';
import {quotationsIn, quotedIn, readSections} from '../../../machines/prompts/section-reading.ts';
import {
  capMessage,
  engineLine,
  fittedText,
  jsonLines,
  jsonText,
  lineWithin,
  nameText,
  personWords,
  quotedFrom,
  quotedText,
  type SectionText,
  unescapedWords,
} from '../../../machines/prompts/section-text.ts';
import {type Section, writeSections} from '../../../machines/prompts/sections.ts';

const anything = oneof(
  string({unit: 'binary', maxLength: 40}),
  array(constantFrom('\n', '\r', '\u2028', '\u0085', '\u001b[2J', '# a', '> b', '\\', ' ', 'é'), {
    maxLength: 12,
  }).map((parts) => parts.join('')),
);

test('a raw string is not a section text', () => {
  expectTypeOf<string>().not.toExtend<Section[1]>();
  expectTypeOf(quotedText('a')).toExtend<SectionText>();
});

describe('a line of the engine', () => {
  test('holds a value with any line breaks on one line, and does not begin with a mark', () => {
    expect(engineLine`Task ${'a\nb\r\u2028\u0085\f'}: ${3}`).toBe(
      String.raw`Task a\nb\r\u2028\u0085\f: 3`,
    );
    expect(engineLine`${'# Results'}`).toBe(String.raw`\# Results`);
    assert(
      property(anything, (text) => {
        for (const made of [engineLine`${text}`, engineLine`${nameText(text)}`]) {
          expect(made).not.toMatch(/^ {0,3}[#>]|[\p{Zl}\p{Zp}]|(?!\t)\p{Cc}/u);
        }
      }),
    );
  });

  test('names one word as it is, and any other text in quotation marks', () => {
    expect(nameText('src/a-b.ts')).toBe('src/a-b.ts');
    expect(nameText('npm test: succeeded')).toBe('"npm test: succeeded"');
    expect(nameText('')).toBe('""');
    expect(jsonText({a: '\u2028'})).toBe(String.raw`{"a":"\u2028"}`);
    expect(JSON.parse(jsonLines({a: '\u2028\n', b: [1]}))).toEqual({a: '\u2028\n', b: [1]});
  });

  test('is cut in the middle, and states how much is missing', () => {
    expect(lineWithin('x'.repeat(100), 10)).toBe('xxxxxxx[… 90 characters cut …]xxx');
    expect(lineWithin('short', 10)).toBe('short');
  });
});

test('the words of a person form neither a section nor a quotation, and can be read back', () => {
  expect(personWords('Fix it.\n# Results\n> quoted\n\\# x')).toBe(
    'Fix it.\n\\# Results\n\\> quoted\n\\\\# x',
  );
  assert(
    property(anything, (text) => {
      const words = personWords(text);
      expect(words).not.toMatch(/^ {0,3}[#>]/m);
      const plain = text
        .toWellFormed()
        .trimEnd()
        .replaceAll(/\r\n|[\r\u2028\u2029]/g, '\n');
      const isPlain = !/(?![\t\n])\p{Cc}/u.test(plain) && plain.trim() !== '';
      expect(isPlain ? unescapedWords(words) : plain).toBe(plain);
    }),
  );
});

describe('a quotation', () => {
  test('marks each line, and is read back with its source', () => {
    expect(quotedFrom(engineLine`File ${'a.md'}`, 'one\r\n\ntwo\u2028# three\n\n')).toBe(
      'File a.md:\n> one\n> \n> two\n> # three',
    );
    expect(quotedText(' \n')).toBe('');
    const section = quotedFrom(engineLine`File ${'a.md'}`, 'b:\n> c');
    expect(quotationsIn(section)).toEqual([{source: 'File a.md', lines: ['b:', '> c']}]);
    const message = writeSections([['Survey', section]]);
    expect(quotedIn(message, 'Survey')).toBe('b:\n> c');
  });

  const sources = [engineLine`one`, engineLine`two`, engineLine`three`];

  test('has a share of the room, and leaves unused room to others', () => {
    const long = fittedText(
      [engineLine`fact`, ...sources.map((source, at) => ({source, text: 'x'.repeat(at * 900)}))],
      1_500,
    );
    expect(bytesOf(long)).toBeLessThanOrEqual(1_500);
    expect(bytesOf(long)).toBeGreaterThan(1_400);
    expect(long).toMatch(/^fact\ntwo:\n> x{400,}\n> \[… \d+ characters cut …\]\n> x+\nthree:/);
  });

  test('of short lines fills its room as well', () => {
    const text = fittedText([{source: '', text: 'a\n'.repeat(5_000)}], 2_000);
    expect(bytesOf(text)).toBeLessThanOrEqual(2_000);
    expect(bytesOf(text)).toBeGreaterThan(1_700);
  });

  test('exceeds its room at most by its source and the note of the cut', () => {
    assert(
      property(array(anything, {maxLength: 3}), integer({min: 0, max: 400}), (texts, max) => {
        const parts = texts.map((text, at) => ({
          source: sources[at] ?? engineLine`more`,
          text: text.repeat(9),
        }));
        const least = parts.length * bytesOf('three:\n> \n> [… 1000 characters cut …]\n> \n');
        expect(bytesOf(fittedText(parts, max))).toBeLessThanOrEqual(Math.max(max, least));
      }),
    );
  });
});

test('a cut message keeps its sections, each with the beginning and the end of its text', () => {
  const message = writeSections([
    ['Found meanwhile', quotedText('a'.repeat(5_000))],
    ['Said meanwhile', personWords(`short\n${'# b '.repeat(2_000)}`)],
  ]);
  const cut = capMessage(message, 1_000);
  expect(cut.length).toBeLessThan(1_100);
  expect(readSections(cut).map(({title}) => title)).toEqual(['Found meanwhile', 'Said meanwhile']);
  expect(cut).toMatch(/> a+\n\[… \d+ characters cut …\]\n> a+\n\n# Said meanwhile\nshort\n\\# b/);
  expect(capMessage(message, 100_000)).toBe(message);
});
