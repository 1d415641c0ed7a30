/** Commands judged in real places: links, the state of files, and what a reader really does. */

import {execFileSync, spawnSync} from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  existsSync,
  linkSync,
  renameSync,
  utimesSync,
} from 'node:fs';
import {dirname, join} from 'node:path';

import * as fc from 'fast-check';
import {expect, onTestFinished, test} from 'vitest';

import {understand} from '../../../tools/commands/reader.ts';
import {createSurroundings} from '../../../tools/commands/surroundings.ts';
import {cpuMs} from '../../support/cpu-time.ts';
import {cells} from '../../support/rows.ts';
import {createGround} from './understood.ts';

const names = ['a', 'b', 'c', 'l', 'm'];

const way = fc
  .array(fc.constantFrom(...names, '..', '.', 'l/..', 'm/..'), {minLength: 1, maxLength: 5})
  .map((parts) => parts.join('/'));

/** Mostly from the workspace itself. */
const spot = fc.oneof(fc.constant('.'), way);

const tree: fc.Arbitrary<Tree> = fc.record({
  folders: fc.array(fc.array(fc.constantFrom('a', 'b', 'c'), {minLength: 1, maxLength: 3}), {
    minLength: 2,
    maxLength: 6,
  }),
  links: fc.array(fc.record({at: spot, name: fc.constantFrom('l', 'm'), target: way}), {
    minLength: 1,
    maxLength: 5,
  }),
});

interface Tree {
  readonly folders: readonly (readonly string[])[];
  readonly links: readonly {
    readonly at: string;
    readonly name: string;
    readonly target: string;
  }[];
}

interface Planted {
  readonly workspace: string;
}

/** A folder `w` in a folder of its own, so that links may lead out of it. */
function plant({folders, links}: Tree): Planted {
  const root = realpathSync(mkdtempSync('/var/tmp/quorate-places-'));
  onTestFinished(() => rmSync(root, {recursive: true}));
  const workspace = join(root, 'w');
  mkdirSync(workspace);
  for (const parts of [...folders, ['a', 'b', 'c'], ['b', 'a']]) {
    for (const end of parts.map((_, at) => at + 1)) {
      mkdirSync(join(workspace, ...parts.slice(0, end)), {recursive: true});
      mkdirSync(join(root, ...parts.slice(0, end)), {recursive: true});
    }
  }
  for (const {at, name, target} of links) {
    try {
      const folder = realpathSync(join(workspace, at));
      if (folder.startsWith(root)) symlinkSync(target, join(folder, name));
    } catch {
      // The folder does not exist, or the name is taken.
    }
  }
  return {workspace};
}

const goal = fc.constantFrom('a/b', 'b/a', 'a/../b', '../a', 'a/b/c', 'm');

/** With a link `l` in the workspace itself. */
function withLink({folders, links}: Tree, target: string): Tree {
  return {folders, links: [{at: '.', name: 'l', target}, ...links]};
}

/** The ways to read or make a file `zz`; `real` is for a shell that prints its folder. */
const makers: readonly ((one: string, two: string) => {command: string; real: string})[] = [
  (one) => ({command: `cat ${one}/zz`, real: `cd -P ${one} && pwd -P`}),
  (one) => ({command: `wc -l < ${one}/zz`, real: `cd -P ${one} && pwd -P`}),
  (one) => ({command: `cat ${one}/z?`, real: `cd -P ${one} && pwd -P`}),
  (one) => ({command: `grep -e x ${one}/zz`, real: `cd -P ${one} && pwd -P`}),
  (one) => ({command: `echo x > ${one}/zz`, real: `cd -P ${one} && pwd -P`}),
  (one) => ({command: `cp source ${one}/zz`, real: `cd -P ${one} && pwd -P`}),
  (one) => ({command: `cd ${one} && cat zz`, real: `cd ${one} && pwd -P`}),
  (one) => ({command: `cd ${one}; cat zz`, real: `cd ${one}; pwd -P`}),
  (one, two) => ({
    command: `cd ${one} && cd ${two} && cat zz`,
    real: `cd ${one} && cd ${two} && pwd -P`,
  }),
  (one, two) => ({command: `cd ${one}; cd ${two}; cat zz`, real: `cd ${one}; cd ${two}; pwd -P`}),
  (one, two) => ({
    command: `cd ${one} && cat ${two}/zz`,
    real: `cd ${one} && cd -P ${two} && pwd -P`,
  }),
  (one, two) => ({
    command: `sh -c 'cd ${one} && cat ${two}/zz'`,
    real: `cd ${one} && cd -P ${two} && pwd -P`,
  }),
];

