/** `quorate config --trust`: what it shows, asks and remembers. */

import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {PassThrough} from 'node:stream';

import {beforeEach, describe, expect, test} from 'vitest';

import {readFolder, trustedContent} from '../../../cli/config/folder-trust.ts';
import {performLine} from '../../../cli/main.ts';
import {runLine} from '../../support/command-line.ts';
import {setFolder} from '../folders.ts';
import {createTestTerminal} from '../gate/person.ts';

const japanese = /[ぁ-んァ-ン一-龠]/;

const root = setFolder();
let project = '';
let env: Record<string, string> = {};

beforeEach(() => {
  project = join(root(), 'project');
  mkdirSync(project);
  env = {HOME: root(), QUORATE_HOME: join(root(), 'data'), XDG_CONFIG_HOME: root(), LANG: 'C'};
});

const toml = `[agent]
hil_mode = "auto_approve"
max_iterations = 5
[tools.deploy]
command = ["deploy", "--to={place}", "a\\nb"]
description = "Deploys."
[tools.deploy.parameters.place]
type = "string"
`;

const mcp = {
  mcpServers: {
    'no\u202etes': {
      command: 'sh',
      args: ['-c', 'touch started'],
      env: {NOTES_TOKEN: 'sekret-value'},
    },
    far: {type: 'http', url: 'https://mcp.example/', headers: {Authorization: 'Bearer sekret'}},
  },
};

function put(): void {
  writeFileSync(join(project, 'quorate.toml'), toml);
  writeFileSync(join(project, '.mcp.json'), JSON.stringify(mcp));
}

async function run(...argv: readonly string[]) {
  return await runLine(['-C', project, ...argv], env);
}

async function isTrusted(): Promise<boolean> {
  return (await trustedContent(project, env)).isTrusted;
}

/** On a terminal. Absent reply: it asks nothing. */
async function replying(reply: string | undefined, ...argv: readonly string[]) {
  const {input, output, sees, type, screen} = createTestTerminal({columns: 300});
  const stdout = new PassThrough();
  const terminal = {stdin: input, stdout, stderr: output, env};
  const ended = performLine(['-C', project, ...argv], terminal);
  if (reply !== undefined) {
    await sees('[y/N]');
    type(`${reply}\r`);
  }
  return {code: await ended, out: String(stdout.read() ?? ''), err: screen()};
}

describe('--show', () => {
  test('lists loosening settings, tools and servers in full, without values of variables, and starts nothing', async () => {
    put();
    const {hash} = await readFolder(project);
    const {code, out, err} = await run('config', '--trust', '--show');
    expect(out).toBe(`${project} wants to load:
  settings that loosen something, of quorate.toml
    agent.hil_mode = "auto_approve"  # quorate.toml:2:1
  tools, of quorate.toml
    tools.deploy = {command = ["deploy", "--to={place}", "a\\nb"], description = "Deploys.", parameters = {place = {type = "string"}}}  # quorate.toml:4:8
  MCP servers, of .mcp.json
    "no<U+202E>tes": ["sh", "-c", "touch started"]; gets the variables NOTES_TOKEN
    far: type = "http"; url = "https://mcp.example/"; headers = ["Authorization"]
SHA-256 of quorate.toml and .mcp.json: ${hash}
It is not trusted: none of this is loaded or started.
`);
    expect([code, err, await isTrusted()]).toEqual([0, '', false]);
    expect(existsSync(join(project, 'started'))).toBe(false);
  });

  test('is in Japanese on a Japanese screen, and the same as JSON', async () => {
    put();
    env['LANG'] = 'ja_JP.UTF-8';
    const {out} = await run('config', '--trust', '--show');
    expect(out.split('\n').filter((line) => /:$|[。です]$/.test(line))).not.toEqual([]);
    expect(out).toMatch(/が読み込みたいもの:\n {2}quorate\.toml の、緩める設定\n/);
    const ja = await run('config', '--trust', '--show', '--output', 'json');
    env['LANG'] = 'C';
    expect(await run('config', '--trust', '--show', '--output', 'json')).toEqual(ja);
    expect(JSON.parse(ja.out)).toMatchObject({
      folder: project,
      trusted: false,
      settings: [{key: 'agent.hil_mode', value: 'auto_approve'}, {key: 'tools.deploy'}],
      servers: {servers: [{env: ['NOTES_TOKEN']}, {name: 'far'}]},
    });
    expect(ja.out).not.toContain('sekret');
  });

  test('names a list of servers that can not be read', async () => {
    writeFileSync(join(project, '.mcp.json'), '{"mcpServers": [');
    expect((await run('config', '--trust', '--show')).out).toContain('    not a list of servers: ');
    writeFileSync(join(project, '.mcp.json'), '{"servers": {}}');
    expect((await run('config', '--trust', '--show')).out).toContain(
      'it has no table "mcpServers"',
    );
  });

  test('cuts nothing of a long tool', async () => {
    const words = Array.from({length: 900}, (_, at) => `word${at}`);
    writeFileSync(
      join(project, 'quorate.toml'),
      `[tools.t]\ndescription = "T"\ncommand = ${JSON.stringify(['x', ...words.slice(0, 190), 'y'.repeat(9000), 'rm'])}\n`,
    );
    const {out} = await run('config', '--trust', '--show');
    expect(out).toContain('"word189"');
    expect(out).toContain(`${'y'.repeat(9000)}", "rm"]`);
  });
});

