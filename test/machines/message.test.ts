/** Messages: their words in English and by a catalogue, with values, counts and marks. */

import {describe, expect, test} from 'vitest';

import {listed, type Message, messageText, t} from '../../machines/message.ts';

const japanese = new Map([
  ['plan', '計画'],
  ['the {0} of {1}', '{1} の{0}'],
  ['{0} {line|lines} left', '残り {0} 行'],
  ['open{:chat}', '未完了'],
  ['{0}{:cut {1}}', '項目 {1} で切れています ({0})'],
]);

describe.each<[message: Message | string, english: string, translated: string]>([
  [t`plan`, 'plan', '計画'],
  ['plan', 'plan', '計画'],
  [t`the ${t`plan`} of ${'a.md'}`, 'the plan of a.md', 'a.md の計画'],
  [t`the ${'plan'} of ${3}`, 'the plan of 3', '3 のplan'],
  [t`${1} {line|lines} left`, '1 line left', '残り 1 行'],
  [t`${1200} {line|lines} left`, '1,200 lines left', '残り 1200 行'],
  [t`open{:chat}`, 'open', '未完了'],
  [t`${'broken'}{:cut ${7}}`, 'broken', '項目 7 で切れています (broken)'],
  [t`port ${8080}`, 'port 8080', 'port 8080'],
  [t`${'{1}'} and ${'$1'}`, '{1} and $1', '{1} and $1'],
  ['{0} lines', '{0} lines', '{0} lines'],
])('%j', (message, english, translated) => {
  test('in English', () => expect(messageText(message)).toBe(english));
  test('by a catalogue', () => expect(messageText(message, japanese)).toBe(translated));
});

const join = (before: unknown, last: unknown): Message => t`${String(before)}+${String(last)}`;

test('a list is worded from its beginning', () => {
  expect(listed([], join)).toBe('');
  expect(listed(['a'], join)).toBe('a');
  const all = listed(['a', 'b', 'c'], (before, last) => t`${before} or ${last}`);
  expect(messageText(t`${all}`)).toBe('a or b or c');
});
