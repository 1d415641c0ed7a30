/** The files of the page as they are served. */

import {readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';

import {expect, expectTypeOf, test} from 'vitest';

import type {Standing} from '../../../../actors/submissions/standing.ts';
import type {Submission} from '../../../../cli/serve/page/browser/sync/wire.ts';
import {pageResponse} from '../../../../cli/serve/page/page.ts';
import {launchServer, temporaryFolder} from '../../../support/serving.ts';

const folder = join(import.meta.dirname, '../../../../cli/serve/page/browser');

const scripts = readdirSync(folder, {recursive: true, encoding: 'utf8'}).filter((name) =>
  name.endsWith('.ts'),
);

test('a form and a submission have the same document for all names', async () => {
  const [one, other] = await Promise.all(
    ['/f/application', '/s/x%2Fy'].map(async (path) => await pageResponse(path)?.text()),
  );
  expect(one).toMatch(/^<!doctype html>/);
  expect(other).toBe(one);
});

test('the document has no inline scripts or styles, and loads nothing from other hosts', () => {
  const {headers} = pageResponse('/f/application') ?? new Response();
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'self'; style-src 'self'; (?!.*(unsafe|https?:|\*))/,
  );
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('set-cookie')).toBeNull();
  expect(readFileSync(join(folder, 'index.html'), 'utf8')).not.toMatch(
    /<style|style=|\son\w+=|<script>|https?:/,
  );
});

test.each(scripts)('%s is served as JavaScript', async (name) => {
  const response = pageResponse(`/page/${name}`);
  expect(response?.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(await response?.text()).not.toMatch(/^(import|export) (type|interface)\b/m);
});

test('the page reads only members of a submission that the server sends', () => {
  expectTypeOf<Standing>().toExtend<Submission>();
});

test('unchanged files are not sent again', async () => {
  const first = pageResponse('/page/style.css');
  const again = pageResponse('/page/style.css', first?.headers.get('etag') ?? '');
  expect([again?.status, await again?.text()]).toEqual([304, '']);
});

test.each([
  '/',
  '/f/',
  '/f/a/b',
  '/page/',
  '/page/tsconfig.json',
  '/page/../page.ts',
  '/page/texts/../../page.ts',
  '/page/none.ts',
])('%s is not part of the page', (path) => {
  expect(pageResponse(path)).toBeUndefined();
});

test('the built server has the page: one document, one style, one self-contained script', async () => {
  const data = temporaryFolder();
  const {url, child} = await launchServer(data.folder);
  const [page = '', style = '', script = ''] = await Promise.all(
    ['/s/any', '/page/style.css', '/page/main.js'].map(
      async (path) => await (await fetch(url + path)).text(),
    ),
  );
  child.kill('SIGTERM');
  await child;
  data.remove();
  expect(page).toContain('<script type="module" src="/page/main.js">');
  expect(style).toContain(':root');
  expect(script).toContain('/v1/submissions/');
  expect(script).not.toMatch(/^import\b/m);
});
