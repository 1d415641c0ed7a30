/** `quorate serve` as a process. */

import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {createLauncher, type Launcher} from '../../support/launch.ts';
import {launchServer, ownerToken} from '../../support/serving.ts';

let launcher: Launcher;
beforeEach(() => {
  launcher = createLauncher();
});
afterEach(() => launcher.remove());

test('the first line has the address, the second the owner’s token, if generated', async () => {
  const server = await launchServer(launcher.folder, ['--log', 'serve.log'], {});
  const {status} = await server.ask('/healthz');
  server.child.kill('SIGTERM');
  const {exitCode} = await server.child;

  expect([status, exitCode]).toEqual([200, 0]);
  expect(server.stdout()).toMatch(
    /^listening on (http:\/\/127\.0\.0\.1:\d+)\nowner token: [\w-]{43}\napi {2}\1\/openapi\.json\n$/,
  );
  const records = readFileSync(join(launcher.folder, 'serve.log'), 'utf8').trimEnd().split('\n');
  expect(records.map((line) => Object(JSON.parse(line))['type'])).toEqual(['listening', 'request']);
});

test('a missing folder of forms, or an invalid form, is an error before anything is served', async () => {
  mkdirSync(join(launcher.folder, 'forms'));
  writeFileSync(join(launcher.folder, 'forms', 'broken.toml'), 'title = 7\n');
  for (const [folder, message] of [
    ['nowhere', /there is no such folder/],
    ['forms', /broken\.toml/],
  ] as const) {
    const {code, stdout, stderr} = await launcher.perform([
      'serve',
      '--port',
      '0',
      '--forms',
      folder,
    ]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
  }
});

function formOf(id: string): string {
  return `id = "${id}"\ntitle = "The ${id}"\n[[fields]]\nid = "name"\nlabel = "Name"\ntype = "text"\n`;
}

test('each form is printed with its address, and the address of the server leads to them', async () => {
  mkdirSync(join(launcher.folder, 'forms'));
  writeFileSync(join(launcher.folder, 'forms', 'trip.toml'), formOf('trip'));
  const server = await launchServer(launcher.folder, ['--forms', 'forms']);
  const only = await fetch(server.url, {redirect: 'manual'});
  writeFileSync(join(launcher.folder, 'forms', 'visit.toml'), formOf('visit'));
  const both = await fetch(server.url);
  server.child.kill('SIGTERM');
  await server.child;

  expect(server.stdout()).toBe(
    `listening on ${server.url}\ntrip  ${server.url}/f/trip\napi  ${server.url}/openapi.json\n`,
  );
  expect([only.status, only.headers.get('location')]).toEqual([302, '/f/trip']);
  expect(await both.text()).toMatch(
    /href="\/f\/trip"><h2>The trip<.*href="\/f\/visit"><h2>The visit</,
  );
});

test('a token of the owner is not printed', async () => {
  const server = await launchServer(launcher.folder);
  const {status} = await server.ask('/v1/interactions', {token: ownerToken});
  server.child.kill('SIGINT');
  await server.child;

  expect(status).toBe(200);
  expect(server.stdout()).toMatch(/^listening on (\S+)\napi {2}\1\/openapi\.json\n$/);
});

test.each(['0.0.0.0', '::', '192.0.2.7', 'forms.example'])(
  'nothing is served at %s before there is a token of the owner’s own',
  async (host) => {
    const {code, stdout, stderr} = await launcher.perform(['serve', '--host', host]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('QUORATE_OWNER_TOKEN');
    expect(existsSync(join(launcher.folder, 'data'))).toBe(false);
  },
);

test('serving other machines causes a warning', async () => {
  const env = {QUORATE_OWNER_TOKEN: ownerToken};
  const server = await launchServer(launcher.folder, ['--host', '0.0.0.0'], env);
  server.child.kill('SIGTERM');
  const {stderr} = await server.child;
  expect(stderr).toMatch(/^warning: http:\/\/0\.0\.0\.0:\d+ can be reached from other machines/);
});

test('a port in use is an error, and nothing is left behind', async () => {
  const server = await launchServer(launcher.folder);
  const {port} = new URL(server.url);
  const {code, stderr} = await launcher.perform(['serve', '--port', port]);
  server.child.kill('SIGTERM');
  await server.child;

  expect(code).toBe(2);
  expect(stderr).toContain(`can't listen at 127.0.0.1:${port}`);
});

test('the built server has the page: one document, one style, one self-contained script', async () => {
  const {url, child} = await launchServer(launcher.folder);
  const [page = '', style = '', script = ''] = await Promise.all(
    ['/s/any', '/page/style.css', '/page/main.js'].map(
      async (path) => await (await fetch(url + path)).text(),
    ),
  );
  child.kill('SIGTERM');
  await child;
  expect(page).toContain('<script type="module" src="/page/main.js">');
  expect(style).toContain(':root');
  expect(script).toContain('/v1/submissions/');
  expect(script).not.toMatch(/^import\b/m);
});
