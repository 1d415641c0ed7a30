/** The language of the screen: its source, and the first message to a person without a key. */

import {expect, test} from 'vitest';

import {languageOf} from '../../../cli/language.ts';
import {warningText} from '../../../cli/render/warning.ts';

test.each([
  [[], {}, 'en'],
  [[], {LANG: 'ja_JP.UTF-8'}, 'ja'],
  [[], {LANG: 'ja'}, 'ja'],
  [[], {LANG: 'C.UTF-8'}, 'en'],
  [[], {LANG: 'de_DE.UTF-8'}, 'en'],
  [[], {LANG: 'en_US.UTF-8', LC_MESSAGES: 'ja_JP.UTF-8'}, 'ja'],
  [[], {LANG: 'ja_JP.UTF-8', LC_MESSAGES: 'ja_JP.UTF-8', LC_ALL: 'C'}, 'en'],
  [['--lang', 'en'], {LANG: 'ja_JP.UTF-8'}, 'en'],
  [['--lang=ja'], {LANG: 'en_US.UTF-8'}, 'ja'],
  [['--lang', 'en', 'ask', '--lang', 'ja'], {}, 'ja'],
  [['--lang', 'fr'], {LANG: 'ja_JP.UTF-8'}, 'ja'],
  [['--', '--lang', 'ja'], {}, 'en'],
])('%j with %j: %s', (argv, env, language) => {
  expect(languageOf(argv, env)).toBe(language);
});

test('the first warning without a key', () => {
  const message =
    'No model is configured: using the built-in offline model (rules only). ' +
    'Set ANTHROPIC_API_KEY or OPENAI_API_KEY, or use -m.';
  expect(warningText(message, {})).toBe(`warning: ${message}`);
  expect(warningText(message, {language: 'ja'})).toBe(
    '警告: モデルが設定されていません。内蔵のオフラインモデル（規則のみ）を使います。' +
      'ANTHROPIC_API_KEY か OPENAI_API_KEY を設定するか、-m を使ってください。',
  );
});
