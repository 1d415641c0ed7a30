/**
 * Completion, generated from the data of the commands: bash itself completes; the scripts of other shells have the same
 * words.
 */

import {chmodSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {execa} from 'execa';
import {afterAll, beforeAll, expect, test} from 'vitest';

import {completionScripts} from '../../cli/completion/scripts.ts';
import {vocabulary} from '../../cli/completion/vocabulary.ts';
import {launcherProgram} from '../support/built.ts';

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quorate-completion-'));
  writeFileSync(
    join(folder, 'completion.bash'),
    completionScripts['bash']?.(await vocabulary()) ?? '',
  );
  const program = join(folder, 'quorate');
  writeFileSync(
    program,
    `#!/bin/sh\nexec '${process.execPath}' '${await launcherProgram()}' "$@"\n`,
  );
  chmodSync(program, 0o755);
});
afterAll(() => rmSync(folder, {recursive: true}));

/** The words that bash offers for the last word. */
async function offered(...words: string[]): Promise<string[]> {
  const script = `. ./completion.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _quorate; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const {stdout} = await execa('bash', ['-c', script, 'bash', 'quorate', ...words], {
    cwd: folder,
    env: {
      PATH: `${folder}:${process.env['PATH']}`,
      HOME: folder,
      QUORATE_HOME: join(folder, 'data'),
    },
    extendEnv: false,
  });
  return stdout.split('\n').filter((line) => line !== '');
}

test.each([
  [['res'], ['resume']],
  [
    ['-q', 'se'],
    ['sessions', 'serve'],
  ],
  [['--hi'], ['--hil']],
  [
    ['--hil', 'auto'],
    ['auto_reject', 'auto_approve'],
  ],
  [['resume', '--dec'], ['--decision']],
  [
    ['resume', 'x', '--decision', 're'],
    ['reject', 'retry'],
  ],
  [['show', '--rule'], []],
  [['help', 'exit'], ['exit-codes']],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [['--log', ''], []],
])('bash completes %j to %j', async (words, completions) => {
  expect(await offered(...words)).toEqual(completions);
});

test('bash completes the ID of a run', async () => {
  const env = {QUORATE_HOME: join(folder, 'data')};
  const {stdout} = await execa(join(folder, 'quorate'), ['ask', '6 * 7', '--output', 'json'], {
    cwd: folder,
    env,
    stdin: 'ignore',
  });
  const id = String(Object(JSON.parse(stdout))['interaction']);
  expect(await offered('show', id.slice(0, 3))).toEqual([id]);
  expect(await offered('resume', '')).toEqual([id]);
});

test.each(Object.entries(completionScripts))(
  'the script for %s names every command and option',
  async (_, script) => {
    const words = await vocabulary();
    const text = script(words);
    for (const {word, options} of words.commands) {
      expect(text).toContain(word);
      for (const {long} of options) expect(text).toMatch(new RegExp(`(?:--|-l )${long}\\b`));
    }
  },
);

test.each(['zsh', 'fish'])('the script for %s has their descriptions', async (shell) => {
  expect(completionScripts[shell]?.(await vocabulary())).toContain('work in this folder');
});
