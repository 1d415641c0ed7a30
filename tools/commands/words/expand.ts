/** Resolves the words of a command in a world: quotes, `~`, variables, `$(…)`, arithmetic. */

import {namesSecretValue} from '../../../machines/places/secrets.ts';
import type {Unknown} from '../effect.ts';
import type {Part, RawWord, Script} from '../grammar/grammar.ts';
import type {Word} from '../word.ts';
import {evaluate} from './arithmetic.ts';
import {fieldsOf, pieceOf, textOfPieces, type Piece} from './fields.ts';
import {expandParameter, lookUp} from './parameters.ts';
import {unknownValue, type Value, type World} from './world.ts';

/** Services that an expansion needs from the code that follows the text. */
export interface Expander {
  /** Judges the script in a shell of its own, and resolves with its output if that is plain. */
  readonly substitute: (script: Script, world: World) => Promise<Value | undefined>;
  readonly miss: (unknown: Unknown) => void;
  /** Reports that a variable of the environment with a secret becomes part of a word. */
  readonly reveal: (name: string) => void;
}

export interface Expanded<T> {
  readonly is: T;
  /** The world after expanding, which may set variables: `${x:=1}`, `$((x += 1))`. */
  readonly world: World;
}

/** The words to which a word of a command expands: none, one or several. */
export async function expandWord(
  word: RawWord,
  world: World,
  expander: Expander,
): Promise<Expanded<readonly Word[]>> {
  const all = wholeOperands(word, world);
  if (all) return {is: all, world};
  const {is: pieces, world: after} = await expandParts(tilded(word, world), world, expander);
  return {is: fieldsOf(pieces, !world.variables.has('IFS')), world: after};
}

/** Later words of a command are not looked at. */
const maxWords = 1_000;

export async function expandWords(
  words: readonly RawWord[],
  world: World,
  expander: Expander,
): Promise<Expanded<readonly Word[]>> {
  const expanded: Word[] = [];
  let current = world;
  for (const word of words) {
    if (expanded.length >= maxWords) {
      const why = `comes after ${maxWords.toLocaleString('en')} others`;
      expander.miss({word: word.written, why});
      break;
    }
    // oxlint-disable-next-line no-await-in-loop -- a word may set what the next one reads
    const {is, world: after} = await expandWord(word, current, expander);
    expanded.push(...is);
    current = after;
  }
  return {is: expanded, world: current};
}

/** Expands to one text: an assigned value, the content of a here-document, the word of a `case`. */
export async function expandText(
  word: RawWord,
  world: World,
  expander: Expander,
): Promise<Expanded<Word>> {
  const {is: pieces, world: after} = await expandParts(tilded(word, world), world, expander);
  return {is: textOfPieces(pieces), world: after};
}

/** `"$@"` on its own. */
function wholeOperands({parts}: RawWord, {operands}: World): readonly Word[] | undefined {
  const [part, more] = parts;
  if (part?.kind !== 'parameter' || more || part.name !== '@' || !part.quoted) return undefined;
  if (part.operator !== undefined || part.isLength || !operands) return undefined;
  return operands.map(({text, known, pattern}) => ({text, known, pattern, quoted: true}));
}

async function expandParts(
  parts: readonly Part[],
  world: World,
  expander: Expander,
): Promise<Expanded<readonly Piece[]>> {
  const pieces: Piece[] = [];
  let current = world;
  for (const part of parts) {
    // oxlint-disable-next-line no-await-in-loop -- a part may set what the next one reads
    const {is, world: after} = await expandPart(part, current, expander);
    pieces.push(...is);
    current = after;
  }
  return {is: pieces, world: current};
}

async function expandPart(
  part: Part,
  world: World,
  expander: Expander,
): Promise<Expanded<readonly Piece[]>> {
  if (part.kind === 'text') {
    return {is: [{text: part.text, kind: 'fixed', quoted: part.quoted}], world};
  }
  if (part.kind === 'parameter') return expandVariable(part, world, expander);
  if (part.kind === 'command') {
    const value = await expander.substitute(part.script, world);
    return {is: [pieceOf(value ?? unknownValue(part.written), part)], world};
  }
  if (part.kind === 'arithmetic') {
    const {value, why, world: after} = evaluate(part, world);
    if (why !== undefined) expander.miss({word: part.written, why});
    return {is: [pieceOf(value, part)], world: after};
  }
  return {is: [await expandBash(part, world, expander)], world};
}

async function expandVariable(
  part: Extract<Part, {readonly kind: 'parameter'}>,
  world: World,
  expander: Expander,
): Promise<Expanded<readonly Piece[]>> {
  if (namesSecretValue(part.name) && !lookUp(part.name, world)) expander.reveal(part.name);
  const operand = await expandParts(part.operand?.parts ?? [], world, expander);
  return expandParameter(part, operand.is, operand.world);
}

async function expandBash(
  part: Extract<Part, {readonly kind: 'process' | 'braces' | 'opaque'}>,
  world: World,
  expander: Expander,
): Promise<Piece> {
  if (part.kind === 'process') {
    await expander.substitute(part.script, world);
    return {text: '/dev/fd/0', kind: 'fixed', quoted: true};
  }
  const why = part.kind === 'opaque' ? part.why : 'shells read it differently';
  expander.miss({word: part.written, why});
  return {text: part.written, kind: 'unknown', quoted: false};
}

function tilded(word: RawWord, world: World): readonly Part[] {
  const [first, ...rest] = word.parts;
  if (first?.kind !== 'text' || first.quoted || !first.text.startsWith('~')) return word.parts;
  const home = world.variables.get('HOME');
  const isHome = first.text.startsWith('~/') || (first.text === '~' && rest.length === 0);
  if (!isHome || !home?.known)
    return [
      {kind: 'opaque', why: 'whose home folder it means is not known', written: word.written},
    ];
  return [
    {kind: 'text', text: home.text, quoted: true},
    {...first, text: first.text.slice(1)},
    ...rest,
  ];
}
