/** The places of configuration files, the servers of `.mcp.json`, and permanent permissions in a file of their own. */

import {readFileSync, statSync, writeFileSync} from 'node:fs';
import {userInfo} from 'node:os';
import {join} from 'node:path';

import * as fc from 'fast-check';
import {afterEach, beforeEach, describe, expect, onTestFinished, test, vi} from 'vitest';

import {toAllowRules} from '../../../actors/config/rules.ts';
import {homeWarnings} from '../../../actors/performers/home.ts';
import {forgetRules, keepRule} from '../../../cli/config/allowed.ts';
import {type FolderServers, folderServers} from '../../../cli/config/mcp-file.ts';
import {cacheFolder, dataFolder, userFile} from '../../../cli/config/paths.ts';
import {isDeep} from '../../support/depth.ts';
import {type ConfigFolders, createConfigFolders} from './workspace.ts';

describe('without a named home folder', () => {
  afterEach(() => vi.unstubAllEnvs());

  test.each(['', 'rel', './rel'])('HOME=%j: they are in the home folder of the user', (home) => {
    vi.stubEnv('HOME', home);
    const {homedir} = userInfo();
    const env = home === '' ? {} : {HOME: home};
    expect(dataFolder(env)).toBe(join(homedir, '.local/share/quorate'));
    expect(userFile(env)).toBe(join(homedir, '.config/quorate/config.toml'));
    expect(cacheFolder(env)).toBe(join(homedir, '.cache/quorate'));
    expect(homeWarnings(homedir, env.HOME)).toEqual([expect.stringContaining('your home folder')]);
  });
});

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

const deploy = {folder: '/w', command: 'npm run deploy', match: 'prefix'} as const;

const script = {
  folder: '/w',
  command: 'sh "a b".sh\\',
  match: 'exact',
  basedOn: 'a'.repeat(64),
} as const;

describe('permanent permissions', () => {
  let folders: ConfigFolders;

  let file: string;

  beforeEach(() => {
    folders = createConfigFolders();
    file = join(folders.root, 'xdg', 'quorate', 'allowed.toml');
  });

  afterEach(() => folders.remove());

  test('rules are added to the file of the user, readable by the user only, and apply to the next run', async () => {
    keepRule(deploy, folders.env);
    keepRule(script, folders.env);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const loaded = await folders.load();
    expect(toAllowRules(loaded.config)).toEqual([deploy, script]);
    const shown = loaded.explain().find(({key}) => key === 'allow');
    expect(shown).toMatchObject({value: [{command: 'npm run deploy'}, {}], source: `${file}:1:3`});
  });

  test('any command is read back unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({minLength: 1, unit: 'binary'}), async (command) => {
        writeFileSync(file, '');
        keepRule({folder: '/w', command, match: 'exact'}, folders.env);
        const [rule] = toAllowRules((await folders.load()).config);
        expect(rule?.command).toBe(command);
      }),
      {numRuns: isDeep ? 200 : 40},
    );
  });

  test('a revoked rule leads to a question again, for that folder and that command only', async () => {
    const elsewhere = {...deploy, folder: '/other'};
    const exact = {folder: '/w', command: 'npm run deploy', match: 'exact'} as const;
    for (const rule of [deploy, script, exact, elsewhere]) keepRule(rule, folders.env);
    expect(await forgetRules(deploy, folders.env)).toEqual([deploy, exact]);
    expect(toAllowRules((await folders.load()).config)).toEqual([script, elsewhere]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await expect(forgetRules(deploy, folders.env)).rejects.toThrow(
      '"npm run deploy" is not allowed for good in /w; it is allowed in /other: name that folder with -C',
    );
    await expect(forgetRules({folder: '/w', command: 'sh'}, folders.env)).rejects.toThrow(
      String.raw`"sh" is not allowed for good in /w; there is "sh \"a b\".sh\\"`,
    );
    await forgetRules(script, folders.env);
    await expect(forgetRules(script, folders.env)).rejects.toThrow('nothing is allowed there');
  });

  test('rules of the configuration file come before them', async () => {
    folders.writeUser('[[allow]]\nfolder = "/a"\ncommand = "make x"\n');
    keepRule(deploy, folders.env);
    const {config} = await folders.load();
    expect(toAllowRules(config)).toMatchObject([{command: 'make x', match: 'exact'}, deploy]);
  });

  test('a project can allow nothing, until it is trusted', async () => {
    folders.writeProject('[[allow]]\nfolder = "/w"\ncommand = "rm -rf src"\n');
    const {config, warnings} = await folders.load();
    expect(config.allow).toEqual([]);
    expect(warnings[0]?.en).toContain('allow is ignored');
  });

  test('a file with anything else is refused with its place', async () => {
    writeFileSync(file, '[agent]\nhil_mode = "auto_approve"\n');
    expect(await folders.refusal()).toBe(
      `${file}:2:1: this file accepts only [[allow]]; put other settings into config.toml`,
    );
  });

  test('an invalid rule is refused with its place', async () => {
    keepRule(deploy, folders.env);
    writeFileSync(file, `${readFileSync(file, 'utf8')}[[allow]]\nfolder = "w"\ncommand = "x"\n`);
    expect(await folders.refusal()).toContain('is not an absolute path');
  });
});
