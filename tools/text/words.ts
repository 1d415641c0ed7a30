/**
 * Splits text into the words by which it is found: normalised, in lower case, without accents, stemmed. Identifiers yield the
 * whole word and its parts. Scripts without spaces between words are segmented by dictionary.
 */

import {stemOf} from './stem.ts';

const maxRemembered = 20_000;
/** Longer runs, such as whole Japanese phrases, hardly recur. */
const maxRememberedLength = 12;

/** Scripts also contain symbols, such as the radical ⺀: these are not words. */
const unspaced =
  /[[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]&&[\p{L}\p{N}\p{M}]]/v;

/** Between the parts of `camelCase`, `HTTPServer`, `sha256` and `snake_case`. */
const joints =
  /_+|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u;

/** Created on first use: the two take more than 10 ms. */
let runs: RegExp | undefined;
let segmenter: Intl.Segmenter | undefined;

const remembered = new Map<string, readonly string[]>();

/** The words of a text in its order: letters, digits and marks only. Never throws. */
export function textWords(text: string): string[] {
  runs ??= new RegExp(
    String.raw`${unspaced.source}+|[[\p{L}\p{N}\p{M}_]--${unspaced.source}]+`,
    'gv',
  );
  const words: string[] = [];
  for (const [run] of text.normalize('NFKC').matchAll(runs)) words.push(...formsOf(run));
  return words;
}

/** Words recur, so each is split only once. */
function formsOf(run: string): readonly string[] {
  const known = remembered.get(run);
  if (known) return known;
  const forms = unspaced.test(run) ? segmentsOf(run).flatMap(toForms) : toForms(run);
  if (run.length > maxRememberedLength) return forms;
  if (remembered.size >= maxRemembered) remembered.clear();
  remembered.set(run, forms);
  return forms;
}

function segmentsOf(run: string): string[] {
  segmenter ??= new Intl.Segmenter('ja', {granularity: 'word'});
  return Array.from(segmenter.segment(run), ({segment}) => segment);
}

function toForms(word: string): string[] {
  if (/^[a-z]+$/.test(word)) return [stemOf(word)];
  const parts = word.split(joints).map(fold).filter(Boolean);
  return (parts.length > 1 ? [parts.join(''), ...parts] : parts).map(stemOf);
}

/** Removes accents, but not marks that make other letters, as in が. */
function fold(word: string): string {
  const lower = word.toLowerCase();
  if (/^[a-z0-9]+$/.test(lower)) return lower;
  return lower
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFC');
}
