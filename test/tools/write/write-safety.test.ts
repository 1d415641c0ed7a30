/** Writes that are cut off: nothing is lost, and nothing is left over; writes into repositories. */

import {execFileSync} from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  utimesSync,
  existsSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, dirname} from 'node:path';
import {setImmediate} from 'node:timers/promises';

import {execaSync} from 'execa';
import {assert, asyncProperty, boolean, constantFrom, shuffledSubarray} from 'fast-check';
import {expect, onTestFinished, test, describe} from 'vitest';

import type {ToolContext} from '../../../tools/index.ts';
import {sha256} from '../../../tools/read/read.ts';
import {topLevel} from '../../../tools/read/tree.ts';
import {writeInside} from '../../../tools/write/write.ts';
import {isDeep} from '../../support/depth.ts';
import {createPlace, verdictOf, textOf, type Place} from '../place.ts';
import {createRacedPlace, startNode} from '../process.ts';

const writerUrl = new URL('../../../tools/write/write.ts', import.meta.url).href;

test('a process that swaps a folder for a link cannot divert a single write', async () => {
  const {place, attacker} = await createRacedPlace();
  const seen = new Map<string, number>();
  const end = performance.now() + 20_000;
  for (let index = 0; index < 3_000 && performance.now() < end; index += 1) {
    const order = {workspace: place.workspace, path: `d/f${index % 20}`, content: `${index}`};
    const done = await writeInside({...order, createDirs: false});
    const verdict = done.ok ? 'written' : done.denial.code;
    seen.set(verdict, (seen.get(verdict) ?? 0) + 1);
    expect(readdirSync(place.outside)).toEqual(['secret.txt']);
  }
  await attacker.kill();
  expect(seen.get('written')).toBeGreaterThan(0);
  expect(seen.get('symlink') ?? seen.get('not_found')).toBeGreaterThan(0);
}, 120_000);

test('of two writers that saw the same file, the second learns that it changed', async () => {
  const place = createPlace();
  place.put('a.txt', 'first\n');
  const basedOn = sha256('first\n');
  const outcomes = await Promise.all(
    ['one', 'two'].map((content) => place.run('write_file', {path: 'a.txt', content}, {basedOn})),
  );
  expect(outcomes.map(verdictOf).toSorted()).toEqual(['failed/stale_base', 'succeeded']);
  const winner = outcomes.findIndex(({kind}) => kind === 'succeeded');
  expect(place.text('a.txt')).toBe(['one', 'two'][winner]);
  expect(readdirSync(place.workspace)).toEqual(['a.txt']);
});

test('of two writers of a file that did not exist, the second learns that it exists now', async () => {
  const place = createPlace();
  const outcomes = await Promise.all(
    ['one', 'two'].map((content) =>
      place.run('write_file', {path: 'new.txt', content}, {basedOn: 'absent'}),
    ),
  );
  expect(outcomes.map(verdictOf).toSorted()).toEqual(['failed/stale_base', 'succeeded']);
});

test('a reader never sees a partial write', async () => {
  const place = createPlace();
  const path = place.put('big.txt', 'a'.repeat(200_000));
  const stop = new AbortController();
  const readers = (async (): Promise<Set<string>> => {
    const seen = new Set<string>();
    while (!stop.signal.aborted) {
      const text = readFileSync(path, 'utf8');
      seen.add(`${text.length} ${[...new Set(text)].join('')}`);
      await setImmediate();
    }
    return seen;
  })();
  for (const letter of 'bcdef') {
    await place.run('write_file', {path: 'big.txt', content: letter.repeat(200_000)});
  }
  stop.abort();
  for (const state of await readers) expect(state).toMatch(/^200000 .$/);
});

test('a writer killed at any instant leaves the complete old or new file', async () => {
  const place = createPlace();
  const path = place.put('big.txt', 'x'.repeat(300_000));
  const writer = `
    import(${JSON.stringify(writerUrl)}).then(async ({writeInside}) => {
      process.stdout.write('begun');
      for (let i = 0; ; i += 1) {
        const content = String.fromCharCode(97 + (i % 26)).repeat(300_000);
        await writeInside({workspace: ${JSON.stringify(place.workspace)}, path: 'big.txt', content, createDirs: false});
      }
    });`;
  for (let kill = 0; kill < 8; kill += 1) {
    const {said, kill: end} = startNode(writer);
    await said;
    for (let turn = 0; turn < kill * 40; turn += 1) await setImmediate();
    await end();
    expect(readFileSync(path, 'utf8')).toMatch(/^([a-z])\1{299999}$/);
  }
  await place.run('write_file', {path: 'small.txt', content: 'x'});
  expect(readdirSync(place.workspace)).toEqual(['big.txt', 'small.txt']);
}, 60_000);