function realFolder(workspace: string, script: string): string | undefined {
  try {
    const env = {PATH: process.env['PATH'] ?? ''};
    return execFileSync('sh', ['-c', script], {cwd: workspace, env, stdio: 'pipe'})
      .toString()
      .trim();
  } catch {
    return undefined;
  }
}

interface Asked {
  readonly planted: Planted;
  readonly command: string;
  /** The folder in which the command starts, as written. */
  readonly folder?: string;
  /** Prints where the file is. */
  readonly real: string;
}

/** The places where the command is judged to find `zz`, and the real one; undefined: it fails, or is not understood. */
async function foldersOf({planted: {workspace}, command, folder = '', real}: Asked) {
  const expected = realFolder(workspace, real);
  if (expected === undefined) return undefined;
  const surroundings = createSurroundings(workspace);
  const {effects, unknown} = await understand(command, {surroundings, folder, written: []});
  if (unknown.length > 0) return undefined;
  const made = effects.flatMap(({place}) =>
    place && /(?:^|\/)z[z?]$/.test(place.path) ? [place] : [],
  );
  const judged = made.map(({inside, path}) => dirname(join(inside ? workspace : '/', path)));
  return {command, judged: [...new Set(judged)], real: expected};
}

test('links and `..` are resolved as the system does, for every way to name a folder', async () => {
  let judged = 0;
  const some = fc.array(fc.constantFrom(...makers), {minLength: 3, maxLength: 3});
  await fc.assert(
    fc.asyncProperty(tree, goal, way, way, some, async (drawn, target, one, two, ways) => {
      const planted = plant(withLink(drawn, target));
      for (const make of ways) {
        const found = await foldersOf({planted, ...make(one, two)});
        if (!found) continue;
        judged += 1;
        expect(found).toMatchObject({judged: expect.arrayContaining([found.real])});
      }
    }),
    {numRuns: 60},
  );
  expect(judged).toBeGreaterThan(0);
});

test('a command starts in the folder that a link leads to', async () => {
  let judged = 0;
  await fc.assert(
    fc.asyncProperty(tree, goal, way, async (drawn, target, one) => {
      const planted = plant(withLink(drawn, target));
      const command = `cd ${one} && cat zz`;
      const real = `cd -P l && env -u PWD sh -c 'cd ${one} && pwd -P'`;
      const found = await foldersOf({planted, command, folder: 'l', real});
      if (!found) return;
      judged += 1;
      expect(found).toMatchObject({judged: expect.arrayContaining([found.real])});
    }),
    {numRuns: 60},
  );
  expect(judged).toBeGreaterThan(0);
});

function looking() {
  const ground = createGround();
  const surroundings = createSurroundings(ground.workspace);
  const stateOf = async (path: string, written: readonly string[] = []) =>
    (await surroundings.placeOf(path, {written: new Set(written)})).state;
  return {...ground, surroundings, stateOf};
}

test('a file is clean, changed, untracked, ignored, absent, or written by this run', async () => {
  const {stateOf} = looking();
  expect(await stateOf('src/a.ts')).toBe('clean');
  expect(await stateOf('src/b.ts')).toBe('changed');
  expect(await stateOf('new.txt')).toBe('untracked');
  expect(await stateOf('dist/x.js')).toBe('ignored');
  expect(await stateOf('none/at/all')).toBe('absent');
  expect(await stateOf('new.txt', ['new.txt'])).toBe('written');
  expect(await stateOf('src/a.ts', ['src/a.ts'])).toBe('written');
});

