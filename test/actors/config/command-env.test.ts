/** Variables that commands get by name, and those that they never get. */

import {mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {commandEnv} from '../../../actors/config/command-env.ts';
import {createRuntime} from '../../../actors/runtime.ts';
import {builtInTools, createToolbox} from '../../../tools/index.ts';

let workspace = '';
beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-test-')));
});
afterEach(() => rmSync(workspace, {recursive: true, force: true}));

test('what is named is given on as it is set, and what is not set is none', () => {
  const env = {JAVA_HOME: '/opt/java', OTHER: 'x', EMPTY: ''};
  expect(commandEnv(['JAVA_HOME', 'EMPTY', 'GONE'], env)).toEqual({
    values: {JAVA_HOME: '/opt/java', EMPTY: ''},
    warnings: [],
  });
});

test.each([
  ['by its name', 'AWS_SECRET_ACCESS_KEY', 'abcdefgh'],
  ['by its name, though it is not set', 'GITHUB_PAT', undefined],
  ['by its value', 'REMOTE', 'postgres://user:hunter22@host/db'],
])('a secret stays out, known %s, and a warning names it', (_, name, value) => {
  const {values, warnings} = commandEnv([name], {[name]: value});
  expect(values).toEqual({});
  expect(warnings).toEqual([
    `commands.env names ${name}, which holds a secret: commands do not get it`,
  ]);
});

test.each(['auto', 'off'] as const)('a command sees it, in the sandbox mode %s', async (mode) => {
  const box = createToolbox(builtInTools(mode, {env: {JAVA_HOME: '/opt/java'}}));
  const outcome = await box.run(
    {
      tool: 'run_command',
      args: {command: 'echo "$JAVA_HOME"'},
      workspace,
      repeatability: 'once',
    },
    {
      workspace,
      signal: new AbortController().signal,
      recovering: false,
      onChild: () => undefined,
    },
  );
  expect(outcome).toMatchObject({kind: 'succeeded', text: expect.stringContaining('/opt/java')});
});

test('a run tells of a secret that was named', async () => {
  const config = {commands: {env: ['MY_API_KEY']}};
  const runtime = createRuntime({config, env: {MY_API_KEY: 'abcdefgh'}});
  const run = runtime.agent('Run `true`', {workspace});
  const told: string[] = [];
  for await (const event of run.events) if (event.type === 'warning') told.push(event.message);
  expect(told).toContain(
    'commands.env names MY_API_KEY, which holds a secret: commands do not get it',
  );
  await runtime.close();
});
