/** `quorate init` and `/init`: one task, in words that the model at hand understands. */

import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {initRequest} from '../../cli/config/init-request.ts';
import {loadConfig} from '../../cli/config/load.ts';
import {createLauncher, type Launcher} from '../support/launch.ts';

let launcher: Launcher;
beforeEach(() => {
  launcher = createLauncher();
  writeFileSync(join(launcher.folder, 'README.md'), '# Shop\n\nSells things to people.\n');
});
afterEach(() => launcher.remove());

const file = () => join(launcher.folder, 'AGENTS.md');

test.each([
  ['init', ['init'], ''],
  ['/init', ['chat'], '/init\n/quit\n'],
])(
  'without a model, %s writes an overview to AGENTS.md, voted on by rule',
  async (_, args, stdin) => {
    const {code, stdout} = await launcher.run(args, {stdin});
    expect({code, stdout}).toMatchObject({code: 0});
    expect(readFileSync(file(), 'utf8')).toContain('Sells things to people.');
  },
);

test('a model is asked for at most 40 lines of what is here', async () => {
  const env = {ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k', HOME: launcher.folder};
  const loaded = await loadConfig({cwd: launcher.folder, env, overrides: []});
  expect(initRequest(loaded, env)).toMatch(/^Write AGENTS\.md .* at most 40 lines/);
  expect(existsSync(file())).toBe(false);
});
