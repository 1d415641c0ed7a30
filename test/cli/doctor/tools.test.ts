/** `quorate doctor tools`, with real servers. */

import {execFileSync} from 'node:child_process';
import {rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {PassThrough} from 'node:stream';
import {text} from 'node:stream/consumers';

import {expect, onTestFinished, test} from 'vitest';

import {doctor} from '../../../cli/commands/doctor.ts';
import type {ToolSurvey} from '../../../cli/doctor/tools.ts';
import type {Language} from '../../../cli/language.ts';
import type {Flags, OutputFormat} from '../../../cli/line/command.ts';
import type {McpServer} from '../../../tools/mcp/server.ts';
import {manyTools} from '../../support/many-tools.ts';
import {createMcpPlace, listed} from '../../tools/mcp/place.ts';
import {canConfine} from '../../tools/run/confined.ts';
import {createConfigFolders, type ConfigFolders} from '../folders.ts';

interface Options {
  readonly operands?: readonly string[];
  readonly flags?: Flags;
  readonly output?: OutputFormat;
  readonly language?: Language;
}

async function shown(folders: ConfigFolders, options: Options = {}): Promise<string> {
  const {operands = [], flags = {}, output = 'text', language = 'en'} = options;
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const printed = text(stdout);
  const parsed = {
    operands: ['tools', ...operands],
    flags,
    output,
    quiet: false,
    verbose: false,
    overrides: [],
  };
  const terminal = {stdin, stdout, stderr, env: folders.env, language};
  try {
    expect(await doctor.run({...parsed, cwd: folders.project}, terminal)).toBe(0);
  } finally {
    stdout.end();
  }
  return await printed;
}

async function surveyOf(folders: ConfigFolders, options: Options = {}): Promise<ToolSurvey> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- printed by the command
  return JSON.parse(await shown(folders, {...options, output: 'json'})) as ToolSurvey;
}

function createFolders(): ConfigFolders {
  const folders = createConfigFolders();
  onTestFinished(() => folders.remove());
  return folders;
}

/** Writes `.mcp.json` of the project. */
function nameServers(folders: ConfigFolders, ...servers: readonly McpServer[]): void {
  const entries = servers.map(({name, launch}) => [name, launch]);
  const file = {mcpServers: Object.fromEntries(entries)};
  writeFileSync(join(folders.project, '.mcp.json'), JSON.stringify(file));
}

test('without servers, the tools of a run are listed with their effects', async () => {
  const lines = (await shown(createFolders())).split('\n');
  expect(lines[0]).toBe('TOOL             FROM      RISK  EFFECTS');
  expect(lines).toContain('write_file       built in  high  writes files, workspace');
  expect(lines).toContain('find_tools       built in  low   reaches nothing, texts of others');
});

test('the size of the definitions is shown: all of them, and those of a request', async () => {
  const [place, folders] = [createMcpPlace(), createFolders()];
  const plain = await surveyOf(folders);
  expect(plain.definitionTokens?.all).toBeGreaterThan(2_000);
  expect(await shown(folders)).toMatch(
    /^A request of a worker begins with 1,\d{3} of 2,\d{3} tokens of definitions \(estimated\)\. The model finds the other tools with find_tools\.$/m,
  );
  nameServers(folders, place.byHand({tools: manyTools}));
  await folders.trust();
  const many = await surveyOf(folders, {flags: {start: ['']}});
  expect(many.definitionTokens?.all).toBeGreaterThan(40_000);
  expect(many.definitionTokens?.sent).toBeLessThanOrEqual(2_000);
  folders.writeUser('[agent]\nmax_tool_schema_tokens = 1000000\n');
  rmSync(join(folders.project, '.mcp.json'));
  expect(await shown(folders)).toMatch(
    /begins with 1,\d{3} of 2,\d{3} tokens of definitions \(estimated\)\./m,
  );
});

test('a server of an untrusted folder is never started, and the next step is named', async () => {
  const [place, folders] = [createMcpPlace(), createFolders()];
  nameServers(folders, place.byHand({tools: [listed('echo')]}));
  const {servers} = await surveyOf(folders, {flags: {start: ['']}});
  expect(servers).toMatchObject([{name: 'hand', origin: '.mcp.json', state: 'untrustedFolder'}]);
  expect(() => place.requests()).toThrow('ENOENT');
  expect(await shown(folders)).toMatch(
    /hand +\.mcp\.json +untrusted folder +quorate config --trust/,
  );
  await expect(shown(folders, {flags: {trust: ['hand']}})).rejects.toThrow('not trusted');
});

