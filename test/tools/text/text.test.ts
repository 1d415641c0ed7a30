/** Texts: words, lines, patches, JSON, data files and the names of places. */

import {mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

import {createTwoFilesPatch} from 'diff';
import * as fc from 'fast-check';
import {array, assert, asyncProperty, pre, stringMatching, integer, property} from 'fast-check';
import {rolldown} from 'rolldown';
import {describe, expect, test, afterAll, beforeAll} from 'vitest';

import {addedLines} from '../../../machines/domain/patch.ts';
import {dataFiles} from '../../../rolldown.data-files.ts';
import {escapeForTerminal, escapeLine} from '../../../tools/escape.ts';
import {parseQuery} from '../../../tools/search/query.ts';
import {rank} from '../../../tools/search/searcher.ts';
import {createWriter, openIndex} from '../../../tools/search/update.ts';
import {dataFile} from '../../../tools/text/data-file.ts';
import {readPatch} from '../../../tools/text/patch.ts';
import {stemOf, textWords} from '../../../tools/text/words.ts';
import {recordedDiffs} from '../../fixtures/recorded-diffs.ts';
import {cells, pairs} from '../../support/rows.ts';

/** Characters with a meaning in FTS5 expressions, and texts that broke other tokenizers. */
const hostile: readonly string[] = [
  ...cells(`
  tea" ¦ "tea ¦ ""tea"" ¦ tea' OR '1'='1 ¦ tea* ¦ *tea ¦ ^tea ¦ NEAR(tea coffee, 2)
  tea NEAR/2 coffee ¦ tea AND NOT coffee ¦ AND ¦ OR OR OR ¦ NOT tea ¦ -tea ¦ +tea ¦ path: tea
  {path body} : tea ¦ - {body} : tea ¦ rowid: 1 ¦ words MATCH tea ¦ (tea ¦ tea) ¦ ((((((((tea
  tea; DROP TABLE words; -- ¦ tea\u0000coffee ¦ tea\ud800 ¦ \udc00tea ¦ \u202etea
  tea 🇯🇵👨\u200d👩\u200d👧 ¦ téa tea ¦ %tea% ¦ ?1 :tea @tea $tea
`),
  ...cells(String.raw`
  \tea\
`),
  '\ufeff tea',
];

function termsOf(question: string): string[] | undefined {
  return parseQuery(question)?.terms.map(([term]) => term);
}

function createIndex(texts: readonly string[]): (question: string) => string[] | undefined {
  const index = openIndex();
  const writer = createWriter(index, '/');
  for (const [place, patched] of texts.entries()) {
    const words = {path: 'file', heading: '', body: textWords(patched).join(' '), characters: ''};
    const row = {start: 0, line: 1, heading: '', text: patched, words};
    writer.put({path: `${place}`, stamp: '', hash: `${place}`, rows: [row]});
  }
  writer.flush();
  const ids = texts.map((_, place) => place + 1);
  return (question) => {
    const query = parseQuery(question);
    return query && rank(index, ids, query).map(({path}) => path);
  };
}

describe('words', () => {
  test.each(
    pairs(`
    Tea is SERVED. ⇒ tea is serv ¦ retryLimit ⇒ retrylimit retri limit
    HTTPServer ⇒ httpserv http server ¦ max_plan_revisions ⇒ maxplanrev max plan revis
    sha256 ⇒ sha256 sha 256 ¦ top-k a.b ⇒ top k a b ¦ Ｆｕｌｌ ﬁt ① ⇒ ful fit 1
    Café CAFÉ Škoda ⇒ caf caf skoda ¦ Öl ölig ⇒ ol olig ¦ 東京店の営業時間 ⇒ 東京 店 の 営業 時間
    ﾀﾞﾝﾎﾞｰﾙとガラス ⇒ ダンボール と ガラス ¦ コンピューター ⇒ コンピュータ
    届いた 届けます 取り消す ⇒ 届 い た 届 ます 取り消 ¦ API制限429 ⇒ api 制限 429
    我们在北京 ⇒ 我们 在 北京 ¦ ภาษาไทยง่าย ⇒ ภาษา ไทย ง่าย ¦ 저장소의 문서 ⇒ 저장소의 문서
    مرحبا بالعالم ⇒ مرحبا بالعالم ¦ 𞤀𞤁 ⇒ 𞤢𞤣 ¦ ... 😀 — ́ ⇒
  `),
  )('of %j are %j', (patched, expected) => {
    expect(textWords(patched).join(' ')).toBe(expected);
  });

  test.each([
    ['revision', 'revise', 'revisions', 'revised'],
    ['approve', 'approval', 'approved', 'approving'],
    ['evaluate', 'evaluation', 'evaluator', 'evaluated'],
    ['configuration', 'configurations'],
    ['limit', 'limits', 'limited', 'limiting'],
    ['run', 'runs', 'running'],
    ['add', 'adds', 'added', 'adding'],
    ['plan', 'plans', 'planned', 'planner'],
    ['install', 'installs', 'installed'],
    ['control', 'controlled', 'controls'],
    ['dependency', 'dependencies', 'depend', 'dependent'],
    ['apply', 'applies', 'applied', 'applying'],
    ['process', 'processes', 'processing'],
    ['返す', '返した', '返せる'],
  ])('of the same origin share a stem: %s', (word, ...others) => {
    expect(new Set(others.map(stemOf))).toEqual(new Set([stemOf(word)]));
  });

  test.each(
    pairs(`
    string ⇒ str ¦ status ⇒ state ¦ need ⇒ ne ¦ event ⇒ even ¦ カラス ⇒ ガラス
  `),
  )('that are different stay different: %s and %s', (one, other) => {
    expect(stemOf(one)).not.toBe(stemOf(other));
  });

  test('are letters, digits and marks only, for any text', () => {
    fc.assert(
      fc.property(fc.string({unit: 'binary', maxLength: 60}), (patched) => {
        for (const word of textWords(patched)) expect(word).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
      }),
      {examples: [['⺀'], ['៙ ⻌ 山⺀川']]},
    );
  });
});

describe('questions', () => {
  const find = createIndex(['A cup of tea.', 'Coffee at the harbour.']);

  test.each(hostile)('are never parsed as a query language: %j', (question) => {
    expect(() => find(question)).not.toThrow();
  });

  test.each([
    ['tea*', ['0']],
    ['te*', []],
    ['-tea', ['0']],
    ['NOT tea', ['0']],
    ['cup NEAR tea', ['0']],
    ['body: coffee', ['1']],
    ['"tea coffee"', ['0', '1']],
  ])('%j finds %j', (question, expected) => {
    expect(find(question)?.toSorted()).toEqual(expected);
  });

  test('of any length are answered', () => {
    expect(find(`tea ${'a'.repeat(1_900)}`)).toEqual(['0']);
    expect(find(`tea ${Array.from({length: 400}, (_, index) => `w${index}`).join(' ')}`)).toEqual([
      '0',
    ]);
  });

  test('never fail, for any question', () => {
    const patched = fc.oneof(fc.string({unit: 'binary'}), fc.string(), fc.constantFrom(...hostile));
    fc.assert(
      fc.property(fc.array(patched, {maxLength: 4}), (parts) => {
        expect(() => find(parts.join(' '))).not.toThrow();
      }),
      {numRuns: 500},
    );
  });

  test('find a text by any of its own words', () => {
    fc.assert(
      fc.property(fc.string({unit: 'grapheme', maxLength: 80}), (patched) => {
        const findIt = createIndex([patched]);
        expect(findIt(patched)).toEqual(textWords(patched).length > 0 ? ['0'] : undefined);
      }),
      {numRuns: 100},
    );
  });

  test('lose the stop words, in English and in Japanese', () => {
    expect(termsOf('How do I use the planner?')).toEqual(['use', 'plan']);
    expect(termsOf('大阪の店は何時からですか')).toEqual(['大阪', '店', '何時']);
    expect(termsOf('how is it')).toEqual(['how', 'is', 'it']);
  });
});

const hunk = '@@ -1 +1 @@\n-a\n+b\n';

test.each([
  ['of git', 'diff --git a/x b/x\n--- a/x\n+++ b/x\n'],
  ['of git with other prefixes', 'diff --git i/x w/x\n--- i/x\n+++ w/x\n'],
  ['of git without prefixes', 'diff --git x x\n--- x\n+++ x\n'],
  ['of diff, with times', '--- x\t2026-01-01 00:00:00\n+++ x\t2026-01-02 00:00:00\n'],
  ['with a message before it', 'From 1\nSubject: y\n\n---\n x | 2 +-\n\n--- a/x\n+++ b/x\n'],
])('a diff %s names the file and its lines', async (_, head) => {
  expect(await readPatch(head + hunk)).toEqual([
    {path: 'x', did: 'modified', hunks: [{oldStart: 1, newStart: 1, lines: ['-a', '+b']}]},
  ]);
});

test('the signature of a mail is not a line of the diff', async () => {
  const [file] = await readPatch(`--- a/x\n+++ b/x\n${hunk}-- \n2.47.1\n\n`);
  expect(file?.hunks[0]?.lines).toEqual(['-a', '+b']);
});

test('names outside of ASCII are decoded', async () => {
  const name = String.raw`"a/\346\227\245.txt"`;
  const text = `diff --git ${name} ${name.replace('a/', 'b/')}\n--- ${name}\n+++ ${name.replace('a/', 'b/')}\n${hunk}`;
  expect(await readPatch(text)).toMatchObject([{path: '日.txt'}]);
});

test.each([
  ['new file mode 100644\nindex 0..e69de29\n', {did: 'added', hunks: []}],
  ['new file mode 100755\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+b\n', {mode: '100755'}],
  ['deleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n', {did: 'deleted'}],
  ['old mode 100644\nnew mode 100755\n', {did: 'modified', mode: '100755'}],
  ['similarity index 100%\nrename from x\nrename to y\n', {did: 'renamed', from: 'x', path: 'y'}],
  ['index 1..2 100644\nBinary files a/x and b/x differ\n', {isBinary: true}],
  ['index 1..2\nGIT binary patch\nliteral 1\nIc${MZ\n\n', {isBinary: true}],
  ['new file mode 100644\nGIT binary patch\nliteral 1\nIc${MZ\n\n', {did: 'added', isBinary: true}],
  ['index 1..2 100644\n', {isBinary: true}],
])('metadata of git outside of hunks is kept: %j', async (head, file) => {
  const path = 'path' in file ? file.path : 'x';
  expect(await readPatch(`diff --git a/x b/${path}\n${head}`)).toMatchObject([{path, ...file}]);
});

test('lines that resemble headers are lines', async () => {
  const [file, ...more] = await readPatch(
    '--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n a\n--- b\n+++ c\n+@@ -1 +1 @@\n',
  );
  expect(more).toEqual([]);
  expect(file?.hunks[0]?.lines).toEqual([' a', '--- b', '+++ c', '+@@ -1 +1 @@']);
});

test('an empty diff has no files', async () => {
  expect(await readPatch('')).toEqual([]);
  expect(await readPatch(' \n\n')).toEqual([]);
});

test.each([
  ['hello\nworld\n', 'it names no file'],
  [`\u001b[1m--- a/x\u001b[m\n\u001b[1m+++ b/x\u001b[m\n`, '--no-color'],
  ['--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n', 'line'],
  [`--- a/x\n+++ b/x\n${hunk}+one more\n`, 'more lines'],
  [hunk, 'names no file'],
  ['diff --cc x\n--- a/x\n+++ b/x\n@@@ -1 -1 +1,2 @@@\n  a\n++c\n', 'merge'],
])('a text that is not a diff is refused: %j', async (text, why) => {
  await expect(readPatch(text)).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining(why),
  });
});

