/** The words of a question that code may contain, and patterns that find lines with several of them. */

import {isStopWord} from '../../../tools/search/stop-words.ts';

/** Words of questions on code that say nothing of what is looked for; those of any question are known to the search. */
const ofCode = new Set(
  `code declared define defined definition explain file files find function give implemented line list located mean
name place project purpose repository say set show source stored summarise summarize take tell use used uses using
value work works`.split(/\s+/),
);

/** What code calls an idea, by the beginning of its word in a question. */
const otherNames: readonly (readonly [RegExp, string])[] = [
  [/^(?:limit|max|bound|cap$)/, 'limit|max|cap|bound'],
  [/^(?:retr|attempt|repeat|revis)/, 'retr|attempt|repeat|revis'],
  [/^(?:timeout|deadline)/, 'timeout|deadline'],
  [/^(?:config|setting|option)/, 'config|setting|option'],
  [/^(?:delete|remov)/, 'delet|remov'],
  [/^(?:creat|make)/, 'creat|make'],
  [/^(?:minim|least)/, 'min|least'],
];

const maxKeywords = 4;

/** Regular expressions, one a word, for lines and paths without regard to case. */
export function keywordsOf(question: string): string[] {
  const words = question.match(/[A-Za-z][A-Za-z0-9_]+/g) ?? [];
  const wanted = words.filter(
    (word) => !ofCode.has(word.toLowerCase()) && !isStopWord(word.toLowerCase()),
  );
  return [...new Set(wanted.map(patternOf))].slice(0, maxKeywords);
}

/** A name of code is looked for as it stands, never as another word for it. */
function patternOf(word: string): string {
  if (isName(word)) return word;
  const lower = word.toLowerCase();
  const known = otherNames.find(([start]) => start.test(lower));
  return known ? known[1] : beginningOf(lower);
}

function isName(word: string): boolean {
  return /_|\d|[a-z][A-Z]|^[A-Z]{2}/.test(word);
}

/** `planner`, `planning` and `plans` begin alike: what this returns is a beginning of the word, to be searched for. */
export function beginningOf(word: string): string {
  const short = word.replace(/(?:(.)\1(?:ers?|ing|ed)|(?:ers?|ing|ies|ied|es|ed|s|y))$/, '$1');
  return short.length >= 3 ? short : word;
}

/** Lines that hold two of the words, for every two; with one word, lines that hold it. */
export function pairPatterns(keywords: readonly string[]): string[] {
  const [only] = keywords;
  if (only === undefined) return [];
  if (keywords.length === 1) return [`(?:${only})`];
  return keywords.flatMap((first, index) =>
    keywords.slice(index + 1).map((second) => `^(?=.*(?:${first}))(?=.*(?:${second}))`),
  );
}
