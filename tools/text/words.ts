/**
 * Splits text into the words by which it is found: normalised, in lower case, without accents, stemmed. Identifiers yield the
 * whole word and its parts. Scripts without spaces between words are segmented by dictionary.
 */

// Reduces the forms of a word to one: light stemming of English, of Japanese inflections and long vowels.

const maxSuffixes = 2;

/** Tried in this order, with the minimum number of remaining letters. */
const suffixes: readonly (readonly [suffix: string, minLeft: number])[] = [
  ['ization', 4],
  ['isation', 4],
  ['ation', 5],
  ['ator', 5],
  ['ness', 4],
  ['ment', 5],
  ['ency', 5],
  ['abl', 4],
  ['ibl', 4],
  ['ion', 3],
  ['ity', 4],
  ['ful', 4],
  ['enc', 5],
  ['ent', 5],
  ['at', 5],
  ['al', 5],
  ['iv', 5],
  ['iz', 4],
  ['is', 5],
  ['er', 5],
  ['or', 5],
  ['ly', 4],
];

/** `word` in lower case, without accents. Different words may share a stem; a word always has the same one. */
export function stemOf(word: string): string {
  if (/^[a-z]+$/.test(word)) return stemEnglish(word);
  return word
    .replace(/(?<=\p{Script=Han})\p{Script=Hiragana}+$/u, '')
    .replace(/(?<=[\p{Script=Katakana}ー]{3})ー$/u, '');
}

function stemEnglish(word: string): string {
  if (word.length < 4) return word;
  let stem = withoutFinalE(withoutVerbEnding(withoutPlural(word)));
  for (let round = 0; round < maxSuffixes; round += 1) stem = withoutFinalE(withoutSuffix(stem));
  return stem.replace(/y$/, 'i').replace(/(?<=..)([^aeiousz])\1$/, '$1');
}

function withoutPlural(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.replace(/(?<=ss)es$|(?<![sui])s$/, '');
}

function withoutVerbEnding(word: string): string {
  const stem = word.replace(/(?<!e)ed$|ing$/, '');
  if (stem === word || stem.length < 3 || !/[aeiouy]/.test(stem)) return word;
  return stem;
}

function withoutFinalE(word: string): string {
  return word.length > 3 && word.endsWith('e') ? word.slice(0, -1) : word;
}

function withoutSuffix(word: string): string {
  const found = suffixes.find(
    ([suffix, minLeft]) => word.endsWith(suffix) && word.length - suffix.length >= minLeft,
  );
  return found ? word.slice(0, -found[0].length) : word;
}

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
