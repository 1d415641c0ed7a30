/** Generated documents with everything that makes offsets wrong. */

import * as fc from 'fast-check';

import type {SearchHit} from '../../../tools/search/searcher.ts';

const pieces: readonly string[] = [
  'The quick brown fox. ',
  'tea ',
  'retryLimit = 3;\n',
  '\n',
  '\n\n',
  '\r\n',
  '\r\n\r\n',
  '# Heading\n',
  '## 見出し\n\n',
  '```\n# no heading\n```\n',
  '東京店の営業時間は11時からです。',
  '「はい。」と答えた。\n',
  'がギグ',
  'か\u3099',
  'e\u0301',
  ' \u0301',
  `Z${'\u0301\u0327'.repeat(40)}`,
  '\u{1f600}',
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  '\u{1f44b}\u{1f3fd}',
  '\u{1f1ef}\u{1f1f5}\u{1f1eb}\u{1f1f7}',
  'क्षि',
  '\u0600 ',
  '。\u{fe0f}',
  '\t',
  '\u0007\u001b[31m',
  '\ufeff',
  '\u2028',
];

/** From nothing to some thousand characters. */
export const generatedText: fc.Arbitrary<string> = fc
  .array(
    fc.tuple(
      fc.oneof(fc.constantFrom(...pieces), fc.string({unit: 'grapheme', maxLength: 20})),
      fc.nat(30),
    ),
    {maxLength: 25},
  )
  .map((parts) =>
    parts
      .map(([piece, times]) => piece.repeat(times))
      .join('')
      .replaceAll('\0', ''),
  );

/** The beginnings of characters as a reader sees them, including the end of the text. */
export function boundariesOf(text: string): ReadonlySet<number> {
  const segmenter = new Intl.Segmenter('und', {granularity: 'grapheme'});
  return new Set([...Array.from(segmenter.segment(text), ({index}) => index), text.length]);
}

/** Counted again, for comparison. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

type Citation = Pick<SearchHit, 'path' | 'startLine' | 'endLine' | 'heading' | 'quote'>;

/** The hits in a text of `describeAnswer`; escaped characters stay escaped. */
export function citationsIn(text: string): Citation[] {
  return text.split('\n\n').flatMap((block) => {
    const [head = '', ...lines] = block.split('\n');
    const [, path, startLine, endLine] = /^\[\d+\] (.+):(\d+)-(\d+)$/.exec(head) ?? [];
    if (path === undefined) return [];
    const quoted = lines.filter((line) => line.startsWith('> ')).map((line) => line.slice(2));
    const heading = lines.find((line) => line.startsWith('heading: '))?.slice(9) ?? '';
    return {
      path,
      startLine: Number(startLine),
      endLine: Number(endLine),
      heading,
      quote: quoted.join('\n'),
    };
  });
}