test('the state of a folder is the worst state of its files', async () => {
  const {stateOf, put} = looking();
  expect(await stateOf('src')).toBe('changed');
  expect(await stateOf('dist')).toBe('ignored');
  expect(await stateOf('')).toBe('untracked');
  put('out/one.txt');
  put('out/two.txt');
  expect(await stateOf('out', ['out/one.txt'])).toBe('untracked');
  expect(await stateOf('out', ['out/one.txt', 'out/two.txt'])).toBe('written');
});

test('a repository inside an ignored folder is more than build output', async () => {
  const {stateOf, workspace} = looking();
  mkdirSync(join(workspace, 'dist/vendor/.git'), {recursive: true});
  writeFileSync(join(workspace, 'dist/vendor/work.txt'), 'mine\n');
  expect(await stateOf('dist/vendor')).toBe('untracked');
});

test('a change that keeps the size and sets the time back is detected', async () => {
  const {stateOf, workspace, put, git} = looking();
  put('same.txt', 'aaaa\n');
  git('add', 'same.txt');
  const path = join(workspace, 'same.txt');
  const before = new Date(Date.now() - 60_000);
  utimesSync(path, before, before);
  git('add', 'same.txt');
  expect(await stateOf('same.txt')).toBe('clean');
  writeFileSync(path, 'bbbb\n');
  utimesSync(path, before, before);
  expect(await stateOf('same.txt')).toBe('changed');
});

test.each(['2', '3', '4'])('an index of version %s is read', async (version) => {
  const {stateOf, git, put} = looking();
  for (let at = 0; at < 40; at += 1) put(`deep/er/file-${at}.txt`);
  git('add', '-A');
  git('update-index', `--index-version=${version}`);
  expect(await stateOf('deep/er/file-17.txt')).toBe('clean');
  expect(await stateOf('deep')).toBe('clean');
});

test('a file staged for the first time with git add -N cannot be restored', async () => {
  const {stateOf, git} = looking();
  git('add', '-N', 'new.txt');
  expect(await stateOf('new.txt')).toBe('changed');
});

test('links are resolved as the operating system does, and links that lead out are outside', async () => {
  const {surroundings, link, workspace} = looking();
  link('in', 'src');
  link('out', '/etc');
  link('loop', 'loop');
  expect(await surroundings.placeOf('in/a.ts')).toMatchObject({path: 'src/a.ts', links: ['in']});
  expect(await surroundings.placeOf('out/passwd')).toMatchObject({
    path: '/etc/passwd',
    inside: false,
  });
  expect(await surroundings.placeOf('out/../x')).toMatchObject({path: '/x', inside: false});
  expect(await surroundings.placeOf('loop/x')).toMatchObject({state: 'unknown'});
  expect(await surroundings.placeOf('out', {isLinkItself: true})).toMatchObject({
    path: 'out',
    inside: true,
  });
  expect(await surroundings.placeOf(join(workspace, '../elsewhere'))).toMatchObject({
    inside: false,
  });
  expect(await surroundings.placeOf('a\0b')).toMatchObject({state: 'unknown'});
});

