/** The topic of a question as stems of its keywords, and patterns that find lines with several of them. */

import {parseQuery} from '../../../../tools/search/query.ts';
import {isStopWord} from '../../../../tools/search/stop-words.ts';
import {textWords} from '../../../../tools/text/words.ts';

/** A word in the form of `textWords`, followed by its synonyms. */
export type Term = readonly string[];

/** Words that ask for a file or for code, and do not belong to the topic. */
const asking = new Set(
  textWords(`say tell explain describe summarise summarize summary overview show contain contents find locate list print
    read line document file place text attached code source project repository module script function class define
    declare implement export purpose mean work use used take give set store put
    言う 説明 内容 要約 概要 書く 書いて 書かれて 教える 行 中身 ファイル 役割 エクスポート 定義 関数`),
);

const otherNames = [
  'limit max maximum bound cap',
  'retry attempt repeat revise',
  'timeout deadline',
  'config configuration setting option',
  'delete remove',
  'create make',
  'min minimum least',
].map(textWords);

const maxTerms = 6;

export function topicOf(question: string): Term[] {
  const terms = (parseQuery(question)?.terms ?? []).filter(
    ([word]) => !asking.has(word) && !isStopWord(word),
  );
  return terms.slice(0, maxTerms).map((term) => term.concat(otherNamesOf(term[0])));
}

function otherNamesOf(word: string): Term {
  return otherNames.find((names) => names.includes(word)) ?? [];
}

/** The number of terms that a line contains, as whole words or as parts of identifiers. */
export function countTerms(line: string, terms: readonly Term[]): number {
  const words = new Set(textWords(line));
  return terms.filter((term) => term.some((word) => words.has(word))).length;
}

/** Patterns of lines: one for each pair of terms, and one for any single term. */
export function linePatterns(terms: readonly Term[]): string[] {
  const patterns = terms
    .map((term) =>
      term
        .filter((word) => /^[a-z\d]+$/.test(word))
        .map(wordStart)
        .join('|'),
    )
    .filter((pattern) => pattern !== '');
  const pairs = patterns.flatMap((first, index) =>
    patterns.slice(index + 1).map((second) => `^(?=.*(?:${first}))(?=.*(?:${second}))`),
  );
  return patterns.length === 0 ? [] : [...pairs, patterns.join('|')];
}

/** Matches `port` in `port`, `PORT`, `serverPort` and `SERVER_PORT`, not in `export`. The stem of `retry` is `retri`. */
function wordStart(stem: string): string {
  const small = stem.replace(/(?<=..)i$/, '');
  const capital = small.charAt(0).toUpperCase() + small.slice(1);
  return `(?<![A-Za-z])(?:${small}|${capital}|${small.toUpperCase()})|(?<=[a-z])${capital}`;
}
