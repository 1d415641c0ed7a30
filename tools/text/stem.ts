/** Reduces the forms of a word to one: light stemming of English, of Japanese inflections and long vowels. */

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