test('patterns match as in a shell, up to a countable number of files', async () => {
  const {surroundings, put, link} = looking();
  put('.hidden.ts');
  link('out', '/etc');
  expect(await surroundings.matches('src/*.ts')).toEqual(['src/a.ts', 'src/b.ts']);
  expect(await surroundings.matches('*.ts')).toEqual([]);
  expect(await surroundings.matches('s[a-z]c/?.ts')).toEqual(['src/a.ts', 'src/b.ts']);
  expect(await surroundings.matches('*/')).toEqual(['dist', 'out', 'src']);
  expect(await surroundings.matches('**/*.ts')).toEqual(['.hidden.ts', 'src/a.ts', 'src/b.ts']);
  expect(await surroundings.matches('*/a.ts')).toEqual(['src/a.ts']);
  expect(await surroundings.matches('out/*')).toEqual([]);
  put('many/0');
  const file = (at: number) => join(surroundings.workspace, `many/${at}`);
  for (let at = 1; at < 2_100; at += 1) linkSync(file(0), file(at));
  expect(await surroundings.matches('many/*')).toBeUndefined();
});

test('only text files of the workspace are read', async () => {
  const {surroundings, put, link} = looking();
  link('out', '/etc/passwd');
  put('large', 'a'.repeat(256 * 1024 + 1));
  writeFileSync(join(surroundings.workspace, 'bytes'), Buffer.from([0xff, 0xfe]));
  execFileSync('mkfifo', [join(surroundings.workspace, 'pipe')]);
  expect(await surroundings.readFileText('src/a.ts')).toBe('src/a.ts\n');
  for (const path of ['out', 'large', 'bytes', 'pipe', 'src', 'none']) {
    expect(await surroundings.readFileText(path)).toBeUndefined();
  }
});

test.each([
  ['ignore-scripts=true\n# token=x\n', true],
  ['//registry.npmjs.org/:_authToken=${NPM_TOKEN}\n', true],
  ['registry=https://registry.example/\n', true],
  ['//registry.npmjs.org/:_authToken=abc\n', false],
  ['_auth = abc\n', false],
  ['email=a\r//x/:_password=abc\n', false],
  ['registry=https://ann:abc@registry.example/\n', false],
  [`# ${'a'.repeat(64 * 1024)}\n`, false],
])('settings hold credentials or they do not', async (content, isBare) => {
  const {surroundings, put, link} = looking();
  put('.npmrc', content);
  link('other', '.npmrc');
  expect((await surroundings.placeOf('.npmrc')).holdsNoSecret ?? false).toBe(isBare);
  expect((await surroundings.placeOf('other')).holdsNoSecret ?? false).toBe(isBare);
  expect(await surroundings.placeOf('src/a.ts')).not.toHaveProperty('holdsNoSecret');
});

test('a repository with settings that run programs runs none', async () => {
  const {stateOf, git, workspace, put} = looking();
  const mark = join(workspace, 'ran');
  const program = `touch ${mark}; cat`;
  git('config', 'core.fsmonitor', program);
  git('config', 'filter.evil.clean', program);
  git('config', 'filter.evil.process', program);
  put('.gitattributes', '* filter=evil\n');
  put('src/a.ts', 'other\n');
  expect(await stateOf('src/a.ts')).toBe('changed');
  expect(await stateOf('')).toBe('untracked');
  expect(existsSync(mark)).toBe(false);
});

test.each([
  ['an index that is no index', 'DIRC nonsense'],
  ['an index that is cut off', 'DIRC\0\0\0\u0002\0\0\u00ff\u00ff'.padEnd(64, '\0')],
])('%s gives no information', async (_name, content) => {
  const {stateOf, workspace} = looking();
  writeFileSync(join(workspace, '.git/index'), content);
  expect(await stateOf('src/a.ts')).toBe('unknown');
});

test('ignore files that are too long to read are not applied', async () => {
  const {stateOf, put} = looking();
  put('.gitignore', `${'*a*a*a*a*a*b\n'.repeat(600)}dist\n!dist\n`);
  const start = cpuMs();
  expect(await stateOf('dist/x.js')).toBe('untracked');
  expect(cpuMs() - start).toBeLessThan(200);
});

test('a rule that re-includes an ignored file applies', async () => {
  const {stateOf, put} = looking();
  put('.gitignore', '*.log\n!keep.log\n');
  put('keep.log');
  put('other.log');
  expect(await stateOf('keep.log')).toBe('untracked');
  expect(await stateOf('other.log')).toBe('ignored');
});

