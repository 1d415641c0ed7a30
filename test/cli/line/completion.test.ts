/** Completion: bash itself completes, and the scripts of other shells have the same words. */

import {execa} from 'execa';
import {expect, test} from 'vitest';

import {completionScript} from '../../../cli/line/completion.ts';
import {runLine} from '../../support/command-line.ts';

/** The words that bash offers for the last one: those of the registered list. */
async function offered(word: string): Promise<string[]> {
  const script = `${await completionScript('bash')}registered="$(complete -p quorate)"
    complete() { compgen "$3" "$4" -- "$word"; }
    word="$1"; eval "$registered"`;
  const {stdout} = await execa('bash', ['-c', script, 'bash', word], {reject: false});
  return stdout.split('\n').filter((line) => line !== '');
}

test.each([
  ['res', ['resume']],
  ['--hi', ['--hil']],
  ['--dec', ['--decision']],
])('bash completes %j to %j', async (word, completions) => {
  expect(await offered(word)).toEqual(completions);
});

test('every shell has the same words', async () => {
  const lists = await Promise.all(
    ['bash', 'zsh', 'fish'].map(async (shell) => {
      const {code, out} = await runLine(['--completion', shell], {});
      expect(code).toBe(0);
      return / '([^']+)'/.exec(out)?.[1]?.split(' ');
    }),
  );
  expect(lists[0]).toEqual(expect.arrayContaining(['--continue', '--plan-only', '--debate']));
  expect(lists[0]).not.toContain('--strategy');
  expect(lists[1]).toEqual(lists[0]);
  expect(lists[2]).toEqual(lists[0]);
});

test('another shell is refused', async () => {
  const {code, err} = await runLine(['--completion', 'csh'], {});
  expect([code, err]).toEqual([
    2,
    expect.stringContaining('--completion takes bash, zsh, fish, not "csh"'),
  ]);
});
