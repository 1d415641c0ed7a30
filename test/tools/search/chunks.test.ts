/** Chunks: verbatim, whole characters, in their sections, and nothing lost between them. */

import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';

import {type Chunk, chunksOf} from '../../../tools/search/chunks.ts';
import {bestPassage} from '../../../tools/search/passage.ts';
import {parseQuery} from '../../../tools/search/query.ts';
import {cpuMs} from '../../support/cpu-time.ts';
import {boundariesOf, generatedText, lineAt} from './texts.ts';

function split(text: string, path = 'a.md'): Chunk[] {
  return [...chunksOf(path, text)];
}

function headings(text: string, path = 'a.md'): string[] {
  return split(text, path).map(({heading}) => heading);
}

describe('chunks of any text', () => {
  test('are verbatim, know their lines, and cut no character in two', () => {
    fc.assert(
      fc.property(generatedText, fc.constantFrom('a.md', 'a.ts', 'a'), (text, path) => {
        const boundaries = boundariesOf(text);
        for (const {start, end, line, text: piece} of split(text, path)) {
          expect(text.slice(start, end)).toBe(piece);
          expect([boundaries.has(start), boundaries.has(end)]).toEqual([true, true]);
          expect(line).toBe(lineAt(text, start));
        }
      }),
    );
  });

  test('contain everything except blanks, each with a little of the one before', () => {
    fc.assert(
      fc.property(generatedText, (text) => {
        let covered = 0;
        let before = -1;
        for (const {start, end} of split(text)) {
          expect(start).toBeGreaterThan(before);
          expect(text.slice(covered, Math.max(covered, start)).trim()).toBe('');
          covered = Math.max(covered, end);
          before = start;
        }
        expect(text.slice(covered).trim()).toBe('');
      }),
    );
  });

  test('have the intended size', () => {
    const sentence = 'A sentence of about fifty characters, give or take. ';
    const chunks = split(sentence.repeat(500));
    for (const {text, start, end} of chunks.slice(0, -1)) {
      expect(text.length).toBeGreaterThan(800);
      expect(text.length).toBeLessThanOrEqual(1_200);
      const next = chunks.find((other) => other.start > start);
      expect(end - (next?.start ?? 0)).toBeGreaterThanOrEqual(100);
      expect(end - (next?.start ?? 0)).toBeLessThanOrEqual(300);
      expect(text).toMatch(/^A sentence .*\. $/);
    }
  });

  test.each([
    ['flags without a seam', '\u{1f1ef}\u{1f1f5}'.repeat(100_000)],
    ['one character of many marks', `a${'\u0301'.repeat(200_000)}`],
    ['many characters of many marks', `a${'\u0301'.repeat(2_000)}`.repeat(200)],
    ['a single line', 'x'.repeat(1_000_000)],
    ['line ends', '\r\n'.repeat(300_000)],
    ['headings', '# a\n'.repeat(100_000)],
    ['brackets', '.)'.repeat(300_000)],
  ])('are made in time of %s', (_, text) => {
    const started = cpuMs();
    const chunks = split(text);
    expect(chunks.every(({start, end, text: piece}) => piece.length === end - start)).toBe(true);
    expect(cpuMs() - started).toBeLessThan(10_000);
  });
});

describe('sections', () => {
  test('carry the headings above them, from the title on', () => {
    const text = '# A\n\none\n\n## B\n\ntwo\n\n### C ##\nthree\n## D\nfour\n# E\nfive\n';
    expect(split(text).map(({heading, line}) => `${line} ${heading}`)).toEqual([
      '1 A',
      '5 A > B',
      '9 A > B > C',
      '11 A > D',
      '13 E',
    ]);
  });

  test('begin at headings only: not in fences, not without a space, not at too deep a level', () => {
    const text = '# A\n```sh\n# not\n~~~\n```\n#no\n####### no\n    # code\n\\# no\n';
    expect(headings(text)).toEqual(['A']);
    expect(headings('~~~~\n# not\n~~~\n~~~~\n# B\nx')).toEqual(['', 'B']);
  });

  test('with only a heading belong to the next one', () => {
    expect(split('# A\n\n## B\n\ntext\n').map(({text, heading}) => [heading, text])).toEqual([
      ['A > B', '# A\n\n## B\n\ntext\n'],
    ]);
    expect(headings('intro\n\n# A\n')).toEqual(['', 'A']);
    expect(split(' \n\n')).toEqual([]);
  });

  test.each([
    ['a.ts', '/** What it does.\n *\n * More. */\ncode', 'What it does.'],
    ['a.ts', '/**\n * First\n * second.\n */\ncode', 'First second.'],
    ['a.sh', '#!/bin/sh\n# Starts it.\n# Twice.\necho', 'Starts it. Twice.'],
    ['a.py', '"""Docs of it."""\nx', 'Docs of it.'],
    ['a.ts', 'code\n// later', ''],
    ['notes.txt', 'Title here\n\ntext', 'Title here'],
    ['LICENSE', 'MIT License\n', 'MIT License'],
    ['a.md', 'no heading', ''],
  ])('of %s have the title that %j gives', (path, text, expected) => {
    expect(headings(text, path)).toEqual([expected]);
  });
});

function passage(text: string, question: string): string {
  const query = parseQuery(question);
  if (!query) throw new Error('the question has no words');
  const {start, end} = bestPassage(text, query);
  return text.slice(start, end);
}

describe('a passage', () => {
  const filler = 'Nothing of interest is said in here. '.repeat(12);

  test('is cut at sentences around the highest density of words from the question', () => {
    const text = `${filler}Tea is hot. Green tea is served at five. Cake is extra. ${filler}`;
    const found = passage(text, 'When is green tea served?');
    expect(found).toMatch(/^Tea is hot\. Green tea is served at five\.|Nothing .*/);
    expect(found).toContain('Green tea is served at five.');
    expect(found).toMatch(/\.$/);
    expect(found.length).toBeLessThanOrEqual(400);
  });

  test('takes lines and Japanese sentences whole', () => {
    const text = `${'関係のない文です。'.repeat(60)}返品は14日以内です。\n次の行です。`;
    const found = passage(text, '返品は何日以内？');
    expect(found).toMatch(/^関係のない文です。/);
    expect(found).toMatch(/返品は14日以内です。\n次の行です。$/);
  });

  test('keeps a blank that ends a character', () => {
    expect(passage('\u{600} ', 'tea')).toBe('\u{600} ');
  });

  test('lies within its text, at whole characters, without blanks around it', () => {
    fc.assert(
      fc.property(generatedText, (text) => {
        const query = parseQuery('tea 営業時間 fox');
        for (const {start: from, text: chunk} of split(text)) {
          const {start, end} = bestPassage(
            chunk,
            query ?? {terms: [], characters: [], expression: ''},
          );
          expect(chunk.slice(start, end).trim()).not.toBe('');
          const boundaries = boundariesOf(text);
          expect([boundaries.has(from + start), boundaries.has(from + end)]).toEqual([true, true]);
        }
      }),
    );
  });
});
