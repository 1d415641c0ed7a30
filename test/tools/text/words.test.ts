/** The words of a text, and the terms of a question. */

import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';

import {parseQuery} from '../../../tools/search/query.ts';
import {rank} from '../../../tools/search/searcher.ts';
import {createWriter, openIndex} from '../../../tools/search/update.ts';
import {stemOf} from '../../../tools/text/stem.ts';
import {textWords} from '../../../tools/text/words.ts';
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
  for (const [place, text] of texts.entries()) {
    const words = {path: 'file', heading: '', body: textWords(text).join(' '), characters: ''};
    const row = {start: 0, line: 1, heading: '', text, words};
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
  )('of %j are %j', (text, expected) => {
    expect(textWords(text).join(' ')).toBe(expected);
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
      fc.property(fc.string({unit: 'binary', maxLength: 60}), (text) => {
        for (const word of textWords(text)) expect(word).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
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
    const text = fc.oneof(fc.string({unit: 'binary'}), fc.string(), fc.constantFrom(...hostile));
    fc.assert(
      fc.property(fc.array(text, {maxLength: 4}), (parts) => {
        expect(() => find(parts.join(' '))).not.toThrow();
      }),
      {numRuns: 500},
    );
  });

  test('find a text by any of its own words', () => {
    fc.assert(
      fc.property(fc.string({unit: 'grapheme', maxLength: 80}), (text) => {
        const findIt = createIndex([text]);
        expect(findIt(text)).toEqual(textWords(text).length > 0 ? ['0'] : undefined);
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
