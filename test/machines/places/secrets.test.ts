/** Secrets in variables and in texts. */

import {expect, test} from 'vitest';

import {namesSecret, secretsIn, withoutSecrets} from '../../../machines/places/secrets.ts';

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
  '%s does not name a secret',
  (name) => expect(namesSecret(name)).toBe(false),
);

test.each(['SSH_AUTH_SOCK', 'AWS_WEB_IDENTITY_TOKEN_FILE', 'MAX_OUTPUT_TOKENS'])(
  '%s does not hold a secret itself',
  (name) => expect(secretsIn({[name]: value})).toEqual([]),
);

test('a URL with a password is a secret under any name, as is the password; the longest secrets come first', () => {
  const url = 'postgres://me:hunter2hunter2@db.test/app';
  expect(secretsIn({CACHE: url})).toEqual([url, 'hunter2hunter2']);
  expect(secretsIn({CACHE: 'https://db.test/app', SHORT_TOKEN: 'abc'})).toEqual([]);
});

test('a caller may add names to the known ones', () => {
  expect(secretsIn({MINE: value}, (name) => name === 'MINE')).toEqual([value]);
});

const begin = ['-----BEGIN', 'OPENSSH PRIVATE KEY-----'].join(' ');
const end = ['-----END', 'OPENSSH PRIVATE KEY-----'].join(' ');

test.each([
  [`key: sk-proj-${'a1B2'.repeat(10)}, then`, 'key: [redacted], then'],
  [`ghp_${'a1B2'.repeat(9)} and`, '[redacted] and'],
  ['id AKIAABCDEFGHIJ234567.', 'id [redacted].'],
  [`a\n${begin}\nabc+/=\n${end}\nb`, 'a\n[redacted]\nb'],
  [`${begin}\nabc+/=`, '[redacted]'],
  ['at postgres://me:hunter2hunter2@db.test/app', 'at postgres://me:[redacted]@db.test/app'],
  ['AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG', 'AWS_SECRET_ACCESS_KEY=[redacted]'],
  ['a.env:3: DB_PASSWORD="correct9horse9battery"', 'a.env:3: DB_PASSWORD="[redacted]"'],
])('%j is redacted as %j', (text, expected) => {
  expect(withoutSecrets(text)).toBe(expected);
});

test.each([
  'postgres://postgres:postgres@localhost:5432/app',
  'redis://user:password1@cache:6379',
  'API_KEY=your-api-key-goes-here',
  'const API_KEY = process.env.API_KEY ?? readKey2();',
  'MAX_OUTPUT_TOKENS=1234567890123456',
  'GITHUB_TOKEN=${{ secrets.GITHUB_TOKEN_2 }}',
  'task-12345678901234567890 is no key',
])('%j is not a secret', (text) => {
  expect(withoutSecrets(text)).toBe(text);
});
