import {existsSync, mkdirSync, readdirSync} from 'node:fs';
import {join} from 'node:path';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {createLauncher, type Launcher} from '../support/launch.ts';

let launcher: Launcher;

beforeEach(() => {
  launcher = createLauncher();
  mkdirSync(join(launcher.folder, 'work'));
});

afterEach(() => launcher.remove());

const names = [
  'ANTHROPIC_API_KEY',
  'FORCE_COLOR',
  'NO_COLOR',
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'QUORATE_AGENT_DECISION_MODEL',
  'QUORATE_HOME',
  'QUORATE_LOG',
  'XDG_DATA_HOME',
];

test.each(['', ' '])('variables with the value %j count as not set', async (blank) => {
  const env = Object.fromEntries(names.map((name) => [name, blank]));
  const request = 'Create a file x.txt with the content "Hello"';
  const {code, stdout, stderr} = await launcher.run(['-C', 'work', request], {env});
  expect([code, stdout.split('\n')[0]]).toEqual([0, 'completed: Create x.txt']);
  expect(stderr).toMatch(/^warning: No model is configured: /);
  expect(readdirSync(join(launcher.folder, 'work'))).toEqual(['x.txt']);
  expect(readdirSync(launcher.folder)).not.toContain(' ');
  expect(existsSync(join(launcher.folder, '.local/share/quorate/journal.db'))).toBe(true);
});

test('a server reachable by others does not start with a blank token', async () => {
  const env = {QUORATE_OWNER_TOKEN: ' '};
  const {code, stderr} = await launcher.run(['serve', '--host', '0.0.0.0', '--port', '0'], {env});
  expect([code, stderr]).toEqual([2, expect.stringContaining('set QUORATE_OWNER_TOKEN')]);
});
