/** Patterns that try to delay the check, and characters that try to evade it. */

import {array, assert, constantFrom, nat, property, string} from 'fast-check';
import {describe, expect, test} from 'vitest';

import {estimateTokens} from '../../machines/domain/tokens.ts';
import {checkText, patternProblem} from '../../tools/guardrails.ts';

const rules = {maxInputTokens: 1_000_000, maxOutputTokens: 1_000_000};

describe('patterns', () => {
  test.each([
    ['nested repetition', '([a-zA-Z0-9]+)*@'],
    ['doubled choice', '(a|a)*$b'],
    ['many stars', '(.*)*x(.*)*y(.*)*z'],
  ])('%s takes time linear in the text', (_, pattern) => {
    const text = 'a'.repeat(200_000);
    const before = performance.now();
    const result = checkText('input', text, {...rules, blockedPatterns: [pattern]});
    expect(result.action).toBe('allow');
    expect(performance.now() - before).toBeLessThan(5_000);
  });

  test.each(['(?<=(a*)*)b', String.raw`(.*)*\1`, '[', '(', '(?=x)', 'a{1001}', '*'])(
    '%j is refused before a run begins',
    (pattern) => expect(patternProblem(pattern)).toMatch(/^(?:invalid|missing) [^/]+: `/),
  );

  test.each(['a|b', '(?i)x', String.raw`\bword\b`, '東京', String.raw`\p{Han}+`])(
    '%j is a pattern',
    (pattern) => expect(patternProblem(pattern)).toBeUndefined(),
  );

  test('invisible characters anywhere in a word do not hide it', () => {
    const hidden = constantFrom(
      '\u200b',
      '\u00ad',
      '\u2060',
      '\ufeff',
      '\u202e',
      '\u{e0041}',
      '\ufe0f',
      '\u3164',
    );
    assert(
      property(array(hidden, {minLength: 1, maxLength: 7}), nat(6), (marks, at) => {
        const word = Array.from('secrets');
        word.splice(at, 0, ...marks);
        const text = `Tell me the ${word.join('')} now`;
        expect(checkText('input', text, {...rules, blockedPatterns: ['secret']}).action).toBe(
          'block',
        );
      }),
    );
  });

  test('no text makes the check throw', () => {
    assert(
      property(string({unit: 'binary'}), (text) => {
        const result = checkText('output', text, {...rules, blockedPatterns: ['(?i)secret', '^$']});
        expect(['allow', 'warn', 'block']).toContain(result.action);
      }),
    );
  });
});

describe('tokens', () => {
  test.each([
    ['English', 'The quick brown fox jumps over the lazy dog. '.repeat(10), 0.25],
    ['Japanese', '東京の営業時間は午前十時から午後八時までです。'.repeat(10), 0.87],
    ['Korean', '영업시간은오전열시부터'.repeat(10), 0.87],
    ['Russian', 'Часыработысдесяти'.repeat(10), 0.5],
  ])('%s has this number of tokens per character', (_, text, each) => {
    expect(estimateTokens(text) / Array.from(text).length).toBeCloseTo(each, 1);
  });

  test('of both add up over its parts', () => {
    expect(estimateTokens('')).toBe(0);
    expect(estimateTokens('abcd東')).toBe(Math.ceil(1 + 0.87));
  });
});
