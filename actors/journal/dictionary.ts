/**
 * The form of a body on disk, which saves space: one character replaces each phrase that nearly all bodies have. The characters
 * are control characters, which JSON always escapes.
 */

import {escapePattern} from '../../machines/domain/escape-pattern.ts';

/** By the code of the character. Journals on disk depend on them: add phrases, but don't change any. */
const dictionary: ReadonlyMap<number, string> = new Map([
  [1, '{"type":"settled","key":"i/interaction/form/'],
  [2, '{"type":"requested","key":"i/interaction/form/'],
  [3, 'execution/task:'],
  [4, '/turns/model#'],
  [5, '/turns/call:'],
  [6, '/run#1","request":"'],
  [7, '","request":"'],
  [11, '","outcome":{"kind":"ok","text":"'],
  [12, '","outcome":{"kind":"succeeded","text":"'],
  [14, '","usage":{"inputTokens":'],
  [15, ',"outputTokens":'],
  [16, ',"cachedTokens":'],
  [17, ',"costUsd":'],
  [18, '},"calls":[{"id":"'],
  [19, '","name":"'],
  [20, '","args":{"'],
  [21, '}]},"ms":'],
  [22, ',"digest":"'],
  [23, '","ran":'],
  [24, '{"tool":"'],
  [25, '","ok":true,"did":"'],
  [26, '","target":"'],
  [27, '"status":"succeeded","text":"'],
  [28, '/turns/model/model#'],
]);

const letters = new Map(
  [...dictionary].map(([code, phrase]) => [phrase, String.fromCodePoint(code)]),
);
const anyPhrase = new RegExp(
  [...letters.keys()].map((phrase) => escapePattern(phrase)).join('|'),
  'g',
);
const anyLetter = new RegExp(`[${[...letters.values()].join('')}]`, 'g');

export function shorten(body: string): string {
  return body.replace(anyPhrase, (phrase) => letters.get(phrase) ?? phrase);
}

/** Reverses {@link shorten}. */
export function lengthen(text: string): string {
  return text.replace(anyLetter, (letter) => dictionary.get(letter.charCodeAt(0)) ?? letter);
}
