/** Texts: capped, digested, nearest to another one, and the words of a call; secrets in them; programs. */

import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';

import * as fc from 'fast-check';
import {array, assert, integer, property, string} from 'fast-check';
import {describe, expect, test, it} from 'vitest';

import {canonicalJson, hashOf, quickDigest} from '../../../machines/domain/digest.ts';
import {didYouMean, nearest} from '../../../machines/domain/nearest.ts';
import {argvOf, commandText} from '../../../machines/domain/program.ts';
import {cap} from '../../../machines/domain/text-limits.ts';
import {callSummary, callWords, codeOf} from '../../../machines/domain/tool-facts.ts';
import {namesSecret, secretsIn, withoutSecrets} from '../../../machines/places/secrets.ts';
import {pairs, cells} from '../../support/rows.ts';

const count = /\[… (\d+) characters cut …\]/g;

function missing(text: string): number {
  return [...text.matchAll(count)].reduce((sum, [, left]) => sum + Number(left), 0);
}

describe('a capped text', () => {
  test('is never longer than the limit, its note included', () => {
    assert(
      property(string({maxLength: 500}), integer({min: 60, max: 400}), (text, max) => {
        expect(cap(text, max).length).toBeLessThanOrEqual(max);
      }),
    );
  });

  test('states how much is missing, even after several cuts', () => {
    assert(
      property(
        integer({min: 0, max: 200_000}),
        array(integer({min: 60, max: 100_000}), {minLength: 1, maxLength: 4}),
        (length, limits) => {
          const text = limits.reduce((capped, max) => cap(capped, max), 'a'.repeat(length));
          expect(text.replaceAll(count, '').replaceAll('\n', '').length + missing(text)).toBe(
            length,
          );
        },
      ),
    );
  });

  test("includes the missing characters that a command's own note reports", () => {
    const output = `${'a'.repeat(500)}\n[cut: 100000 bytes of 101000]\n${'b'.repeat(500)}`;
    expect(missing(cap(output, 200))).toBeGreaterThan(100_000);
  });
});

/** Any UTF-16 text, including lone surrogates. */
const texts = fc.string({unit: fc.nat(0xff_ff).map((unit) => String.fromCharCode(unit))});

/** The same value with the members of every object in another order. */
function reordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reordered);
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, reordered(member)]),
  );
}

describe('canonical JSON', () => {
  test('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(reordered(value))).toBe(canonicalJson(value));
      }),
    );
  });

  test('parses back to the original value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test('is equal exactly for equal values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const same = isSame(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b)));
        expect(canonicalJson(a) === canonicalJson(b)).toBe(same);
      }),
    );
  });

  test('leaves undefined members out', () => {
    expect(canonicalJson({b: 1, a: undefined})).toBe('{"b":1}');
  });

  test('keeps a member named __proto__', () => {
    const value: unknown = JSON.parse('{"b":1,"__proto__":{"a":2}}');
    expect(canonicalJson(value)).toBe('{"__proto__":{"a":2},"b":1}');
  });
});

function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [left, right] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  const sameKeys = left.size === right.size && [...left.keys()].every((key) => right.has(key));
  const sameKind = Array.isArray(a) === Array.isArray(b);
  return sameKind && sameKeys && [...left].every(([key, member]) => isSame(member, right.get(key)));
}

describe('a hash', () => {
  test('is the SHA-256 of the canonical JSON, as any other implementation computes it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), texts, (value, text) => {
        const subject = {value, text};
        const expected = createHash('sha256').update(canonicalJson(subject), 'utf8').digest('hex');
        expect(hashOf(subject)).toBe(expected);
      }),
    );
  });
});

describe('a quick digest', () => {
  test('is the same for the same text and seed, and differs for another text', () => {
    fc.assert(
      fc.property(texts, texts, texts, (a, b, seed) => {
        fc.pre(a !== b);
        expect(quickDigest(a, seed)).toBe(quickDigest(a, seed));
        expect(quickDigest(a, seed)).not.toBe(quickDigest(b, seed));
        expect(quickDigest(a, seed)).toMatch(/^[0-9a-z]{1,11}$/);
      }),
    );
  });
});

const commands = ['resume', 'cancel', 'sessions', 'show'];

it.each(
  pairs(`
  sesions ⇒ sessions ¦ sessoins ⇒ sessions ¦ Resume ⇒ resume ¦ shwo ⇒ show ¦ sess ⇒ sessions
`),
)('corrects %s to %s', (slip, meant) => {
  expect(nearest(slip, commands)).toBe(meant);
});

it.each(['fix', 'overview', '', 'x'])('suggests nothing for %j', (word) => {
  expect(nearest(word, commands)).toBeUndefined();
  expect(didYouMean(word, commands)).toBe('');
});

it('compares only the beginning of a hostile name', () => {
  expect(nearest('s'.repeat(10_000_000), commands)).toBeUndefined();
});

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

const value = 'a-long-value';

test.each(
  cells(`
  OPENAI_API_KEY ¦ APIKEY ¦ AWS_SECRET_ACCESS_KEY ¦ GITHUB_PAT ¦ GITHUB_TOKEN ¦ DATABASE_URL
  DB_PASSWORD ¦ DB_PASS ¦ SENTRY_DSN ¦ SSH_KEY ¦ token
`),
)('%s names a secret', (name) => {
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

test('the words are those of the template, with the arguments of the call', () => {
  const program = {argv: ['x', '{a}', '-n={b}', '{{a}}', '{}', '{c}{c}', '{list}']};
  expect(argvOf(program, {a: 'A', b: 2, c: true, list: ['1', '2']})).toEqual(
    cells(`
    x ¦ A ¦ -n=2 ¦ {a} ¦ {} ¦ truetrue ¦ 1 ¦ 2
  `),
  );
  expect(argvOf(program, {})).toEqual(['x', '{a}', '{}']);
});

test('a path is relative to the folder in which the program starts', () => {
  const program = {argv: ['x', '{p}', '{q}'], folder: 'a/b', paths: ['p']};
  expect(argvOf(program, {p: 'c.txt', q: 'c.txt'})).toEqual(['x', '../../c.txt', 'c.txt']);
});

test('a call is summed up, and is known as a command, by its words', () => {
  const facts = {program: {argv: ['if', '{a}']}};
  expect(callSummary('tool', {a: 'b c'}, facts)).toBe(`tool 'if' 'b c'`);
  expect(codeOf(facts, {a: 'b c'}, 'shell')).toBe(`'if' 'b c'`);
  expect(codeOf(facts, {a: 'b c'}, 'sql')).toBeUndefined();
});

test('a shell reads the text of any words as these words', () => {
  const word = fc.string({unit: 'binary'}).map((text) => text.replaceAll('\0', '').toWellFormed());
  fc.assert(
    fc.property(fc.array(word), (words) => {
      const script = `printf '%s\\0' x ${commandText(words)}`;
      const printed = execFileSync('sh', ['-c', script], {encoding: 'utf8'});
      expect(printed.split('\0').slice(1, -1)).toEqual(words);
    }),
    {numRuns: 50},
  );
});
