/** `{a,b}` in both its readings: as it stands, and as the words that bash makes of it. */

import type {Node, RawWord, Simple} from './grammar.ts';

const maxWords = 64;

/** Where a command has braces: what is followed in its place. */
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

/** How many words bash makes of it: told before they are made. */
function countOf({parts}: RawWord): number {
  return parts.reduce(
    (count, part) => count * (part.kind === 'braces' ? part.options.length : 1),
    1,
  );
}

/** The first braces vary slowest. */
function expand(word: RawWord): readonly RawWord[] {
  const at = word.parts.findIndex(({kind}) => kind === 'braces');
  const part = word.parts[at];
  if (part?.kind !== 'braces') return [word];
  return part.options.flatMap((text) => {
    const parts = word.parts.with(at, {kind: 'text', text, quoted: false});
    return expand({parts, written: word.written});
  });
}
