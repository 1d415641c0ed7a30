/** Servers that run code of the workspace: confined where a sandbox works, and known to git where none does. Real servers. */

import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {createServer} from 'node:http';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {describe, expect, onTestFinished, test} from 'vitest';

import {type Grade, planStart} from '../../../tools/mcp/server-start.ts';
import type {McpServer, StdioLaunch} from '../../../tools/mcp/server.ts';
import type {McpServers} from '../../../tools/mcp/servers.ts';
import {namedFiles} from '../../../tools/mcp/start-place.ts';
import {statOf} from '../../../tools/run/processes.ts';
import type {SandboxOptions} from '../../../tools/run/sandbox.ts';
import {byLandlock, canConfine, hasLandlock} from '../run/confined.ts';
import {createMcpPlace, type McpPlace, pinsOf, serverOf} from './place.ts';

const script = join(import.meta.dirname, '../../fixtures/mcp/inside.ts');
const byBubblewrap = {grades: ['bubblewrap']} as const;

interface Inside extends McpPlace {
  /** The outcome of a tool of the server, in a run that has changed these files. */
  readonly said: (
    servers: McpServers,
    tool: string,
    target?: string,
    changed?: readonly string[],
  ) => Promise<string>;
  readonly git: (...args: readonly string[]) => void;
  readonly gradeOf: (servers: McpServers) => Promise<Grade | undefined>;
}

/** A workspace with the server in `server.ts`. */
function createInside(sandbox: SandboxOptions): Inside {
  const place = createMcpPlace(sandbox);
  copyFileSync(script, join(place.folder, 'server.ts'));
  return {
    ...place,
    said: async (servers, tool, target = '', changed = []) => {
      await servers.ready();
      const context = {changed: async () => await Promise.resolve(changed)};
      const outcome = await place.call(servers, `inside__${tool}`, {target}, context);
      const {text = ''} = 'text' in outcome ? outcome : {};
      return outcome.kind === 'succeeded' ? text.slice(text.indexOf('\n\n') + 2) : text;
    },
    git: (...args) => {
      const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
      execFileSync('git', [...author, ...args], {cwd: place.folder, stdio: 'ignore'});
    },
    gradeOf: async (servers) => (await servers.grades()).get('inside'),
  };
}

function inside(more: Partial<StdioLaunch> = {cwd: 'workspace'}): McpServer {
  const args = ['--no-warnings', 'server.ts'];
  const launch = {kind: 'stdio', command: process.execPath, args, env: {}} as const;
  return serverOf('inside', {...launch, ...more});
}

function createOutside(): string {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-outside-'));
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  writeFileSync(join(folder, 'secret.txt'), 'a secret');
  return folder;
}