test('every prefix of a diff is read completely, or refused', async () => {
  const text = Object.values(recordedDiffs).join('');
  const whole = await readPatch(text);
  for (let end = 0; end < text.length; end += 37) {
    const files = await readPatch(text.slice(0, end)).catch(() => []);
    expect(files.slice(0, -1)).toEqual(whole.slice(0, Math.max(0, files.length - 1)));
  }
});

test('a diff written by a library is read back unchanged', async () => {
  const lines = array(stringMatching(/^[ -~]{0,12}$/), {maxLength: 12});
  await assert(
    asyncProperty(lines, lines, async (before, after) => {
      const [old, now] = [before, after].map((each) => each.map((line) => `${line}\n`).join(''));
      pre(old !== now);
      const [file] = await readPatch(createTwoFilesPatch('a/x', 'b/x', old ?? '', now ?? ''));
      for (const {line, text} of file ? addedLines(file) : []) {
        expect(after[line - 1]).toBe(text);
      }
    }),
  );
});

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

describe('a data file', () => {
  const text = '# words\n\n"uk"\n`${x}` 日本\u2028\n';
  const helper = join(import.meta.dirname, '../../../tools/text/data-file.ts');

  let folder: string;

  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-data-')));
    writeFileSync(join(folder, 'words.txt'), text);
  });

  afterAll(() => rmSync(folder, {recursive: true}));

  /** The code of a module that calls `dataFile` with the given expression. */
  async function built(url: string): Promise<string> {
    const input = join(folder, 'words.ts');
    writeFileSync(
      input,
      `import {dataFile} from ${JSON.stringify(helper)};\nexport const words: string = dataFile(${url});\n`,
    );
    const bundle = await rolldown({input, platform: 'node', plugins: [dataFiles]});
    const {output} = await bundle.generate();
    return output[0].code;
  }

  test('a file is read next to its module', () => {
    expect(dataFile(pathToFileURL(join(folder, 'words.txt')))).toBe(text);
  });

  test('a build has the text, and reads no file', async () => {
    const code = await built("new URL('words.txt', import.meta.url)");
    expect(code).not.toMatch(/readFileSync|import\.meta/);
    writeFileSync(join(folder, 'built.mjs'), code);
    expect(await import(join(folder, 'built.mjs'))).toMatchObject({words: text});
  });

  test.each(["new URL('missing.txt', import.meta.url)", 'new URL(`words.txt`, import.meta.url)'])(
    'a build fails at %s',
    async (url) => {
      await expect(built(url)).rejects.toThrow(/missing\.txt|write dataFile\(new URL\('NAME'/);
    },
  );
});
