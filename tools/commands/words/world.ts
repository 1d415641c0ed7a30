/**
 * The known state of a shell while it runs a text: its folder, its variables, its functions. Where a text may branch, there
 * are two worlds; a word is known if it is known in each.
 */

import type {Node} from '../grammar/grammar.ts';
import type {Input} from '../program.ts';
import type {Word} from '../word.ts';

/** The value of a variable. `isNumber`: unknown, but digits. */
export interface Value {
  readonly text: string;
  readonly known: boolean;
  readonly pattern: boolean;
  readonly isNumber?: true;
}

export interface World {
  /** Absolute, as `cd` counts: links not resolved. Undefined: unknown. */
  readonly folder: string | undefined;
  readonly variables: ReadonlyMap<string, Value>;
  readonly functions: ReadonlyMap<string, Node>;
  /** `$1` and so on; undefined: unknown. */
  readonly operands: readonly Value[] | undefined;
  /** `$0`. */
  readonly self: Value;
  /** The standard input of a command without a redirection. */
  readonly input: Input;
  /** The exit status of the last command, if it is certain. */
  readonly status: 'success' | 'failure' | 'any';
}

export function known(text: string): Value {
  return {text, known: true, pattern: false};
}

export function unknownValue(written: string): Value {
  return {text: written, known: false, pattern: false};
}

export function someNumber(written: string): Value {
  return {...unknownValue(written), isNumber: true};
}

export function valueOf({text, known: isKnown, pattern, isNumber}: Word): Value {
  return {text, known: isKnown, pattern, ...(isNumber ? {isNumber} : {})};
}

export function withVariable(world: World, name: string, value: Value): World {
  return {...world, variables: new Map([...world.variables, [name, value]])};
}

export function withStatus(world: World, status: World['status']): World {
  return world.status === status ? world : {...world, status};
}

/** The standard input of a command for this given input. */
export function inputOf(given: Input, {input}: World): Input {
  return given === 'inherited' ? input : given;
}

/** The same for several commands together: it is unknown which of them reads a text. */
export function sharedInput(given: Input, world: World): Input {
  const input = inputOf(given, world);
  return given === 'inherited' || input === 'endless' ? input : 'pipe';
}

export function withInput(world: World, input: World['input']): World {
  return world.input === input ? world : {...world, input};
}

/** More worlds than this are merged into one in which the differences are unknown. */
const maxWorlds = 8;

/** Each world once. */
export function distinct(worlds: readonly World[]): readonly World[] {
  if (worlds.length < 2) return worlds;
  const different = [...new Map(worlds.map((world) => [keyOf(world), world])).values()];
  return different.length > maxWorlds ? [merged(different)] : different;
}

const bodies = new WeakMap<Node, number>();
let lastBody = 0;

export function keyOf(world: World): string {
  const functions = [...world.functions].map(([name, node]) => `${name} ${idOf(node)}`).toSorted();
  const {folder, operands, input, status, self} = world;
  const variables = [...world.variables].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([folder, operands, input, status, self, variables, functions]);
}

function idOf(node: Node): number {
  const id = bodies.get(node) ?? ++lastBody;
  bodies.set(node, id);
  return id;
}

/** One world for all of them: values that differ are unknown in it. */
export function merged(worlds: readonly World[]): World {
  const [first] = worlds;
  if (!first) throw new RangeError('no worlds to merge');
  const same = <T>(of: (world: World) => T, key: (value: T) => unknown = (value) => value) => {
    const value = of(first);
    return worlds.every((world) => key(of(world)) === key(value)) ? value : undefined;
  };
  return {
    folder: same(({folder}) => folder),
    variables: mergedMaps(
      worlds.map(({variables}) => variables),
      sameValue,
      (name, values) =>
        values.every(isNumeric) ? someNumber(`$${name}`) : unknownValue(`$${name}`),
    ),
    functions: mergedMaps(
      worlds.map(({functions}) => functions),
      Object.is,
      unknownFunction,
    ),
    operands: same(({operands}) => operands, JSON.stringify),
    self: same(({self}) => self, JSON.stringify) ?? unknownValue('$0'),
    input: same(({input}) => input, JSON.stringify) ?? 'pipe',
    status: same(({status}) => status) ?? 'any',
  };
}

function mergedMaps<T>(
  maps: readonly ReadonlyMap<string, T>[],
  isSame: (a: T, b: T) => boolean,
  otherwise: (name: string, values: readonly (T | undefined)[]) => T,
): ReadonlyMap<string, T> {
  const names = new Set(maps.flatMap((map) => [...map.keys()]));
  return new Map(
    [...names].map((name) => {
      const values = maps.map((map) => map.get(name));
      const [value] = values;
      const isAlike =
        value !== undefined && values.every((each) => each !== undefined && isSame(value, each));
      return [name, isAlike ? value : otherwise(name, values)];
    }),
  );
}

/** The value is certainly a number. */
export function isNumeric(value: Value | undefined): boolean {
  return value?.isNumber === true || (value?.known === true && /^[+-]?\d+$/.test(value.text));
}

function sameValue(a: Value, b: Value): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function unknownFunction(name: string): Node {
  return {kind: 'opaque', word: name, why: 'a function that is not the same on every way to here'};
}
