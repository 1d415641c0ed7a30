/** The spec map: each row names code and a test that exist, and the page shows the rows. */

import {readFileSync} from 'node:fs';

import {describe, expect, test} from 'vitest';

import {documents} from './spec-map/documents.ts';
import {expectedIds, faultsOf} from './spec-map/faults.ts';
import {specMapPage} from './spec-map/page.ts';
import type {SpecRow} from './spec-map/row.ts';
import {testNames} from './spec-map/test-names.ts';

const rows = documents.flatMap(({sections}) =>
  sections.flatMap((section) => Object.entries(section.rows)),
);

test('every row names a file that has the name, and a suite that has the test', () => {
  const faults = rows.flatMap(([id, row]) => faultsOf(row).map((fault) => `${id}: ${fault}`));
  expect(faults).toEqual([]);
});

test('the ids count documents, sections and statements', () => {
  expect(rows.map(([id]) => id)).toEqual(expectedIds(documents));
});

test('the page is current, and below 60 KB', () => {
  const page = specMapPage();
  expect(readFileSync('diagrams/spec-map.md', 'utf8')).toBe(page);
  expect(Buffer.byteLength(page)).toBeLessThan(60 * 1024);
});

describe('a row is refused', () => {
  const says = 'a statement';
  const code = 'machines/panel/rule.ts#QuorumRule';
  const shown = 'machines/panel/rule.test.ts#a decision';

  test.each<readonly [string, SpecRow, string]>([
    [
      'a missing file',
      {says, code: 'machines/rule.ts#Rule', test: shown},
      'there is no machines/rule.ts',
    ],
    [
      'a part of a name',
      {says, code: 'machines/panel/rule.ts#QuorumRul', test: shown},
      'has no "QuorumRul"',
    ],
    [
      'a missing suite',
      {says, code, test: 'rule.test.ts#a decision'},
      'there is no test/rule.test.ts',
    ],
    [
      'a missing test',
      {says, code, test: 'machines/panel/rule.test.ts#decision'},
      'has no "decision"',
    ],
  ])('for %s', (_, row, fault) => {
    expect(faultsOf(row)).toEqual([expect.stringContaining(fault)]);
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
    'a call of %s',
    "a call in doubt isn't %s",
    'a long one',
  ]);
});
