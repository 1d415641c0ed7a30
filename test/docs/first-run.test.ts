/** The package, as npm lists it, and the first run of README, as text and as a picture. */

import {dirname, join} from 'node:path';
import {stripVTControlCharacters} from 'node:util';

import {execa} from 'execa';
import {afterAll, beforeAll, expect, test} from 'vitest';

import {commandLine, firstRun, pictureOf, schemes} from '../pictures/first-run.ts';
import {codeBlocks, documents, linksOf, readDocument} from '../support/documents.ts';
import {createLauncher, type Launcher} from '../support/launch.ts';

let launcher: Launcher;
let rows: readonly string[];

beforeAll(async () => {
  launcher = createLauncher();
  rows = await firstRun(launcher);
});
afterAll(() => launcher.remove());

test('README shows what the first run prints', () => {
  const printed = [`$ ${commandLine}`, ...rows.map(stripVTControlCharacters), ''].join('\n');
  expect(codeBlocks(readDocument('README.md'), 'text')).toContain(printed);
});

test.each(schemes)('the %s picture shows what the first run prints', (scheme) => {
  expect(readDocument(`diagrams/run-${scheme}.svg`)).toBe(pictureOf(rows, scheme));
});

test('the package has its license, the pages and every file that they link', async () => {
  const {stdout} = await execa('npm', ['pack', '--dry-run', '--ignore-scripts', '--json']);
  const [{files}]: [{files: {path: string}[]}] = JSON.parse(stdout);
  const shipped = files.map(({path}) => path);
  const linked = documents.flatMap((page) =>
    linksOf(readDocument(page)).flatMap((link) => {
      const [path = ''] = link.split('#');
      return path === '' || path.endsWith('/') ? [] : [join(dirname(page), path)];
    }),
  );
  expect(linked).not.toEqual([]);
  expect(shipped).toEqual(expect.arrayContaining(['LICENSE', ...documents, ...linked]));
});