test('servers are started only on request; then their tools are known without them', async () => {
  const [place, folders] = [createMcpPlace(), createFolders()];
  nameServers(folders, place.byHand({tools: [listed('echo'), {name: 'bad'}]}));
  await folders.trust();
  expect(await shown(folders)).toMatch(/hand +\.mcp\.json +not started yet/);
  expect(() => place.requests()).toThrow('ENOENT');
  expect(await shown(folders, {flags: {start: ['']}})).toMatch(
    /^hand__echo +hand +high +effects not stated/m,
  );
  const count = place.requests().length;
  const {tools: all, servers} = await surveyOf(folders);
  expect(all.find(({name}) => name === 'hand__echo')).toMatchObject({
    source: 'server',
    server: 'hand',
    risk: 'high',
    state: 'offered',
  });
  expect(servers).toMatchObject([
    {state: 'offered', tools: 1, omitted: ['bad has a schema that does not describe an object']},
  ]);
  expect(place.requests()).toHaveLength(count);
});

test('the grade of each server is shown: whether it is confined, its network, and why it does not start', async () => {
  const folders = createFolders();
  const rows = (...lines: readonly string[]): void => {
    const start = 'command = "node"\nargs = ["server.mjs"]\ncwd = "workspace"';
    const elsewhere = '[mcp.other]\ncommand = "no-such-program"';
    folders.writeUser([elsewhere, '[mcp.hosts]', start, ...lines].join('\n'));
  };
  writeFileSync(join(folders.project, 'server.mjs'), '');
  rows('network = ["api.example.com:443"]', '[sandbox]', 'mode = "off"');
  expect((await surveyOf(folders)).servers).toMatchObject([
    {name: 'hosts', grade: {kind: 'unconfined'}},
    {name: 'other', grade: {kind: 'elsewhere'}},
  ]);
  expect(await shown(folders)).toMatch(
    /^SERVER .* CONFINED\nhosts +mcp\.hosts .* no .*; runs code of the folder unconfined: it is switched off/m,
  );
  execFileSync('git', ['init', '-q'], {cwd: folders.project, stdio: 'ignore'});
  expect(await shown(folders)).toMatch(
    /hosts .*; does not start: it may run server\.mjs, which git/,
  );
  if (!canConfine) return;
  rows('network = ["api.example.com:443"]');
  expect(await shown(folders)).toMatch(
    /hosts .* bubblewrap .*; no network, as it may run server\.mjs, which git does not know/,
  );
  execFileSync('git', ['add', 'server.mjs'], {cwd: folders.project});
  expect(await shown(folders)).toMatch(
    /hosts .* bubblewrap .*; network: only api\.example\.com:443/,
  );
  expect(await shown(folders, {language: 'ja'})).toContain('接続先は api.example.com:443 のみ');
});

test('changed tools are shown with their new texts, and trusted by name', async () => {
  const [place, folders] = [createMcpPlace(), createFolders()];
  nameServers(folders, place.byHand({tools: [listed('echo')]}));
  await folders.trust();
  await shown(folders, {flags: {start: ['']}});
  place.byHand({tools: [listed('echo', {description: 'Other \u001b[1mwords.'}), listed('more')]});
  const after = await shown(folders, {flags: {start: ['']}});
  expect(after).toMatch(/^hand__more .* not offered: changed$/m);
  expect(after).toMatch(
    /changed +2 +no +~ echo, \+ more; read: quorate doctor tools "hand"; then: quorate doctor tools --trust "hand"/,
  );
  expect(await shown(folders, {operands: ['hand']})).toContain(
    String.raw`describes it so: "Other \\x1b[1mwords."`,
  );
  const trusting = await shown(folders, {flags: {trust: ['hand']}});
  expect(trusting).toContain('hand is trusted with its tools as they are now: ~ echo, + more');
  const {servers} = await surveyOf(folders);
  expect(servers).toMatchObject([{state: 'offered'}]);
});

test('a server that can not be used says why, and is not trusted', async () => {
  const folders = createFolders();
  folders.writeUser(
    '[mcp.gone]\ncommand = "no-such-program"\n' +
      '[mcp.key]\nurl = "https://mcp.example/"\nheaders_env = {Authorization = "NO_SUCH_KEY"}\n',
  );
  const {servers} = await surveyOf(folders, {flags: {start: ['']}});
  expect(servers).toMatchObject([
    {
      name: 'gone',
      origin: 'mcp.gone',
      state: 'unreachable',
      detail: expect.stringMatching(/not found/),
    },
    {name: 'key', state: 'refused', detail: 'the environment variable NO_SUCH_KEY is not set'},
  ]);
  await expect(shown(folders, {flags: {trust: ['gone']}})).rejects.toThrow(
    /nothing was trusted: .*not found/,
  );
  await expect(shown(folders, {operands: ['gome']})).rejects.toThrow('did you mean "gone"?');
});
