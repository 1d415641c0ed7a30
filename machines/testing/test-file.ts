/** Writes tours as a test file for Vitest. */

import {type Stop, titleOf, type Tour, type TourStep} from './machine-tours.ts';
import {type Move, moveText, valueText} from './world/moves.ts';
import {isPlain, isSame} from './world/plain.ts';

export interface TestFile {
  /** The id of the machine. */
  readonly id: string;
  /** The name under which it is exported. */
  readonly name: string;
  /** The module specifier by which the test imports it. */
  readonly module: string;
  readonly tours: readonly Tour[];
  /** The input of the machine; undefined: none, or one that each tour starts with. */
  readonly input: unknown;
  /** Machines that are puppets, by the names by which they are invoked or spawned. */
  readonly puppets: readonly string[];
  /** The command that makes the file. */
  readonly command: string;
}

/** How the first line of such a file begins: only such a file may be overwritten. */
export const testFileMark = '// Made by quorate paths.';

/** The text of the file below its first line. Throws Error for a sample that cannot be written as code. */
export function testFileText(file: TestFile): string {
  const {name, module, command} = file;
  return [
    '// Make it again when the machine has changed; assertions of your own belong in another file, by testModel.',
    `//   ${command}`,
    '',
    "import {drive} from 'quorate/testing';",
    "import {expect, test} from 'vitest';",
    '',
    `import {${name}} from ${codeString(module)};`,
    '',
    ...file.tours.flatMap((tour, index) => testOf(tour, index, file)),
  ].join('\n');
}

function testOf(tour: Tour, index: number, file: TestFile): string[] {
  const lines = [
    ...openingLines(tour, file),
    ...tour.steps.flatMap((step, at) =>
      step.move.type === 'start' ? [] : stepLines(step, tour.steps[at - 1] ?? tour.start),
    ),
    ...endLines(tour),
  ];
  const title = `${file.id} ${index + 1}: ${titleOf(tour)}`;
  return [
    `test(${codeString(title)}, () => {`,
    ...lines.map((line) => (line === '' ? '' : `  ${line}`)),
    '});',
    '',
  ];
}

function openingLines({start, steps}: Tour, {name, input, puppets}: TestFile): string[] {
  const [first] = steps;
  const begins = first?.move.type === 'start' ? first : undefined;
  const given = begins?.move.type === 'start' ? begins.move.input : input;
  const options = {
    ...(given === undefined ? {} : {input: given}),
    ...(puppets.length === 0 ? {} : {puppets}),
  };
  const hasOptions = Object.keys(options).length > 0;
  const args = hasOptions ? `${name}, ${literal(options, 'the input')}` : name;
  return [`const actor = drive(${args});`, ...expectations(begins ?? start)];
}

function stepLines(step: TourStep, before: Stop): string[] {
  const call = `actor.${callOf(step.move, step.isIgnored ? 'ignores' : 'send')}`;
  if (step.isIgnored) return ['', `expect(${call}).toBe(true);`];
  return ['', `// ${moveText(step.move)}`, `${call};`, ...expectations(step, before)];
}

function callOf(move: Move, send: 'send' | 'ignores'): string {
  const text = moveText(move);
  if (move.type === 'fire') return `fire(${codeString(move.timer)})`;
  if (move.type === 'start') return '';
  if (move.type === 'send') {
    const to = move.actor === undefined ? '' : `, ${codeString(move.actor)}`;
    const {type, ...payload} = move.event;
    return `${send}(${literal({type, ...payload}, text)}${to})`;
  }
  const value = move.value === undefined ? '' : `, ${literal(move.value, text)}`;
  return `${move.does}(${codeString(move.actor)}${value})`;
}

function expectations(
  {state, changed, pending, performed, accepts, inputs, delays}: Stop,
  before?: Stop,
): string[] {
  const list = (member: string, values: readonly string[], known: readonly string[] = []) =>
    isSame(values, known)
      ? []
      : [`expect(actor.${member}).toEqual(${literal(values, `what ${member} lists`)});`];
  return [
    `expect(actor.state).toEqual(${literal(state, 'the state')});`,
    ...(Object.keys(changed).length === 0
      ? []
      : [`expect(actor.context).toMatchObject(${literal(changed, 'the context')});`]),
    ...list('accepts', accepts, before?.accepts),
    ...list('pending', pending, before?.pending),
    ...Object.entries(inputs).map(
      ([name, value]) =>
        `expect(actor.input(${codeString(name)})).toEqual(${literal(value, 'an input')});`,
    ),
    ...Object.entries(delays).map(
      ([name, value]) => `expect(actor.delay(${codeString(name)})).toBe(${value});`,
    ),
    ...(performed.length === 0
      ? []
      : [`expect(actor.performed).toEqual(${literal(performed, 'the actions')});`]),
  ];
}

function endLines({start, steps}: Tour): string[] {
  const {isDone, output} = steps.at(-1) ?? start;
  return [
    ...(isDone ? ["expect(actor.snapshot.status).toBe('done');"] : []),
    ...(output === undefined
      ? []
      : [`expect(actor.snapshot.output).toEqual(${literal(output, 'the output')});`]),
    // Actions that no step names would be unread.
    'expect(actor.performed).toEqual([]);',
  ];
}

function codeString(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped}'`;
}

/** A value as code. */
function literal(value: unknown, what: string): string {
  if (value instanceof Error) return `new Error(${codeString(value.message)})`;
  if (!isPlain(value)) {
    throw new Error(
      `${what} cannot be written as code: ${valueText(value)}; give samples of plain data`,
    );
  }
  return codeOf(value);
}

function codeOf(value: unknown): string {
  if (typeof value === 'string') return codeString(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(codeOf).join(', ')}]`;
  const members = Object.entries(value).map(([key, member]) => `${keyOf(key)}: ${codeOf(member)}`);
  return `{${members.join(', ')}}`;
}

/** `__proto__` in quotes would set the prototype. */
function keyOf(key: string): string {
  if (key === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : codeString(key);
}
