/** Finds rows of the spec map that the files do not bear out. */

import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import {partsOf, type SpecDocument, type SpecRow} from './row.ts';
import {testNames} from './test-names.ts';

const root = join(import.meta.dirname, '../../..');

/** A sentence for each path that does not exist, and each name or test that its file does not contain. */
export function faultsOf(row: SpecRow): readonly string[] {
  if ('no' in row) return [];
  const [file, name] = partsOf(row.code);
  const [suite, begin] = partsOf(row.test);
  return [
    ...faultIn(file, (text) => isNamed(name, text), name),
    ...faultIn(`test/${suite}`, (text) => hasTest(begin, text), begin),
  ];
}

function faultIn(path: string, holds: (text: string) => boolean, what: string): readonly string[] {
  if (!existsSync(join(root, path))) return [`there is no ${path}`];
  return holds(readFileSync(join(root, path), 'utf8')) ? [] : [`${path} has no "${what}"`];
}

/** As a whole word, outside of longer names. */
function isNamed(name: string, text: string): boolean {
  return new RegExp(String.raw`(?<![\w.])${RegExp.escape(name)}(?!\w)`).test(text);
}

function hasTest(begin: string, text: string): boolean {
  return begin !== '' && testNames(text).some((name) => name.startsWith(begin));
}

/** The ids that every row must have, in the order of the documents. */
export function expectedIds(documents: readonly SpecDocument[]): readonly string[] {
  return documents.flatMap(({sections}, document) =>
    sections.flatMap(({rows}, section) =>
      Object.keys(rows).map((_, row) => [document, section, row].map((n) => n + 1).join('.')),
    ),
  );
}
