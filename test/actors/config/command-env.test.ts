/** Environment variables that commands receive by name, and secrets, which they never receive. */

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

test('a named variable is passed on with its value; an unset one is left out', () => {
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
])('a secret, recognized %s, is withheld, and a warning names it', (_, name, value) => {
  const {values, warnings} = commandEnv([name], {[name]: value});
  expect(values).toEqual({});
  expect(warnings).toEqual([
    `commands.env names ${name}, which holds a secret: it is not passed to commands`,
  ]);
});

test.each(['auto', 'off'] as const)(
  'a command sees the variable, in the sandbox mode %s',
  async (mode) => {
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
  },
);

test('a run warns about a named secret', async () => {
  const config = {commands: {env: ['MY_API_KEY']}};
  const runtime = createRuntime({config, env: {MY_API_KEY: 'abcdefgh'}});
  const run = runtime.agent('Run `true`', {workspace});
  const warnings: string[] = [];
  for await (const event of run.events) if (event.type === 'warning') warnings.push(event.message);
  expect(warnings).toContain(
    'commands.env names MY_API_KEY, which holds a secret: it is not passed to commands',
  );
  await runtime.close();
});
