import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {chartsVersion, versionOf} from '../../actors/version.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quorate-version-'));
  mkdirSync(join(folder, 'room/texts'), {recursive: true});
  write('room/chart.ts', 'one');
  write('room/prompt.ts', 'one');
  write('room/worker-prompt.ts', 'one');
  write('room/prompts.ts', 'one');
  write('room/texts/en.ts', 'one');
});

afterEach(() => rmSync(folder, {recursive: true}));

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

test('a change of the charts changes the version, a change of prompts and messages does not', () => {
  const before = versionOf(folder);
  expect(before).toMatch(/^[\da-f]{16}$/);
  write('room/prompt.ts', 'two');
  write('room/worker-prompt.ts', 'two');
  write('room/prompts.ts', 'two');
  write('room/texts/en.ts', 'two');
  write('room/notes.md', 'two');
  expect(versionOf(folder)).toBe(before);
  write('room/chart.ts', 'two');
  expect(versionOf(folder)).not.toBe(before);
  write('room/chart.ts', 'one');
  expect(versionOf(folder)).toBe(before);
  write('room/another.ts', '');
  expect(versionOf(folder)).not.toBe(before);
});

test('the version is that of the charts', () => {
  expect(chartsVersion()).toBe(versionOf(join(import.meta.dirname, '../../machines')));
});
