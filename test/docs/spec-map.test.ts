/** The spec map, which is written by hand: each row names code and a test that exist. */

import {existsSync, readFileSync} from 'node:fs';

import {describe, expect, test} from 'vitest';

/** Begins on a line of its own, as the formatter writes it. */
const call = /^( *)(?:describe|it|test)(?:\.\w+)*(?=[(<])/gm;

const rowPattern =
  /^\| (\d+\.\d+\.\d+) \| .+? \| (?:`(.+)` in (\S+)|\*no\*: .+) \| (?:(\S+): “(.+)”|–) \|$/;

interface Row {
  readonly id: string;
  /** The name and its file are empty for a statement that is not carried out. */
  readonly name: string;
  readonly file: string;
  /** Below `test/`, without `.test.ts`. */
  readonly suite: string;
  /** A pattern of names of tests. */
  readonly words: string;
}

function rowsOf(page: string): readonly Row[] {
  const lines = page.split('\n').filter((line) => /^\| \d/.test(line));
  return lines.map((line) => {
    const [, id = line, name = '', file = '', suite = '', words = ''] = rowPattern.exec(line) ?? [];
    return {id, name, file, suite, words};
  });
}

function faultsOf({id, name, file, suite, words}: Row): readonly string[] {
  if (!/^[\d.]+$/.test(id)) return [`not a row: ${id}`];
  if (name === '') return [];
  const path = `test/${suite}.test.ts`;
  const isNamed = new RegExp(String.raw`(?<![\w.])${RegExp.escape(name)}(?!\w)`);
  const isShown = testNames(textOf(path)).some((each) => new RegExp(words).test(each));
  return [
    ...(isNamed.test(textOf(file)) ? [] : [`${id}: ${file} has no ${name}`]),
    ...(isShown ? [] : [`${id}: ${path} has no “${words}”`]),
  ];
}

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

const rows = rowsOf(readFileSync('diagrams/spec-map.md', 'utf8'));

test('every row names a file that has the name, and a suite that has the test', () => {
  expect(rows.flatMap(faultsOf)).toEqual([]);
});

test('the ids count documents, sections and statements', () => {
  const numbers = rows.map(({id}) => id.split('.').map(Number));
  expect(rows).toHaveLength(267);
  for (const [at, [document = 0, section = 0, statement = 0]] of numbers.entries()) {
    const [lastDocument = 0, lastSection = 0, lastStatement = 0] = numbers[at - 1] ?? [];
    expect([
      [lastDocument, lastSection, lastStatement + 1],
      [lastDocument, lastSection + 1, 1],
      [lastDocument + 1, 1, 1],
    ]).toContainEqual([document, section, statement]);
  }
});

describe('a row is refused', () => {
  const code = '`QuorumRule` in machines/panel/rule.ts';
  const shown = 'machines/panel/rule: “a decision”';

  test.each([
    ['a missing file', '`Rule` in machines/rule.ts', shown, 'machines/rule.ts has no Rule'],
    ['a part of a name', '`QuorumRul` in machines/panel/rule.ts', shown, 'has no QuorumRul'],
    ['a missing suite', code, 'rule: “a decision”', 'test/rule.test.ts has no “a decision”'],
    ['a missing test', code, 'machines/panel/rule: “decisive”', 'has no “decisive”'],
    ['another form', code, 'machines/panel/rule: a decision', 'not a row: | 1.1.1 | It votes'],
  ])('for %s', (_, where, proof, fault) => {
    const [row] = rowsOf(`| 1.1.1 | It votes | ${where} | ${proof} |`);
    expect(row && faultsOf(row)).toEqual([expect.stringContaining(fault)]);
  });
});

test('the name of a test has the titles of its groups', () => {
  const source = [
    "describe('a call', () => {",
    '  test.each([',
    "    ['(', 1], // (",
    "  ])('of %s', (text) => {});",
    "  describe('in doubt', () => {",
    '    it.each<[string, () => void]>([',
    "    ])('isn\\'t %s', () => {});",
    '  });',
    '});',
    'test(',
    "  'a long one',",
    '  () => {},',
    ');',
  ];
  expect(testNames(source.join('\n'))).toEqual([
    'a call > of %s',
    "a call > in doubt > isn't %s",
    'a long one',
  ]);
});

/** Each name as `vitest -t` matches it: the titles of the groups, then its own, with placeholders as they are written. */
function testNames(source: string): readonly string[] {
  const groups: {readonly indent: number; readonly title: string}[] = [];
  return [...source.matchAll(call)].flatMap(({0: head, 1: blanks = '', index}) => {
    const title = titleAt(source, index + head.length);
    if (title === undefined) return [];
    while ((groups.at(-1)?.indent ?? -1) >= blanks.length) groups.pop();
    const name = [...groups.map((group) => group.title), title].join(' > ');
    if (!head.includes('describe')) return [name];
    groups.push({indent: blanks.length, title});
    return [];
  });
}

/** The text at the beginning of the first list of arguments that begins with a text. */
function titleAt(source: string, from: number): string | undefined {
  const title = /\(\s*(['"`])((?:\\.|(?!\1).)*)\1/sy;
  const first = source[from] === '<' ? source.indexOf('>(', from) + 1 : from;
  for (let at = first; source[at] === '('; at = afterArguments(source, at)) {
    title.lastIndex = at;
    const text = title.exec(source)?.[2];
    if (text !== undefined) return text.replaceAll(/\\(.)/gs, '$1');
  }
  return undefined;
}

/** Behind the parenthesis that closes the one at this place. */
function afterArguments(source: string, from: number): number {
  const token = /(['"`])(?:\\.|(?!\1).)*\1|\/\/[^\n]*|[()]/gs;
  token.lastIndex = from;
  let depth = 0;
  for (let found = token.exec(source); found; found = token.exec(source)) {
    if (found[0] === '(') depth += 1;
    if (found[0] === ')') depth -= 1;
    if (depth === 0) return token.lastIndex;
  }
  return source.length;
}
