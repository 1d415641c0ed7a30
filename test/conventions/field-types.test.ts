/** A type of field is one row in each of a few tables: at most four files of the product name it. */

import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import {type ESTree, parseSync, Visitor} from 'rolldown/utils';
import {describe, expect, test} from 'vitest';

import {fieldTypes} from '../../machines/questionnaire/field-types.ts';

const mostFiles = 4;

/** The code that reads, asks for, answers and shows fields. */
const rooms = [
  'machines/questionnaire/**',
  'machines/forms/interview/**',
  'tools/interview/**',
  'actors/submissions/**',
  'cli/interview/**',
  'cli/serve/{*,routes/**,page/**}',
  'cli/commands/{interview,serve}.ts',
];

const root = join(import.meta.dirname, '../..');
const names: ReadonlySet<string> = new Set(fieldTypes);

/** The units of a bound: a table of these words is not a table of types. */
const measured: ReadonlySet<string> = new Set(['number', 'text', 'choices']);

/** Files that name each type. */
const naming = Map.groupBy(
  globSync(rooms, {cwd: root})
    .filter((file) => file.endsWith('.ts'))
    .toSorted()
    .flatMap((file) =>
      [...typesNamedIn(file, readFileSync(join(root, file), 'utf8'))].map((type) => ({type, file})),
    ),
  ({type}) => type,
);

test.each(fieldTypes)(`at most ${mostFiles} files name the type %s`, (type) => {
  const files = (naming.get(type) ?? []).map(({file}) => file);
  expect(files).toContain('machines/questionnaire/field-types.ts');
  expect(files.slice(mostFiles)).toEqual([]);
});

describe('an expression that names a type', () => {
  test.each([
    ["if (field.type === 'text') skip();", ['text']],
    ["if ('date' !== type) skip();", ['date']],
    ["switch (field.type) { case 'number': skip(); }", ['number']],
    ["const field = {type: 'boolean', label: 'Sure?'};", ['boolean']],
    ["const addresses = new Set(['email', 'url']);", ['email', 'url']],
    ["const keyboards = {number: 'decimal', phone: 'tel'};", ['number', 'phone']],
    ["type Day = 'date' | 'choice';", ['choice', 'date']],
    ["const type = isWhole ? 'integer' : other;", ['integer']],
    ["const found = readValue('phone', text);", ['phone']],
  ])('%s', (text, types) => expect([...typesNamedIn('sample.ts', text)].toSorted()).toEqual(types));
});

describe('an expression with the word of a type that does not name one', () => {
  test.each([
    ["if (typeof value === 'number') skip();"],
    ["const day = {kind: 'date'};"],
    ["const state = {tags: 'choice', always: ways};"],
    ["type Measured = 'number' | 'text' | 'choices';"],
    ["const typeNames = {string: 'a text', number: 'a number', boolean: 'true or false'};"],
    ['const {choices, text} = field; say(choices, text);'],
  ])('%s', (text) => expect([...typesNamedIn('sample.ts', text)]).toEqual([]));
});

/** Words without another meaning here: any string with one of them names the type. */
function isPlain(name: string): boolean {
  return ['integer', 'email', 'url', 'phone', 'choice'].includes(name);
}

/** Throws for a file that cannot be parsed. */
function typesNamedIn(file: string, text: string): ReadonlySet<string> {
  const {program, errors} = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors.map(({message}) => message).join()}`);
  const found = new Set<string>();
  /** The tags of a state are on a line of their own. */
  const isTag = ({start}: ESTree.StringLiteral): boolean =>
    /\btags: [^\n]*$/.test(text.slice(0, start));
  const add = (list: readonly (string | undefined)[]): void => {
    for (const name of list) if (name !== undefined && names.has(name)) found.add(name);
  };
  /** Names that occur together in a list, a table or a union; together with `string` they are types of JavaScript. */
  const addGroup = (list: readonly (string | undefined)[]): void => {
    if (list.includes('string')) return;
    const known = list.filter((name) => name !== undefined && names.has(name));
    if (known.length > 1 && known.some((name) => !measured.has(name ?? ''))) add(known);
  };
  new Visitor({
    Literal: (node) => {
      if (typeof node.value === 'string' && isPlain(node.value) && !isTag(node)) add([node.value]);
    },
    BinaryExpression: ({left, right}) => {
      if (isType(left)) add([stringOf(right)]);
      if (isType(right)) add([stringOf(left)]);
    },
    SwitchStatement: ({discriminant, cases}) => {
      if (isType(discriminant)) add(cases.map((each) => stringOf(each.test)));
    },
    Property: ({key, value}) => {
      if (nameOf(key) === 'type') add([stringOf(value)]);
    },
    ArrayExpression: ({elements}) => addGroup(elements.map(stringOf)),
    ObjectExpression: ({properties}) =>
      addGroup(properties.map((each) => (each.type === 'Property' ? nameOf(each.key) : undefined))),
    TSUnionType: ({types}) =>
      addGroup(
        types.map((each) => (each.type === 'TSLiteralType' ? stringOf(each.literal) : undefined)),
      ),
  }).visit(program);
  return found;
}

function isType(node: ESTree.Node): boolean {
  if (node.type === 'MemberExpression') return nameOf(node.property) === 'type';
  return node.type === 'ChainExpression' ? isType(node.expression) : nameOf(node) === 'type';
}

function nameOf(node: ESTree.Node): string | undefined {
  return node.type === 'Identifier' ? node.name : stringOf(node);
}

function stringOf(node: ESTree.Node | null): string | undefined {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}
