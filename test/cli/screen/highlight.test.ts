/** Colours for code and Markdown: which words have them, and that the text stays as it is. */

import * as fc from 'fast-check';
import {expect, test} from 'vitest';

import {plainStyle, type Style} from '../../../cli/render/style.ts';
import {loadHighlight} from '../../../cli/screen/highlight.ts';
import {markdownTheme} from '../../../cli/screen/markdown.ts';

const highlight = await loadHighlight();

/** Colours as marks that can be read. */
const marked: Style = {
  ...plainStyle,
  cyan: (text) => `k:${text}`,
  green: (text) => `s:${text}`,
  dim: (text) => `c:${text}`,
};

test.each([
  ['ts', 'const a = "b"; // why', 'k:const a = s:"s:bs:"; c:// why'],
  ['Python', 'return "a"  # why', 'k:return s:"a"  c:# why'],
  ['sh', 'echo "$HOME"', 'echo s:"$HOME"'],
  ['sql', "select 'a'", "k:select s:'a'"],
])('in %s', (language, code, coloured) => {
  expect(highlight(code, language, marked)).toEqual([coloured]);
});

test('a comment of several lines is one in each of them', () => {
  expect(highlight('/* a\nb */\nreturn', 'js', marked)).toEqual(['c:/* a', 'c:b */', 'k:return']);
});

test('code of an unknown language, without one, and long code keep their colour', () => {
  const code = 'return 1\n'.repeat(2_000);
  expect(highlight('return 1', 'klingon', marked)).toEqual(['return 1']);
  expect(highlight('return 1', undefined, marked)).toEqual(['return 1']);
  expect(highlight(code, 'js', marked)).toEqual(code.split('\n'));
});

test('colours leave all code as it is', () => {
  const piece = fc.oneof(
    fc.string({unit: 'grapheme'}),
    fc.constantFrom('"', "'", '`', '/*', '*/', '//', '#', '\n', '${', '}', '<', '<a>', '"""', '\\'),
  );
  const languages = fc.constantFrom(
    'ts',
    'tsx',
    'py',
    'sh',
    'html',
    'css',
    'md',
    'rs',
    'yaml',
    'diff',
  );
  fc.assert(
    fc.property(fc.array(piece), languages, (pieces, language) => {
      const code = pieces.join('');
      expect(highlight(code, language, plainStyle).join('\n')).toBe(code);
    }),
    {numRuns: 300},
  );
});

test('Markdown has the colours of the screen, and its code those of its language', () => {
  const {highlightCode, ...paints} = markdownTheme(marked, highlight);
  expect(highlightCode('return', 'js')).toEqual(['k:return']);
  expect(paints.link('here')).toBe('k:here');
  expect(paints.quoteBorder('│ ')).toBe('c:│ ');
  const {highlightCode: _, ...plain} = markdownTheme(plainStyle, highlight);
  expect(Object.values(plain).map((paint) => paint('text'))).toEqual(
    Object.keys(plain).map(() => 'text'),
  );
});