test('without a repository nothing can be restored', async () => {
  const {stateOf, workspace} = looking();
  rmSync(join(workspace, '.git'), {recursive: true});
  expect(await stateOf('src/a.ts')).toBe('untracked');
});

test('the index of a worktree is elsewhere; a dangling pointer is unknown', async () => {
  const {stateOf, workspace} = looking();
  renameSync(join(workspace, '.git'), join(workspace, 'dist/git'));
  writeFileSync(join(workspace, '.git'), 'gitdir: dist/git\n');
  expect(await stateOf('src/a.ts')).toBe('clean');
  rmSync(join(workspace, '.git'));
  symlinkSync('dist/git', join(workspace, '.git'));
  expect(await stateOf('src/a.ts')).toBe('unknown');
});

/** Every file holds a text of its own, by which the output shows what was read. */
const shown = cells(String.raw`
  cat src/a.ts ¦ cat s*/a.ts ¦ cat in/a.ts ¦ cat < src/b.ts ¦ cd src && cat a.ts ../new.txt ¦ cd none; cat new.txt ¦ head -n 1 src/a.ts ¦ tail -c 40 new.txt ¦ sort -u src/a.ts src/b.ts ¦ uniq src/a.ts
  cut -c 1- new.txt ¦ nl src/a.ts ¦ tac src/b.ts ¦ sed -n p src/a.ts ¦ awk 1 x=1 src/a.ts ¦ grep -h t src/a.ts ¦ grep -r e src ¦ grep -e e -- new.txt ¦ grep -c e * ¦ find src -type f -exec cat {} + ¦ diff src/a.ts src/b.ts
  comm src/a.ts src/b.ts ¦ paste src/a.ts src/b.ts ¦ join src/a.ts src/b.ts ¦ for f in a b; do cat src/$f.ts; done ¦ x=src; cat $x/a.ts ¦ sh -c 'cat src/a.ts' ¦ while read x; do echo "$x"; done < new.txt ¦ eval 'cat new.txt'
  git diff ¦ git show HEAD:src/a.ts ¦ git grep -h e ¦ git status --short ¦ ls -R ¦ du -a src ¦ wc -l src/*.ts ¦ stat -c %n src/a.ts ¦ [ -f src/a.ts ] && cat src/a.ts ¦ od -c src/a.ts ¦ base64 src/a.ts ¦ md5sum src/a.ts ¦ env cat new.txt ¦ cat 'no such' || cat new.txt
`);

test.each(shown)(
  'a reader changes nothing and shows only what it is said to read: %s',
  async (command) => {
    const {workspace, link, understand: judge} = createGround();
    link('in', 'src');
    const files = ['src/a.ts', 'src/b.ts', 'new.txt'];
    for (const path of files) writeFileSync(join(workspace, path), `text of ${path}\n`);
    const {effects} = await judge(command);
    const before = stampsIn(workspace);
    const {stdout} = spawnSync('sh', ['-c', command], {cwd: workspace, encoding: 'utf8'});
    expect(stampsIn(workspace)).toEqual(before);
    const isKnown = (path: string) =>
      command.includes('git') ||
      effects.some(({kind, target}) => kind === 'reads' && `${path}/`.startsWith(`${target}/`));
    const read = files.filter((path) => stdout.includes(`text of ${path}`));
    expect(read.filter((path) => !isKnown(path))).toEqual([]);
  },
);

/** Of every file except git's own: its name, size, mode and times. */
function stampsIn(folder: string): readonly string[] {
  const inside = readdirSync(folder, {recursive: true, encoding: 'utf8'});
  return inside
    .filter((name) => !/^\.git(?:\/|$)/.test(name))
    .map((name) => {
      const {mtimeMs, ctimeMs, size, mode} = lstatSync(join(folder, name));
      return [name, size, mode, mtimeMs, ctimeMs].join(' ');
    });
}
