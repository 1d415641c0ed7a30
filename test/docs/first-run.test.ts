/** The first run of README, as text and as a picture. */

import {stripVTControlCharacters} from 'node:util';

import {afterAll, beforeAll, expect, test} from 'vitest';

import {commandLine, firstRun, pictureOf} from '../pictures/first-run.ts';
import {schemes} from '../pictures/terminal-picture.ts';
import {codeBlocks, readDocument} from '../support/documents.ts';
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
