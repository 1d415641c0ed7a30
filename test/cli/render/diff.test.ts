/** Diffs as rows: each in the colour of its line, with the words that changed in bold. */

import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';

import {diffRows} from '../../../cli/render/diff.ts';
import {plainStyle, type Style} from '../../../cli/render/style.ts';
import {widthOfText, wrap} from '../../../cli/render/text.ts';

/** Colours as marks that can be read. */
const marked: Style = {
  ...plainStyle,
  bold: (text) => (text === '' ? '' : `<${text}>`),
  red: (text) => `r:${text}`,
  green: (text) => `g:${text}`,
};

const rows = (lines: readonly string[], width = 80): readonly string[] =>
  diffRows(lines, marked, width);

test('the words that differ are bold in both lines', () => {
  expect(rows(['-const answer = 41;', '+const answer = 42;'])).toEqual([
    'r:-const answer = <41>;',
    'g:+const answer = <42>;',
  ]);
  expect(rows(['-call(one);', '+call(one, two);'])).toEqual([
    'r:-call(one);',
    'g:+call(one<, two>);',
  ]);
});

describe('no word is bold', () => {
  test.each([
    ['where nothing else is equal', ['-one two', '+three']],
    ['where the numbers of lines differ', ['-one two', '-one', '+one three']],
    ['in added and in kept lines', ['+one two', ' one', '+one three']],
    ['outside of a diff', ['A list:', '- one', '- two']],
  ])('%s', (_, lines) => {
    expect(rows(lines).join('')).not.toContain('<');
  });
});

test('several lines are compared one by one', () => {
  expect(rows(['-a 1', '-b 2', '+a 3', '+b 4', ' c', '-d 5', '+d 6'])).toEqual([
    'r:-a <1>',
    'r:-b <2>',
    'g:+a <3>',
    'g:+b <4>',
    ' c',
    'r:-d <5>',
    'g:+d <6>',
  ]);
});

test('a changed part continues in the next row', () => {
  expect(rows(['-a 123456 z', '+a 654321 z'], 6)).toEqual([
    'r:-a <123>',
    'r:<456> z',
    'g:+a <654>',
    'g:<321> z',
  ]);
});

test('colours change neither text nor width', () => {
  const line = fc
    .tuple(fc.constantFrom('-', '+', ' ', '@@ '), fc.string({unit: 'grapheme', maxLength: 40}))
    .map(([sign, text]) => sign + text.replaceAll(/[<>\n]/g, ''));
  fc.assert(
    fc.property(fc.array(line, {maxLength: 12}), fc.integer({min: 4, max: 30}), (lines, width) => {
      const plain = diffRows(lines, plainStyle, width);
      expect(plain).toEqual(lines.flatMap((each) => wrap(each, width)));
      const coloured = rows(lines, width).map((row) => row.replaceAll(/^[rg]:|[<>]/g, ''));
      expect(coloured).toEqual(plain);
      expect(plain.filter((row) => widthOfText(row) > width)).toEqual([]);
    }),
  );
});

test('a file of long lines is compared in a moment', () => {
  const long = 'word '.repeat(20_000);
  const before = performance.now();
  expect(rows([`-${long}one`, `+${long}two`], 100).length).toBeGreaterThan(1_000);
  expect(performance.now() - before).toBeLessThan(2_000);
});
