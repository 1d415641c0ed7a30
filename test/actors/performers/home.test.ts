/** A home folder as the workspace: a run warns, and only a person may allow changes of files that are executed later. */

import {mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {createFunctionModel, createRuntime} from '../../../actors/index.ts';
import {protectedReason} from '../../../tools/containment/protected.ts';
import {say} from '../../support/asking.ts';
import {rows} from '../../support/rows.ts';

let home: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-home-')));
});

afterEach(() => rmSync(home, {recursive: true}));

async function warningsIn(workspace: string, homeFolder: string): Promise<string[]> {
  const runtime = createRuntime({
    config: {ask: {model: 'test/asker'}},
    models: [createFunctionModel('test/asker', () => say('4'))],
    env: {HOME: homeFolder},
  });
  const warnings: string[] = [];
  for await (const event of runtime.ask('What is 2 + 2?', {workspace}).events) {
    if (event.type === 'warning') warnings.push(event.message);
  }
  return warnings.filter((text) => text.includes('home folder'));
}

test('a workspace that is or contains the home folder causes a warning', async () => {
  const advice = 'with all your files; use --cwd to choose a project folder';
  expect(await warningsIn(home, home)).toEqual([
    `the workspace ${home} is your home folder, ${advice}`,
  ]);
  expect(await warningsIn(home, join(home, 'me'))).toEqual([
    `the workspace ${home} contains your home folder, ${advice}`,
  ]);
  expect(await warningsIn(home, `${home}er`)).toEqual([]);
});

test.each(
  rows(String.raw`
  .config/quorate/config.toml ¦ .config/quorate/allowed.toml ¦ .local/share/quorate/trusted.json
  .config/git/config ¦ .config/systemd/user/x.service ¦ .config/autostart/x.desktop ¦ .local/bin/git
  .cargo/config.toml ¦ mise.toml ¦ .github/copilot-instructions.md ¦ work/.Config/Quorate/config.toml
`),
)('only a person may allow a change of %s', (path) => {
  expect(protectedReason(path, undefined, 'x')).toMatch(/only a person may allow/);
});

test.each(['src/config/quorate.ts', 'docs/.config/readme.md', '.local/notes.md'])(
  'the panel may allow a change of %s',
  (path) => {
    expect(protectedReason(path, undefined, 'x')).toBeUndefined();
  },
);
