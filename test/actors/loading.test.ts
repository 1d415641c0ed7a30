import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterAll, beforeAll, expect, it} from 'vitest';

let folder: string;
let status: string | undefined;
let loaded: string[];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quorate-loading-'));
  const child = join(import.meta.dirname, 'loading-child.ts');
  const told = execFileSync(process.execPath, [child, folder], {
    encoding: 'utf8',
    env: {...process.env, HOME: folder, QUORATE_HOME: join(folder, 'data')},
  });
  [status, ...loaded] = told.split('\n');
});

afterAll(() => rmSync(folder, {recursive: true}));

it('answers a question', () => {
  expect(status).toBe('completed');
  expect(loaded.some((url) => url.endsWith('/actors/runtime.ts'))).toBe(true);
});

it.each([
  ['the table of programs', /\/tools\/commands\/(?:programs|walk)\//],
  ['the reader of shell text', /\/unbash\//],
  ['the rules of the policies', /\/actors\/policies\/index\.ts/],
  ['what speaks HTTP, which loads what speaks it for browsers', /^node:https?$/],
  ['the SDKs', /\/(?:openai|@anthropic-ai)\//],
])('loads only when it is used: %s', (_, what) => {
  expect(loaded.filter((url) => what.test(url))).toEqual([]);
});
