/** Size limits of the product's code: lines of a function, characters of a string. */

import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import {type ESTree, parseSync, Visitor} from 'rolldown/utils';
import {describe, expect, test} from 'vitest';

/** A convention, and the files that break it today, each with its current maximum. */
interface Convention {
  readonly most: number;
  /** An entry is removed when its file meets the convention; no entry is added. */
  readonly exceptions: Readonly<Record<string, number>>;
}

/** Lines, from the first to the last of the function. */
const functions: Convention = {
  most: 60,
  exceptions: {},
};

/** Characters between the quotes, of a string or a template on one line. */
const strings: Convention = {
  most: 200,
  exceptions: {
    'actors/model/offline/skills/commands.ts': 331,
    'actors/model/offline/skills/creation.ts': 220,
    'actors/model/offline/questions/names.ts': 217,
    'actors/model/offline/skills/replacement.ts': 226,
    'actors/model/offline/scope.ts': 217,
    'actors/policies/diff/diff-safety.ts': 226,
    'machines/claims/requests.ts': 208,
    'actors/policies/safety/safety-destruction.ts': 263,
    'actors/policies/scope.ts': 284,
    'machines/claims/claims.ts': 249,
    'machines/claims/deletion-claims.ts': 338,
    'machines/claims/write-claims.ts': 458,
    'machines/forms/interview/prompts.ts': 323,
    'tools/commands/inline/javascript-names.ts': 204,
    'tools/commands/inline/python-names.ts': 514,
    'tools/interview/corrections.ts': 317,
  },
};

interface Measured {
  readonly file: string;
  readonly line: number;
  readonly size: number;
}

const root = join(import.meta.dirname, '../..');
const sources = globSync('{machines,actors,tools,cli,diagrams}/**/*.ts', {cwd: root})
  .toSorted()
  .map((file) => ({file, text: readFileSync(join(root, file), 'utf8')}));

/** Only parses files that can break a convention, because parsing takes time. */
const measured = sources
  .filter(({text}) => linesOf(text) > functions.most || hasLongLine(text))
  .map(({file, text}) => sizesIn(file, text));

describe.each([
  ['function is longer than 60 lines', functions, measured.flatMap((sizes) => sizes.functions)],
  ['string is longer than 200 characters', strings, measured.flatMap((sizes) => sizes.strings)],
] as const)('no %s', (_, {most, exceptions}, sizes) => {
  test('except in the listed files, none of which grows', () => {
    const tooLong = sizes.filter(({file, size}) => size > (exceptions[file] ?? most));
    expect(tooLong.map(({file, line, size}) => `${file}:${line}: ${size}`)).toEqual([]);
  });

  test('and each listed file still needs its exception', () => {
    const needed = new Set(sizes.filter(({size}) => size > most).map(({file}) => file));
    expect(Object.keys(exceptions).filter((file) => !needed.has(file))).toEqual([]);
  });
});

test('functions and strings of every kind are measured', () => {
  const lines = '\n'.repeat(70);
  const long = 'x'.repeat(300);
  const text = `
    function declared() {${lines}}
    const kept = {method() {${lines}}, arrow: () => {${lines}}, expression: function () {${lines}}};
    class Own {method() {${lines}}}
    const words = ['${long}', "${long}", \`${long}\`, \`\${kept}${long}\`, \`${lines}${long}\`];
  `;
  const {functions: found, strings: foundStrings} = sizesIn('sample.ts', text);
  expect(found.map(({size}) => size)).toEqual([71, 71, 71, 71, 71]);
  expect(found.map(({line}) => line)).toEqual([2, 73, 143, 213, 284]);
  expect(foundStrings.map(({size}) => size)).toEqual([300, 300, 300, 307]);
});

function linesOf(text: string): number {
  return text.split('\n').length;
}

function hasLongLine(text: string): boolean {
  return text.split('\n').some((line) => line.length > strings.most);
}

/** Throws for a file that cannot be parsed. */
function sizesIn(
  file: string,
  text: string,
): {readonly functions: readonly Measured[]; readonly strings: readonly Measured[]} {
  const {program, errors} = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors.map(({message}) => message).join()}`);
  const found: {functions: Measured[]; strings: Measured[]} = {functions: [], strings: []};
  const lineOf = ({start}: ESTree.Span): number => linesOf(text.slice(0, start));
  const addFunction = (node: ESTree.Span): void => {
    const size = linesOf(text.slice(node.start, node.end));
    if (size > functions.most) found.functions.push({file, line: lineOf(node), size});
  };
  const addString = (node: ESTree.Span): void => {
    const content = text.slice(node.start + 1, node.end - 1);
    if (content.length <= strings.most || content.includes('\n')) return;
    found.strings.push({file, line: lineOf(node), size: content.length});
  };
  new Visitor({
    FunctionDeclaration: addFunction,
    FunctionExpression: addFunction,
    ArrowFunctionExpression: addFunction,
    TemplateLiteral: addString,
    Literal: (node) => {
      if (typeof node.value === 'string') addString(node);
    },
  }).visit(program);
  return found;
}
