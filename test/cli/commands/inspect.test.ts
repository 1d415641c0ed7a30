/** `quorate inspect` from the command line: its errors, a run as one file, a run as events. */

import {once} from 'node:events';
import {mkdirSync, readFileSync, statSync} from 'node:fs';
import {createServer} from 'node:net';
import {join} from 'node:path';

import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest';
import {z} from 'zod';

import {createLauncher, type Launched, type Launcher} from '../../support/launch.ts';

const secret = 'CANARY-5150';
let launcher: Launcher;
let workspace: string;

beforeAll(async () => {
  launcher = createLauncher();
  workspace = join(launcher.folder, 'work');
  mkdirSync(workspace);
  const request = `Create a file notes.txt with the content "${secret}"`;
  const {code, stderr} = await launcher.perform(['-C', workspace, request]);
  if (code !== 0) throw new Error(stderr);
});
afterAll(() => launcher.remove());

async function inspect(...args: readonly string[]): Promise<Launched> {
  return await launcher.perform(['-C', workspace, 'inspect', ...args]);
}

describe('a wrong line is refused in the language of the reader', () => {
  test.each([
    [['--port', '99999'], 'a number from 0 to 65535, not "99999"', '"99999" は使えません'],
    [['--port', '80x'], 'a number from 0 to 65535, not "80x"', '"80x" は使えません'],
    [['--port', '-1'], 'a number from 0 to 65535, not "-1"', '"-1" は使えません'],
    [['--html', 'a.html', '--stately'], '--stately', '--stately とは使えません'],
    [['--stately', '--port', '0'], '--port', '--port とは使えません'],
    [['nobody'], 'there is no run nobody', '実行 nobody はありません'],
    [['a', 'b'], '"a b"', 'a b'],
  ])('%j', async (args, english, japanese) => {
    const reply = await inspect(...args);
    expect(reply).toMatchObject({code: 2, stdout: ''});
    expect(reply.stderr).toContain(english);
    const localized = await inspect(...args, '--lang', 'ja');
    expect(localized.code).toBe(2);
    expect(localized.stderr).toContain(japanese);
  });
});

test('a port that is in use is named', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const {code, stdout, stderr} = await inspect('--port', String(port));
  expect({code, stdout}).toEqual({code: 2, stdout: ''});
  expect(stderr).toContain(`can't listen at 127.0.0.1:${port}`);
});

test('in a folder without runs there is nothing to write', async () => {
  const empty = join(launcher.folder, 'empty');
  mkdirSync(empty);
  for (const form of [['--stately'], ['--html', 'a.html']]) {
    const {code, stdout, stderr} = await launcher.perform(['-C', empty, 'inspect', ...form]);
    expect({code, stdout}).toEqual({code: 2, stdout: ''});
    expect(stderr).toContain('there is no run in');
  }
});

describe('--html', () => {
  test('writes a private file that contacts nothing', async () => {
    expect(await inspect('--html', 'run.html')).toMatchObject({code: 0, stdout: '', stderr: ''});
    const path = join(workspace, 'run.html');
    const page = readFileSync(path, 'utf8');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(page).toContain("default-src 'none'");
    expect(page).not.toContain('connect-src');
    const places = page.match(/\b(?:https?|wss?):\/\/[\w.]+/g) ?? [];
    expect(new Set(places)).toEqual(new Set(['http://www.w3.org']));
    expect(page).toContain(secret);
  });

  test('- writes the file to stdout', async () => {
    const {code, stdout} = await inspect('--html', '-');
    expect([code, stdout.startsWith('<!doctype html>')]).toEqual([0, true]);
  });

  test.each(['.', 'no/such/folder.html', '/dev/full'])(
    'reports that %s is no place',
    async (at) => {
      const {code, stderr} = await inspect('--html', at);
      expect(code).toBe(2);
      expect(stderr).toMatch(/^quorate: can't write .+: E[A-Z]+/);
    },
  );
});

/** As the types of `@statelyai/inspect` 0.7 describe them, after a way through JSON. */
const base = {
  rootId: z.string().min(1),
  sessionId: z.string().min(1),
  createdAt: z.string().regex(/^\d+$/),
  id: z.string().min(1),
  _version: z.string().regex(/^0\.7\./),
};
const event = z.looseObject({type: z.string().min(1)});
const snapshot = z.strictObject({
  status: z.enum(['active', 'done', 'error', 'stopped']),
  value: z.unknown(),
  context: z.unknown(),
  children: z.record(z.string(), z.unknown()),
});
const stately = z.discriminatedUnion('type', [
  z.strictObject({
    ...base,
    type: z.literal('@xstate.actor'),
    name: z.string(),
    snapshot,
    definition: z.string(),
    parentId: z.string().optional(),
  }),
  z.strictObject({
    ...base,
    type: z.literal('@xstate.event'),
    event,
    sourceId: z.string().optional(),
  }),
  z.strictObject({...base, type: z.literal('@xstate.snapshot'), event, snapshot}),
]);

test('--stately prints events that a receiver of @statelyai/inspect takes, each actor before its events', async () => {
  const {code, stdout, stderr} = await inspect('--stately');
  expect({code, stderr}).toEqual({code: 0, stderr: ''});
  const lines = stdout.trimEnd().split('\n');
  const events = lines.map((line) => stately.parse(JSON.parse(line)));
  expect(new Set(events.map(({id}) => id)).size).toBe(events.length);
  const begun = events.filter((each) => each.type === '@xstate.actor');
  const strays = events.filter(({sessionId, ...each}, index) => {
    const actors = new Set(
      events
        .slice(0, index + 1)
        .flatMap((one) => (one.type === '@xstate.actor' ? [one.sessionId] : [])),
    );
    const parent = 'parentId' in each ? each.parentId : undefined;
    return !actors.has(sessionId) || (parent !== undefined && !actors.has(parent));
  });
  expect(strays).toEqual([]);
  const definitions = begun.map(({definition}): unknown => JSON.parse(definition));
  for (const each of definitions) expect(each).toMatchObject({id: expect.any(String)});
  const kinds = new Set(events.map(({type}) => type));
  expect(kinds).toEqual(new Set(['@xstate.actor', '@xstate.event', '@xstate.snapshot']));
});
