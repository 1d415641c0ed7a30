/** `quorate inspect` from the command line: its errors, a run as one file, a run as events. */

import {once} from 'node:events';
import {readFileSync, statSync} from 'node:fs';
import {createServer} from 'node:net';
import {join} from 'node:path';

import {describe, expect, onTestFinished, test} from 'vitest';
import {z} from 'zod';

import type {Launched} from '../../support/launch.ts';
import {setStage} from '../stage.ts';

const secret = 'CANARY-5150';
const {launch, workspace} = setStage({
  once: true,
  prepare: async () => {
    const {code, stderr} = await launch(`Create a file notes.txt with the content "${secret}"`);
    if (code !== 0) throw new Error(stderr);
  },
});

async function inspect(...args: readonly string[]): Promise<Launched> {
  return await launch('inspect', ...args);
}

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

describe('--html', () => {
  test('writes a private file that contacts nothing', async () => {
    expect(await inspect('--html', 'run.html')).toMatchObject({code: 0, stdout: '', stderr: ''});
    const path = join(workspace(), 'run.html');
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
    async (place) => {
      const {code, stderr} = await inspect('--html', place);
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
