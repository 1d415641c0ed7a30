/** `{a,b}` in both readings: as text, and as the words to which bash expands it. */

import type {Node, RawWord, Simple} from './grammar.ts';

const maxWords = 64;

/** The node that replaces a command with braces. */
export function readBraces(simple: Simple): Node {
  const has = [...simple.words, ...simple.redirects.map(({target}) => target)].some(hasBraces);
  if (!has && !simple.assignments.some(({value}) => hasBraces(value))) return simple;
  const isOdd = simple.redirects.some(({target}) => hasBraces(target));
  const count = simple.words.reduce((sum, word) => sum + countOf(word), 0);
  if (isOdd || count > maxWords || simple.assignments.some(({value}) => hasBraces(value))) {
    return {kind: 'opaque', word: simple.text, why: 'braces that shells read differently'};
  }
  const words = simple.words.flatMap(expand);
  const plain = {...simple, words: simple.words.map(asText)};
  return {kind: 'either', nodes: [plain, {...simple, words}]};
}

function hasBraces({parts}: RawWord): boolean {
  return parts.some(({kind}) => kind === 'braces');
}

function asText({parts, written}: RawWord): RawWord {
  const plain = parts.map((part) =>
    part.kind === 'braces' ? {kind: 'text' as const, text: part.written, quoted: true} : part,
  );
  return {parts: plain, written};
}

/** The number of words to which bash expands it, computed without expanding. */
function countOf({parts}: RawWord): number {
  return parts.reduce(
    (count, part) => count * (part.kind === 'braces' ? part.options.length : 1),
    1,
  );
}

/** The first braces vary slowest, as in bash. */
function expand(word: RawWord): readonly RawWord[] {
  const at = word.parts.findIndex(({kind}) => kind === 'braces');
  const part = word.parts[at];
  if (part?.kind !== 'braces') return [word];
  return part.options.flatMap((text) => {
    const parts = word.parts.with(at, {kind: 'text', text, quoted: false});
    return expand({parts, written: word.written});
  });
}
