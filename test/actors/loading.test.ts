import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

import {afterAll, beforeAll, expect, it} from 'vitest';

let folder: string;
let status: string | undefined;
let loaded: string[];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quorate-loading-'));
  const child = join(import.meta.dirname, 'loading-child.ts');
  const output = execFileSync(process.execPath, [child, folder], {
    encoding: 'utf8',
    env: {...process.env, HOME: folder, QUORATE_HOME: join(folder, 'data')},
  });
  [status, ...loaded] = output.split('\n');
});

afterAll(() => rmSync(folder, {recursive: true}));

it('answers a question', () => {
  expect(status).toBe('completed');
  expect(loaded.some((url) => url.endsWith('/actors/runtime.ts'))).toBe(true);
});

it.each([
  ['the reader of commands', /\/tools\/commands\/(?:reader|calls|known)\.ts$/],
  ['the reader of shell text', /\/unbash\//],
  ['the rules of the policies', /\/actors\/policies\/index\.ts/],
  ['the HTTP client, which loads the one for browsers', /^node:https?$/],
  ['the SDKs', /\/(?:openai|@anthropic-ai|@modelcontextprotocol)\//],
  [
    'connections to MCP servers',
    /\/tools\/mcp\/(?:connection|sessions|server-process|listing)\.ts$/,
  ],
  [
    'reading and writing files, except the survey and the context files with which a run opens',
    /\/tools\/(?:read\/(?!glob)(?!grep-search|read-file|read\.ts|survey|pace|tree)|write\/(?!edit-file|write-file|leftovers))/,
  ],
  ['running commands', /\/tools\/run\/(?:perform|child|guard|resolved-command)\.ts$/],
  ['the sandbox of commands', /\/tools\/run\/sandbox\/(?!destination\.ts)/],
  ['snapshots of changes by commands', /\/tools\/run\/snapshot\/(?:watch|view|walk|pack)\.ts$/],
  ['the document search', /\/tools\/search\/(?:searcher|documents|shelf|store|rank|words)\.ts$/],
  ['the walk by globs', /\/(?:fast-glob|micromatch)\//],
  ['database queries', /\/tools\/database\/(?!database\.ts)/],
  ['fetching pages', /\/tools\/web\/(?!web-fetch\.ts)/],
  ['the journal on PostgreSQL', /\/actors\/journal\/postgres\/|\/node_modules\/pg/],
  ['the undo of a run', /\/actors\/undo\/undo/],
  ['parts of Node for the network and scripts', /^node:(?:net|dgram|vm)$/],
])('loads only on first use: %s', (_, what) => {
  expect(loaded.filter((url) => what.test(url))).toEqual([]);
});

/** Node parses the literals inside functions, too, when it loads a file. */
it('contains no regular expression literal with a table of emoji, which takes 20 ms to parse', () => {
  const own = loaded.filter((url) => url.startsWith('file:') && !url.includes('/node_modules/'));
  const literal = /\/[^/\n]*\\p\{(?:RGI_|Basic_Emoji|Emoji_Keycap)[^/\n]*\/[a-z]*v/;
  expect(own.length).toBeGreaterThan(100);
  expect(own.filter((url) => literal.test(readFileSync(fileURLToPath(url), 'utf8')))).toEqual([]);
});
