/** Escaping of text from models, tools and files. */

import {array, assert, integer, property} from 'fast-check';
import {expect, test} from 'vitest';

import {escapeForTerminal, escapeLine} from '../../tools/escape.ts';

test.each([
  ['\u001b[2J\u001b[HApproved \u2713', String.raw`\x1b[2J\x1b[HApproved ` + '\u2713'],
  ['\u001b[1A\u001b[2K', String.raw`\x1b[1A\x1b[2K`],
  ['\u009d52;c;AAAA\u009c', String.raw`\x9d52;c;AAAA\x9c`],
  ['\u001bP\u001b\\', String.raw`\x1bP\x1b` + '\\'],
  ['rm -rf /\rls', String.raw`rm -rf /\rls`],
  ['rm\b\bls', String.raw`rm\b\bls`],
  ['ls \u202e# fr- mr', 'ls <U+202E># fr- mr'],
  ['\u2066a\u2069', '<U+2066>a<U+2069>'],
  ['inv\u200boice', 'inv<U+200B>oice'],
  ['\u{e0041}', '<U+E0041>'],
  ['\u3164', '<U+3164>'],
  ['\ud800', '<U+D800>'],
  ['\u007f\u0000', String.raw`\x7f\x00`],
  ['a\u2028b', 'a<U+2028>b'],
  ['line\n\tend', 'line\n\tend'],
  ['日本語 é \u{1f600} \u2764\ufe0f', '日本語 é \u{1f600} \u2764\ufe0f'],
])('%j is shown as %j', (text, shown) => {
  expect(escapeForTerminal(text)).toBe(shown);
});

test('a name stays on one line', () => {
  expect(escapeLine('a\nb\tc')).toBe(String.raw`a\nb\tc`);
});

/** The content of the table, by Unicode's own names. */
const unsafe = /^[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]$/u;

test('every character of the basic plane that controls or hides text is escaped, and no other', () => {
  const wrong: string[] = [];
  for (let code = 0; code <= 0xffff; code += 1) {
    const character = String.fromCharCode(code);
    const isSpelled = escapeLine(character) !== character;
    if (isSpelled !== (unsafe.test(character) && code !== 0xfe0f)) wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
});

test('escaping is idempotent, and yields well-formed text', () => {
  assert(
    property(array(integer({min: 0, max: 0x10ffff})), (codes) => {
      const text = String.fromCodePoint(...codes);
      const shown = escapeForTerminal(text);
      expect(escapeForTerminal(shown)).toBe(shown);
      expect(shown.isWellFormed()).toBe(true);
    }),
  );
});
