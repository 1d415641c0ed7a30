import {expect, test} from 'vitest';

import {callWords} from '../../../machines/domain/tool-facts.ts';

const searches = {does: 'searches the files for {pattern}'};

test.each([
  ['cart', 'searches the files for cart'],
  [String.raw`\bcart\b`, 'searches the files for cart'],
  ['What is left (if any)?', 'searches the files for What is left (if any)?'],
  [String.raw`\b(?:def|class)\s+cart`, 'searches the files for a pattern with def, class, cart'],
  [String.raw`(?<![\w$])cart`, 'searches the files for a pattern with cart'],
  [
    String.raw`^(?=.*(?:(?<![A-Za-z])(?:retr|Retr|RETR)|(?<=[a-z])Retr))(?=.*limit)`,
    'searches the files for a pattern with retr, limit',
  ],
  ['(?:a\u001Bb|\u0007c)', 'searches the files for a pattern with a, b, c'],
  [
    String.raw`(?:${'long_'.repeat(20)})`,
    `searches the files for a pattern with ${'long_'.repeat(7)}lo…`,
  ],
  [String.raw`^\s+$`, 'searches the files for a pattern'],
])('a search for %j reads as a sentence', (pattern, words) => {
  expect(callWords({pattern}, searches)).toBe(words);
});

test('a tool that does not describe its action has no words', () => {
  expect(callWords({pattern: 'cart'}, {summary: '{pattern}'})).toBeUndefined();
  expect(callWords({pattern: 'cart'})).toBeUndefined();
});
