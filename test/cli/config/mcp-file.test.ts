/** Servers of `.mcp.json`, as other programs write it. */

import {writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {expect, onTestFinished, test} from 'vitest';

import {type FolderServers, folderServers} from '../../../cli/config/mcp-file.ts';
import {createConfigFolders} from './workspace.ts';

async function read(
  file: unknown,
  env: Record<string, string> = {},
  scripts: readonly string[] = [],
): Promise<FolderServers> {
  const folders = createConfigFolders();
  for (const name of scripts) writeFileSync(join(folders.project, name), '');
  onTestFinished(() => folders.remove());
  const text = typeof file === 'string' ? file : JSON.stringify(file);
  writeFileSync(join(folders.project, '.mcp.json'), text);
  return await folderServers(folders.project, {...folders.env, ...env});
}

const named = (entry: object) => ({mcpServers: {a: entry}, other: 1});

test('variables are replaced, also with a default', async () => {
  const entry = {
    command: '${HOME}/bin/a',
    args: ['--db=${DB:-main}', '$PLAIN'],
    env: {TOKEN: '${T}'},
    alwaysAllow: ['x'],
  };
  const {servers, isTrusted} = await read(named(entry), {T: 't0', HOME: '/h'});
  expect(isTrusted).toBe(false);
  expect(servers).toMatchObject([
    {
      name: 'a',
      origin: '.mcp.json',
      trusted: false,
      launch: {
        kind: 'stdio',
        command: '/h/bin/a',
        args: ['--db=main', '$PLAIN'],
        env: {TOKEN: 't0'},
      },
    },
  ]);
});

test('a server that is reached by HTTP has its headers', async () => {
  const entry = {type: 'http', url: 'https://x.example/mcp', headers: {A: 'Bearer ${T}'}};
  expect((await read(named(entry), {T: '1'})).servers).toMatchObject([
    {launch: {kind: 'http', url: 'https://x.example/mcp', headers: {A: 'Bearer 1'}}},
  ]);
});

test.each([
  [{command: 'a', env: {X: '${NO_SUCH}'}}, 'the environment variable NO_SUCH is not set'],
  [{type: 'sse', url: 'https://x/'}, /HTTP\+SSE\) is not supported/],
  [{type: 'htp', url: 'https://x/'}, 'its type "htp" is not known; did you mean "http"?'],
  [{args: ['x']}, 'it has neither a command nor a url'],
  [{url: 'file:///etc/passwd'}, 'its url is not an http:// or https:// address'],
  [{command: 7}, /^\.mcp\.json: command /],
])('%j is there, but can not be started', async (entry, why) => {
  const {servers} = await read(named(entry));
  expect(servers).toMatchObject([{name: 'a', launch: {kind: 'refused'}}]);
  const [server] = servers;
  expect(server?.launch.kind === 'refused' ? server.launch.why : '').toMatch(why);
});

test('a disabled server is left out', async () => {
  expect((await read(named({command: 'a', disabled: true}))).servers).toEqual([]);
});

test.each(['{', '[]', '{"mcpServers": 7}'])('%s is a problem, not a server', async (text) => {
  expect(await read(text)).toMatchObject({
    servers: [],
    problem: '.mcp.json has no "mcpServers" that can be read',
  });
});

test('a file of the folder that a row names is named by its whole path, with its hash', async () => {
  const entry = {command: 'python3', args: ['-u', 'server.py', 'other.py']};
  const {servers} = await read(named(entry), {}, ['server.py']);
  expect(servers).toMatchObject([
    {
      launch: {
        command: 'python3',
        args: ['-u', expect.stringMatching(/^\/.*\/server\.py$/), 'other.py'],
        files: [{path: expect.stringMatching(/\/server\.py$/)}],
      },
    },
  ]);
  expect(servers[0]?.launch).not.toHaveProperty('cwd');
});