/** Writes 1 MB in a process of its own and prints the outcome. */
function writeMegabyte(workspace: string): string {
  return `
    import(${JSON.stringify(writerUrl)}).then(async ({writeInside}) => {
      const content = 'x'.repeat(1_000_000);
      const done = await writeInside({workspace: ${JSON.stringify(workspace)}, path: 'a.txt', content, createDirs: false});
      process.stdout.write(JSON.stringify(done));
    });`;
}

test('when the system refuses to store more, the file is unchanged and nothing is left behind', () => {
  const place = createPlace();
  place.put('a.txt', 'as it was');
  const limited = `trap '' XFSZ; ulimit -f 100; exec "$0" -e "$1"`;
  const args = ['-c', limited, process.execPath, writeMegabyte(place.workspace)];
  const outcome: unknown = JSON.parse(execaSync('/bin/sh', args).stdout);
  expect(outcome).toMatchObject({ok: false, denial: {kind: 'failed', code: 'io', retryable: true}});
  expect(readdirSync(place.workspace)).toEqual(['a.txt']);
  expect(place.text('a.txt')).toBe('as it was');
});

function tryMount(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-full-'));
  try {
    execaSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', folder]);
    return folder;
  } catch {
    rmSync(folder, {recursive: true});
    return undefined;
  }
}

const smallDisk = tryMount();

test.skipIf(smallDisk === undefined)(
  'a full disk is said, and costs neither the file nor a leftover',
  async () => {
    const workspace = smallDisk ?? '';
    onTestFinished(() => {
      execaSync('umount', [workspace]);
      rmSync(workspace, {recursive: true});
    });
    writeFileSync(join(workspace, 'a.txt'), 'as it was');
    const content = 'x'.repeat(1_000_000);
    const done = await writeInside({workspace, path: 'a.txt', content, createDirs: false});
    expect(done).toMatchObject({ok: false, denial: {code: 'io', retryable: true}});
    expect(done.ok ? '' : done.denial.message).toContain('disk is full');
    expect(readdirSync(workspace)).toEqual(['a.txt']);
    expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('as it was');
  },
);

const url = new URL('../../../tools/write/leftovers.ts', import.meta.url).href;

const program = `import(${JSON.stringify(url)}).then(({temporaryName}) => {
  process.stdin.resume();
  process.stdout.write(temporaryName());
});`;

/** A process that prints a name for its temporary file and runs until it is killed. */
async function startWriter(): Promise<{name: string; kill: () => Promise<void>}> {
  const {said, kill} = startNode(program);
  return {name: await said, kill};
}

test('the next write removes the files of a dead writer, and nothing else', async () => {
  const place = createPlace();
  const [dead, live] = [await startWriter(), await startWriter()];
  await dead.kill();
  const elsewhere = dead.name.replace(/-[0-9a-f]{8}-/, '-00000000-');
  const likeOurs = ['.quorate-notes.tmp', 'x.quorate-1-2-3.tmp', `${dead.name}.txt`];
  for (const name of [dead.name, live.name, elsewhere, ...likeOurs]) place.put(name, 'half');
  await place.run('write_file', {path: 'a.txt', content: 'whole'});
  expect(readdirSync(place.workspace).toSorted()).toEqual(
    ['a.txt', live.name, elsewhere, ...likeOurs].toSorted(),
  );
  await live.kill();
  await place.run('edit_file', {path: 'a.txt', old_text: 'whole', new_text: 'new'});
  expect(readdirSync(place.workspace)).not.toContain(live.name);
});

test('a file older than any possible write is removed, with any writer', async () => {
  const place = createPlace();
  const live = await startWriter();
  const path = place.put(live.name, 'half');
  const longAgo = Date.now() / 1_000 - 7_200;
  utimesSync(path, longAgo, longAgo);
  await place.run('write_file', {path: 'a.txt', content: 'whole'});
  expect(readdirSync(place.workspace)).toEqual(['a.txt']);
});

test('temporary files are in no listing', async () => {
  const place = createPlace();
  const live = await startWriter();
  place.put(live.name, 'half');
  place.put('.env', 'shown');
  const listed = await place.run('glob_search', {pattern: '.*'});
  expect(textOf(listed)).toBe('.env\t5');
  expect(await topLevel(place.workspace, new AbortController().signal)).toMatchObject({
    ok: true,
    value: {names: ['.env']},
  });
});

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
