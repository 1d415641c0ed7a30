/** Repositories made by write_file and edit_file: only a person may create one that runs a program, in any order of writes. */

import {execFileSync} from 'node:child_process';
import {existsSync, readdirSync} from 'node:fs';
import {dirname, join} from 'node:path';

import {assert, asyncProperty, boolean, constantFrom, shuffledSubarray} from 'fast-check';
import {describe, expect, test} from 'vitest';

import type {ToolContext} from '../../../tools/index.ts';
import {isDeep} from '../../support/depth.ts';
import {createPlace, type Place, textOf} from '../place.ts';

const harmless = '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n';
const evil = `${harmless}\tfsmonitor = "touch PWNED; false"\n`;
const parts = {
  HEAD: 'ref: refs/heads/main\n',
  config: evil,
  'objects/.keep': '',
  'refs/.keep': '',
};
type Part = keyof typeof parts;
const names: readonly Part[] = ['HEAD', 'config', 'objects/.keep', 'refs/.keep'];
const folders = ['sub/', 'a/b/c/', ''] as const;

/** As a person, a prompt or an editor does; the message of git about a folder that is not a repository does not matter. */
function askGit({workspace}: Place, folder: string): void {
  const env = {
    PATH: process.env['PATH'],
    HOME: '/nonexistent',
    GIT_CEILING_DIRECTORIES: dirname(workspace),
  };
  const script = 'cd "$1" 2>/dev/null && git status >/dev/null 2>&1; exit 0';
  execFileSync('/bin/sh', ['-c', script, 'sh', folder], {cwd: workspace, env});
}

/** The program runs in the work tree, which may be the folder above. */
function isPwned({workspace}: Place): boolean {
  return readdirSync(dirname(workspace), {recursive: true}).some((name) =>
    String(name).endsWith('PWNED'),
  );
}

type Act = (tool: string, args: Record<string, string | boolean>) => Promise<void>;

/** Runs writes that no preview reserves for a person. */
function previewed(place: Place): Act {
  return async (tool, args) => {
    const preview = await place.preview(tool, args);
    if (preview.kind === 'ready' && preview.protectedReason === undefined) {
      await place.run(tool, args);
    }
  };
}

/** As when the folder became a repository after the preview. */
function unseen(place: Place): Act {
  return async (tool, args) => void (await place.run(tool, args));
}

async function attack(
  act: Act,
  order: readonly Part[],
  {folder, endsWithEdit}: {folder: string; endsWithEdit: boolean},
): Promise<void> {
  for (const name of order) {
    const content = name === 'config' && endsWithEdit ? harmless : parts[name];
    await act('write_file', {path: `${folder}${name}`, content, create_dirs: true});
  }
  if (!endsWithEdit) return;
  const new_text = '\tworktree = ..\n\tfsmonitor = "touch PWNED; false"\n';
  await act('edit_file', {path: `${folder}config`, old_text: '\tworktree = ..\n', new_text});
}

test('the attack works: git runs the program that these four files name', () => {
  const place = createPlace();
  for (const name of names) place.put(`sub/${name}`, parts[name]);
  askGit(place, 'sub');
  expect(isPwned(place)).toBe(true);
});

test.each([
  ['that the preview shows', previewed],
  ['that no preview showed', unseen],
])('no order of writes %s ends in a folder where git runs a program', async (_what, how) => {
  const order = shuffledSubarray([...names], {minLength: names.length});
  await assert(
    asyncProperty(order, constantFrom(...folders), boolean(), async (all, folder, endsWithEdit) => {
      const place = createPlace();
      await attack(how(place), all, {folder, endsWithEdit});
      askGit(place, folder || '.');
      expect(isPwned(place)).toBe(false);
    }),
    {numRuns: isDeep ? 300 : 40, interruptAfterTimeLimit: 30_000},
  );
});

function bare(place: Place): void {
  for (const name of names) place.put(`sub/${name}`, name === 'config' ? '' : parts[name]);
}

describe('a write into a repository', () => {
  test.each([
    ['config', evil],
    ['hooks/pre-commit', '#!/bin/sh\n'],
    ['commondir', '../other\n'],
  ])('of %s needs a person', async (name, content) => {
    const place = createPlace();
    bare(place);
    const args = {path: `sub/${name}`, content, create_dirs: true};
    expect(await place.preview('write_file', args)).toMatchObject({
      protectedReason: `sub/${name} makes sub a repository that runs programs: only a person may allow that`,
    });
  });

  test('that a person allowed stays', async () => {
    const place = createPlace();
    bare(place);
    const args = {path: 'sub/config', content: evil};
    const outcome = await place.run('write_file', args, {allowedBy: 'person'});
    expect(outcome).toMatchObject({kind: 'succeeded'});
    expect(existsSync(join(place.workspace, 'sub/HEAD'))).toBe(true);
  });

  test('that completes one names the renamed file, and undo knows both names', async () => {
    const place = createPlace();
    bare(place);
    const seen: (readonly [path: string, isLeft: boolean])[] = [];
    const onReplace: ToolContext['onReplace'] = (replacements) =>
      void seen.push(...replacements.map(({path, after}) => [path, after !== undefined] as const));
    const outcome = await place.run('write_file', {path: 'sub/config', content: evil}, {onReplace});
    expect(textOf(outcome)).toContain(
      '[sub/HEAD belongs to a repository that runs programs: only a person may make one; the new version is now sub/HEAD.not-allowed]',
    );
    expect(seen).toEqual([
      ['sub/config', true],
      ['sub/HEAD', false],
      ['sub/HEAD.not-allowed', true],
    ]);
  });

  test.each([
    ['config', harmless.replace('\tworktree = ..\n', '')],
    ['description', 'x'],
    ['hooks/pre-commit.sample', '#!/bin/sh\n'],
  ])('of a harmless %s needs no person', async (name, content) => {
    const place = createPlace();
    bare(place);
    const args = {path: `sub/${name}`, content, create_dirs: true};
    expect(await place.preview('write_file', args)).not.toHaveProperty('protectedReason');
    expect(textOf(await place.run('write_file', args))).not.toContain('not-allowed');
  });
});

test("of hooks that the repository's configuration names elsewhere needs a person", async () => {
  const place = createPlace();
  place.put('.git/config', '[core]\n\thooksPath = tools/hooks\n');
  const args = {path: 'tools/hooks/pre-commit', content: '#!/bin/sh\n', create_dirs: true};
  expect(await place.preview('write_file', args)).toHaveProperty('protectedReason');
});
