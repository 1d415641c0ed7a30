/** README and the pages of the rooms: their sizes and links, and what they have from the code. */

import {existsSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';

import {expect, test} from 'vitest';

import {commands} from '../../cli/commands/index.ts';
import {anchorsOf, documents, linksOf, readDocument, sectionOf} from '../support/documents.ts';
import {generatedPages, withLists} from './generated.ts';

const kib = 1024;

test('README is one page', () => {
  const readme = readDocument('README.md');
  expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(16 * kib);
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(280);
});

const rooms = documents.filter((path) => path !== 'README.md');

/** Generated, and made to be searched rather than read. */
const lists = new Set(['diagrams/spec-map.md']);

test.each(rooms.filter((path) => !lists.has(path)))('%s is at most 12 KB', (path) => {
  expect(Buffer.byteLength(readDocument(path))).toBeLessThanOrEqual(12 * kib);
});

test.each(documents)('every link of %s has an existing target, with its heading', (path) => {
  const dead = linksOf(readDocument(path)).filter((link) => {
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? path : join(dirname(path), file);
    if (!existsSync(resolve(target))) return true;
    return anchor !== undefined && !anchorsOf(readDocument(target)).includes(anchor);
  });
  expect(dead).toEqual([]);
});

test.each(rooms)('another page links to %s', (path) => {
  const linked = documents
    .filter((page) => page !== path)
    .flatMap((page) => linksOf(readDocument(page)).map((link) => join(dirname(page), link)));
  expect(linked.map((link) => link.replace(/#.*/, ''))).toContain(path);
});

test('headings have the anchors of GitHub', () => {
  const page =
    '# One `two`, three\n\n```sh\n# none\n```\n\n## A. B\n\n## A. B\n\n### 東京 & x_y-z [Q](q.md)';
  expect(anchorsOf(page)).toEqual(['one-two-three', 'a-b', 'a-b-1', '東京--x_y-z-q']);
});

test('links in code are ignored', () => {
  const page =
    '[a](b.md#c) `[d](e.md)` <img src="f.png"> [g](https://h.example)\n```ts\n[i](j)\n```\n';
  expect(linksOf(page)).toEqual(['b.md#c', 'f.png']);
});

test.each(generatedPages)('the lists of %s match the code', (path) => {
  const page = readDocument(path);
  expect(withLists(path, page)).toBe(page);
});

test('the page of the command line names every event and command', () => {
  const commandLine = readDocument('cli/README.md');
  const section = sectionOf(commandLine, '## Output for programs');
  const named = new Set(section.match(/(?<=`)[a-z]+\.[a-z]+(?=`)/g));
  const source = readDocument('machines/facts/progress.ts');
  const types = source.match(/(?<=readonly type: ')[a-z]+\.[a-z]+(?=')/g);
  expect([...named].toSorted()).toEqual([...new Set(types)].toSorted());
  for (const name of Object.keys(commands)) {
    expect(commandLine).toMatch(new RegExp(`quorate (?:\\w+\`, \`)?${name}|, \`${name}\``));
  }
});
