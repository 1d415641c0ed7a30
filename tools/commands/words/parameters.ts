/** `$name`, `${name:-word}`, `${name%.ts}`: the value of a variable in a world. */

import type {Part} from '../grammar/grammar.ts';
import {pieceOf, textOfPieces, type Piece} from './fields.ts';
import {
  known,
  someNumber,
  unknownValue,
  valueOf,
  withVariable,
  type Value,
  type World,
} from './world.ts';

type Parameter = Extract<Part, {readonly kind: 'parameter'}>;

interface Resolved {
  readonly is: readonly Piece[];
  readonly world: World;
}

/** `operand`: the word after the operator, resolved. */
export function expandParameter(
  part: Parameter,
  operand: readonly Piece[],
  world: World,
): Resolved {
  const {name, operator, written, isLength} = part;
  const value = lookUp(name, world);
  if (isLength) return {is: [pieceOf(someNumber(written), part)], world};
  if (operator === undefined) return {is: [pieceOf(value ?? unknownValue(written), part)], world};
  if (operator.startsWith('#') || operator.startsWith('%')) {
    const rest = value && without(value, operator, textOfPieces(operand));
    return {is: [pieceOf(rest ?? unknownValue(written), part)], world};
  }
  return byDefault(part, operator, value, operand, world);
}

/** Undefined: the text does not set it; the environment may. */
export function lookUp(name: string, world: World): Value | undefined {
  if (/^[1-9]/.test(name)) return world.operands && (world.operands[Number(name) - 1] ?? unset);
  if (/^[?$!]$/.test(name)) return someNumber(`$${name}`);
  return named[name]?.(world) ?? world.variables.get(name);
}

const named: Readonly<Record<string, (world: World) => Value | undefined>> = {
  0: ({self}) => self,
  '#': ({operands}) => (operands ? known(String(operands.length)) : someNumber('$#')),
  '@': joinedOperands,
  '*': joinedOperands,
  PWD: ({folder}) => (folder === undefined ? unknownValue('$PWD') : known(folder)),
};

/** Known to be unset. */
const unset = known('');

/** The value of `$*` if no operand has a blank or a wildcard: it is then split into the operands, quoted or not. */
function joinedOperands({operands}: World): Value | undefined {
  if (!operands) return undefined;
  if (operands.length === 0) return unset;
  return operands.length === 1 ? operands[0] : undefined;
}

/** The value is set, is empty, or may be either. */
function fillOf(value: Value | undefined, operator: string): 'filled' | 'empty' | 'either' {
  if (!value) return 'either';
  if (value.isNumber || (value.known && value.text !== '')) return 'filled';
  const isNothing = value === unset || operator.startsWith(':');
  return value.known && isNothing ? 'empty' : 'either';
}

function byDefault(
  part: Parameter,
  operator: string,
  value: Value | undefined,
  operand: readonly Piece[],
  world: World,
): Resolved {
  const fill = fillOf(value, operator);
  const own = [pieceOf(value ?? unknownValue(part.written), part)];
  const other = operand.map((piece) => asValue(piece, part));
  const doubt = [pieceOf(unknownValue(part.written), part)];
  if (operator.endsWith('+')) return {is: {filled: other, empty: [], either: doubt}[fill], world};
  if (fill === 'filled') return {is: own, world};
  if (!operator.endsWith('=')) {
    return {is: fill === 'empty' && operator.endsWith('-') ? other : doubt, world};
  }
  const is = fill === 'empty' ? other : doubt;
  const assigned = textOfPieces(is);
  return {is, world: withVariable(world, part.name, valueOf(assigned))};
}

/** Unquoted text in `${x:-a b}` is split like a value. */
function asValue(piece: Piece, {quoted}: Parameter): Piece {
  return {
    ...piece,
    quoted: quoted || piece.quoted,
    kind: piece.kind === 'fixed' ? 'value' : piece.kind,
  };
}

/** The value without the named beginning or end; undefined when that is not plain. */
function without(
  value: Value,
  operator: string,
  cut: {text: string; known: boolean},
): Value | undefined {
  if (!value.known || !cut.known || /[?[\\]|\*.*\*/s.test(cut.text)) return undefined;
  if (value.pattern) return withoutEnd(value, operator, cut.text);
  const source = cut.text
    .split('*')
    .map(literal)
    .join(operator.length === 2 ? '[^]*' : '[^]*?');
  if (operator.startsWith('#')) return known(value.text.replace(new RegExp(`^${source}`), ''));
  return known(shortestEnd(value.text, new RegExp(`^${source}$`), operator === '%%'));
}

function shortestEnd(text: string, form: RegExp, isLongest: boolean): string {
  const lengths = Array.from({length: text.length + 1}, (_, at) =>
    isLongest ? at : text.length - at,
  );
  const at = lengths.find((from) => form.test(text.slice(from)));
  return at === undefined ? text : text.slice(0, at);
}

/** `src/*.ts` without `.ts` is `src/*`. */
function withoutEnd(value: Value, operator: string, cut: string): Value | undefined {
  const isPlain =
    operator.startsWith('%') && cut !== '' && !cut.includes('*') && value.text.endsWith(cut);
  return isPlain ? {...value, text: value.text.slice(0, -cut.length)} : undefined;
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