describe('without a terminal', () => {
  test('config --trust shows, trusts nothing, and prints the line that would', async () => {
    put();
    const {hash} = await readFolder(project);
    const {code, out, err} = await run('config', '--trust');
    expect(out).toBe((await run('config', '--trust', '--show')).out);
    expect(err).toBe(
      `quorate: without a terminal, nothing is trusted; to trust exactly this: quorate -C ${project} config --trust --hash ${hash}\n`,
    );
    expect([code, await isTrusted()]).toEqual([2, false]);
    env['LANG'] = 'ja';
    expect((await run('config', '--trust')).err).toMatch(
      /^quorate: 端末がないので、.*--hash [0-9a-f]{64}\n$/,
    );
  });

  test('--hash trusts these files only', async () => {
    put();
    const {hash} = await readFolder(project);
    writeFileSync(join(project, '.mcp.json'), '{}');
    const other = await run('config', '--trust', '--hash', hash);
    expect(other.code).toBe(2);
    expect(other.err).toMatch(
      /have the SHA-256 [0-9a-f]{64}, not [0-9a-f]{64}: nothing was trusted/,
    );
    expect(await isTrusted()).toBe(false);
    put();
    const same = await run('config', '--trust', '--hash', hash.toUpperCase());
    expect(same).toMatchObject({code: 0, err: ''});
    expect(same.out).toContain(`${project} is trusted as it is now (sha256 ${hash})`);
    expect(await isTrusted()).toBe(true);
    expect((await run('config', '--trust', '--show')).out).toMatch(
      /\nIt is trusted as it is now\.\n$/,
    );
    expect(await run('config', '--trust')).toMatchObject({code: 0});
  });
});

describe('on a terminal', () => {
  test('config --trust shows, asks and remembers', async () => {
    put();
    const no = await replying('n', 'config', '--trust');
    expect(no).toMatchObject({code: 1, out: ''});
    expect(no.err).toMatch(
      /tools\.deploy = [\s\S]*Trust exactly this from now on\? \[y\/N\][\s\S]*nothing was trusted\r?\n$/,
    );
    expect(await isTrusted()).toBe(false);
    const yes = await replying('y', 'config', '--trust');
    expect(yes.code).toBe(0);
    expect(yes.out).toMatch(/is trusted as it is now \(sha256 [0-9a-f]{64}\); a change of/);
    expect(await isTrusted()).toBe(true);
    const again = await replying(undefined, 'config', '--trust');
    expect([again.code, again.err]).toEqual([0, '']);
  });
});

describe('usage errors', () => {
  test.each([
    [['--hash', 'abc'], 'takes all 64 hexadecimal digits', '64 桁すべて'],
    [['--hash', 'a'.repeat(63)], 'takes all 64 hexadecimal digits', '64 桁すべて'],
    [['--hash', 'a'.repeat(64), '--show'], '--show only shows', '--show は表示だけ'],
    [['it'], 'takes no words', 'config'],
    [['--hash', 'a'.repeat(64)], 'nothing was trusted', '何も信頼しませんでした'],
  ])('%j is refused in both languages', async (argv, en, ja) => {
    put();
    const english = await run('config', '--trust', ...argv);
    expect([english.code, english.err]).toEqual([2, expect.stringContaining(en)]);
    expect(english.err).not.toMatch(japanese);
    env['LANG'] = 'ja';
    const translated = await run('config', '--trust', ...argv);
    expect([translated.code, translated.err]).toEqual([2, expect.stringContaining(ja)]);
    expect(translated.err).toMatch(japanese);
  });

  test.each(['--show', '--hash=abc'])('%s is for --trust', async (option) => {
    const {code, err} = await run('config', option);
    expect([code, err]).toEqual([2, expect.stringMatching(/is for quorate config --trust/)]);
  });

  test('a folder without files has nothing to trust', async () => {
    const {code, err} = await run('config', '--trust');
    expect([code, err]).toEqual([
      2,
      `quorate: there is nothing to trust in ${project}: neither quorate.toml nor .mcp.json\n`,
    ]);
  });
});

test('every command of an untrusted folder prints one warning line, in the language of the screen', async () => {
  put();
  const en = await run('config', '--output', 'json');
  expect(en.err).toMatch(
    /^warning: quorate\.toml:2:1: agent\.hil_mode, .*: quorate config --trust --show\n$/,
  );
  env['LANG'] = 'ja';
  const ja = await run('ask', 'What is 2 + 3?');
  const warnings = ja.err.split('\n').filter((line) => line.includes('quorate config --trust'));
  expect(warnings).toEqual([
    expect.stringMatching(/^警告: quorate\.toml:2:1: .*\.mcp\.json を無視します。/),
  ]);
  expect(existsSync(join(project, 'started'))).toBe(false);
});
