/** Which variables hold secrets. */

import {expect, test} from 'vitest';

import {namesSecret, secretsIn} from '../../../machines/domain/secrets.ts';

const value = 'a-long-value';

test.each([
  'OPENAI_API_KEY',
  'APIKEY',
  'AWS_SECRET_ACCESS_KEY',
  'GITHUB_PAT',
  'GITHUB_TOKEN',
  'DATABASE_URL',
  'DB_PASSWORD',
  'DB_PASS',
  'SENTRY_DSN',
  'SSH_KEY',
  'token',
])('%s names a secret', (name) => {
  expect(namesSecret(name)).toBe(true);
  expect(secretsIn({[name]: value})).toEqual([value]);
});

test.each(['PATH', 'PWD', 'OLDPWD', 'HOME', 'KEYBOARD', 'key', 'PATTERN', 'COMPASS', 'AUTHOR'])(
  '%s does not',
  (name) => expect(namesSecret(name)).toBe(false),
);

test.each(['SSH_AUTH_SOCK', 'AWS_WEB_IDENTITY_TOKEN_FILE', 'MAX_OUTPUT_TOKENS'])(
  '%s holds no secret itself',
  (name) => expect(secretsIn({[name]: value})).toEqual([]),
);

test('an address is a secret with the password in it, whatever its name; the longest come first', () => {
  const url = 'postgres://me:hunter2hunter2@db.test/app';
  expect(secretsIn({CACHE: url})).toEqual([url, 'hunter2hunter2']);
  expect(secretsIn({CACHE: 'https://db.test/app', SHORT_TOKEN: 'abc'})).toEqual([]);
});

test('a name may be given beside those that are known', () => {
  expect(secretsIn({MINE: value}, (name) => name === 'MINE')).toEqual([value]);
});