/** An HTTP server of this machine; its address. */
async function serve(): Promise<string> {
  const server = createServer((_request, response) => response.end('reached'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

const grades = [
  ...(canConfine ? [['bubblewrap', {mode: 'required', ...byBubblewrap}] as const] : []),
  ...(hasLandlock ? [['landlock', {mode: 'required', ...byLandlock}] as const] : []),
];

describe.each(grades)('a server of the workspace, confined by %s', (by, sandbox) => {
  test('answers, and reaches neither files outside, nor credentials, nor the network', async () => {
    const place = createInside(sandbox);
    const [outside, address] = [createOutside(), await serve()];
    writeFileSync(join(place.folder, '.env'), 'TOKEN=abcdefgh12345678\n');
    mkdirSync(join(place.folder, 'data'));
    const servers = place.open(inside());
    expect(await place.gradeOf(servers)).toEqual({kind: 'confined', by, network: []});
    expect(await place.said(servers, 'place')).toBe(place.folder);
    expect(await place.said(servers, 'read', 'server.ts')).toContain('An MCP server');
    expect(await place.said(servers, 'write', 'data/own.txt')).toBe('written');
    expect(await place.said(servers, 'read', join(outside, 'secret.txt'))).toMatch(/^failed/);
    expect(await place.said(servers, 'write', join(outside, 'new.txt'))).toMatch(/^failed/);
    expect(await place.said(servers, 'write', 'AGENTS.md')).toMatch(/^failed/);
    expect(await place.said(servers, 'write', '.vscode/tasks.json')).toMatch(/^failed/);
    expect(await place.said(servers, 'read', '.env')).not.toContain('abcdefgh');
    expect(await place.said(servers, 'fetch', `http://${address}`)).toMatch(/^failed/);
    expect(readdirSync(outside)).toEqual(['secret.txt']);
  });

  test('starts with a script that the run has changed', async () => {
    const place = createInside(sandbox);
    const servers = place.open(inside());
    expect(await place.said(servers, 'place', '', ['server.ts'])).toBe(place.folder);
  });

  test('starts in a folder of its own if a trusted row only names its file', async () => {
    const place = createInside(sandbox);
    const file = join(place.folder, 'server.ts');
    const files = namedFiles([file], place.folder);
    const servers = place.open(inside({args: ['--no-warnings', file], files}));
    expect(await place.gradeOf(servers)).toMatchObject({kind: 'confined'});
    const own = await place.said(servers, 'place');
    expect(own).not.toContain(place.folder);
    expect(own).not.toContain('quorate-server-');
  });

  test('ends with its run, with a process that left its group, and leaves nothing in the workspace', async () => {
    const place = createInside(sandbox);
    const before = readdirSync(place.folder);
    const servers = place.open(inside());
    const seconds = `600.${process.pid}`;
    await place.said(servers, 'leave', seconds);
    const [group = 0] = place.groups;
    expect(countSleepers(seconds)).toBe(1);
    expect(readdirSync(place.folder).toSorted()).toEqual([...before, 'pins'].toSorted());
    writeFileSync(join(place.folder, 'AGENTS.md'), 'of a person');
    await servers.end('r1');
    expect(statOf(group)).toBeUndefined();
    expect(countSleepers(seconds)).toBe(0);
    expect(readdirSync(place.folder).toSorted()).toEqual(
      [...before, 'AGENTS.md', 'pins'].toSorted(),
    );
  });

  test('does not outlive a process that is killed', async () => {
    const place = createInside(sandbox);
    const server = inside();
    await place.open(server).ready();
    const given = [
      pinsOf(place.folder),
      JSON.stringify(server),
      place.folder,
      JSON.stringify(sandbox),
    ];
    const holder = spawn(
      process.execPath,
      [join(import.meta.dirname, 'holding-child.ts'), ...given],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const group = Number(String(await once(holder.stdout, 'data')));
    expect(statOf(group)).toBeDefined();
    holder.kill('SIGKILL');
    await expect.poll(() => statOf(group)).toBeUndefined();
  });

  test('whose command is missing says so', async () => {
    const place = createInside(sandbox);
    const servers = place.open(inside({command: 'no-such-server', cwd: 'workspace'}));
    await servers.ready();
    expect(servers.statuses()).toMatchObject([
      {state: 'unreachable', detail: expect.stringContaining('was not found')},
    ]);
  });
});

test.runIf(canConfine)(
  'the network of a row reaches only its hosts, and none with code that the run has changed',
  async () => {
    const place = createInside({mode: 'required', ...byBubblewrap});
    const [named, other] = [await serve(), await serve()];
    const server = inside({network: [named], cwd: 'workspace'});
    const servers = place.open(server);
    expect(await place.gradeOf(servers)).toMatchObject({kind: 'confined', network: [named]});
    expect(await place.said(servers, 'fetch', `http://${named}`)).toBe('200 reached');
    expect(await place.said(servers, 'fetch', `http://${other}`)).toMatch(/^failed/);
    const later = place.open(server);
    expect(await place.said(later, 'fetch', `http://${named}`, ['server.ts'])).toMatch(/^failed/);
  },
);

describe('where nothing confines', () => {
  const off = {mode: 'off'} as const;

  test('known code runs unconfined', async () => {
    const place = createInside(off);
    place.git('init', '-q');
    place.git('add', 'server.ts');
    const servers = place.open(inside());
    expect(await place.gradeOf(servers)).toEqual({
      kind: 'unconfined',
      why: expect.stringContaining('switched off'),
    });
    const secret = join(createOutside(), 'secret.txt');
    expect(await place.said(servers, 'read', secret)).toBe('a secret');
  });

  test('a script that git does not know is refused by its name', async () => {
    const place = createInside(off);
    place.git('init', '-q');
    place.git('commit', '-q', '--allow-empty', '-m', 'first');
    const servers = place.open(inside());
    await servers.ready();
    expect(servers.statuses()).toMatchObject([
      {
        state: 'unreachable',
        detail: expect.stringMatching(/server\.ts, which git does not know .* install bubblewrap/),
      },
    ]);
  });

  test('a script that the run has changed is refused, also one that is reached by another', async () => {
    const place = createInside(off);
    writeFileSync(join(place.folder, 'start.sh'), `exec ${process.execPath} server.ts\n`);
    const servers = place.open(inside({command: '/bin/sh', args: ['start.sh'], cwd: 'workspace'}));
    expect(await place.said(servers, 'place', '', ['server.ts'])).toContain('it may run server.ts');
    expect(await place.said(servers, 'place', '', ['start.sh'])).toContain('it may run start.sh');
    expect(await place.said(servers, 'place', '', ['notes.md'])).toBe(place.folder);
  });

  test('a program that the run has changed is refused for a start that may run it', async () => {
    const place = createInside(off);
    const path = 'node_modules/.bin/tool';
    mkdirSync(join(place.folder, 'node_modules/.bin'), {recursive: true});
    writeFileSync(join(place.folder, path), '#!/bin/sh\nexit 0\n');
    chmodSync(join(place.folder, path), 0o755);
    const launch = {
      kind: 'stdio',
      command: 'npx',
      args: ['tool'],
      env: {},
      cwd: 'workspace',
    } as const;
    const gradeAfter = async (...changed: readonly string[]): Promise<Grade> => {
      const ground = {workspace: place.folder, sandbox: off};
      const start = {...ground, changed: async () => await Promise.resolve(changed)};
      return (await planStart(launch, start)).grade;
    };
    expect(await gradeAfter('notes.md')).toMatchObject({kind: 'unconfined'});
    expect(await gradeAfter('notes.md', path)).toMatchObject({
      kind: 'refused',
      why: expect.stringContaining(path),
    });
  });

  test('a server is refused if a sandbox is required', async () => {
    const place = createInside({mode: 'required', ...byBubblewrap, candidates: []});
    const servers = place.open(inside());
    await servers.ready();
    expect(servers.statuses()).toMatchObject([
      {state: 'unreachable', detail: expect.stringContaining('mode = "required"')},
    ]);
  });
});

function countSleepers(seconds: string): number {
  return readdirSync('/proc').filter((pid) => commandLineOf(pid) === `sleep\0${seconds}\0`).length;
}

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
