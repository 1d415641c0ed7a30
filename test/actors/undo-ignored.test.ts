/** Undo of ignored files and folders; and over random commands in real folders with real git: it restores what it reports as restored, and names all else. */

import {readdirSync, rmSync, symlinkSync} from 'node:fs';
import {dirname, join} from 'node:path';

import {expect, onTestFinished, test} from 'vitest';

import {undoLines} from '../../cli/render/result/undo.ts';
import {styleFor} from '../../cli/render/style.ts';
import {isRegenerable} from '../../tools/commands/regenerable.ts';
import {createSandbox, createSnapshots, type Replacement} from '../../tools/index.ts';
import {isDeep} from '../support/depth.ts';
import {createDice, type Roll} from '../support/dice.ts';
import {cells} from '../support/rows.ts';
import {createUndoPlace, runCommandPreview, treeOf, type UndoPlace} from '../support/undoing.ts';

function createRepository(mode?: 'off' | 'required'): UndoPlace {
  const place = createUndoPlace(mode);
  place.put('.gitignore', 'localdata/\ndist/\nout/\n');
  place.put('src/a.ts', 'a\n');
  place.git('init', '-q');
  place.git('add', '.');
  place.git('commit', '-qm', 'x');
  place.put('src/a.ts', 'uncommitted\n');
  place.put('localdata/a.csv', 'years\n');
  place.put('localdata/deep/b.csv', 'more years\n');
  place.put('mydata/notes.txt', 'mine\n');
  place.put('dist/app.js', 'built\n');
  return place;
}

test.each([
  ['deletes a folder that git ignores', ['rm -rf localdata']],
  ['empties and replaces files in it', ['> localdata/a.csv; cp src/a.ts localdata/deep/b.csv']],
  ['moves it away', ['mv localdata elsewhere; rm -rf elsewhere/deep']],
  ['ignores a folder before it deletes it', ['echo mydata/ >> .gitignore', 'rm -rf mydata']],
  ['ignores a folder from within', ["echo '*' > mydata/.gitignore", 'rm -rf mydata']],
  [
    'untracks and ignores sources',
    ['git rm -rq --cached src; echo src/ >> .gitignore', 'rm -rf src'],
  ],
  ['gives data the name of build output', ['mv mydata out', 'rm -rf out']],
  ['deletes by a program', [`node -e "fs.rmSync('localdata', {recursive: true})"`]],
])('a run that %s is undone', async (_, commands) => {
  const place = createRepository();
  const before = treeOf(place.workspace);
  const id = await place.run(...commands);
  expect(treeOf(place.workspace)).not.toEqual(before);
  const {files} = await place.runtime().undo(id);
  expect(files.filter(({outcome}) => outcome === 'left')).toEqual([]);
  expect(treeOf(place.workspace)).toEqual(before);
});

test('folders with names of packages that no tool has made are restored', async () => {
  const place = createRepository();
  place.put('.gitignore', 'localdata/\nvenv/\nnode_modules/\ntarget/\n');
  for (const folder of ['venv', 'node_modules', 'localdata/node_modules', 'target'])
    place.put(`${folder}/notes.md`, 'mine\n');
  const before = treeOf(place.workspace);
  const id = await place.run('rm -rf venv node_modules localdata target');
  const {files} = await place.runtime().undo(id);
  expect(files.filter(({outcome}) => outcome === 'left')).toEqual([]);
  expect(treeOf(place.workspace)).toEqual(before);
});

test('confined code that deletes an ignored folder is undone', async () => {
  const place = createRepository('required');
  const before = treeOf(place.workspace);
  const id = await place.run(`node -e "fs.rmSync('localdata', {recursive: true})"`);
  expect([...treeOf(place.workspace).keys()]).not.toContain('localdata');
  await place.runtime().undo(id);
  expect(treeOf(place.workspace)).toEqual(before);
});

test('a folder that no snapshot holds is named when it is gone', async () => {
  const place = createRepository();
  const id = await place.run('rm -rf dist');
  const report = await place.runtime().undo(id, {dryRun: true});
  expect(report.files).toEqual([
    {path: 'dist', outcome: 'left', why: 'the run removed it, and its content was not kept'},
  ]);
  const lines = undoLines(report, {
    style: styleFor(process.stdout, {env: {NO_COLOR: '1'}}),
    dryRun: true,
  }).join('\n');
  expect(lines).toContain('would be left');
  expect(lines).not.toContain('it has written no files');
  const entries = JSON.stringify(await place.runtime().entries(id));
  expect(entries).toContain('removed dist (its old content is not stored)');
  expect(entries).toContain('"path":"dist"');
});

test('a folder that was removed and created again is not reported as before', async () => {
  const place = createRepository();
  const id = await place.run('rm -rf dist', 'mkdir dist; echo other > dist/app.js');
  const {files} = await place.runtime().undo(id);
  expect(files).toMatchObject([{path: 'dist', outcome: 'left'}]);
});

test('a file from a place without snapshots is not removed, because it may be the only copy', async () => {
  const place = createRepository();
  place.put('.env', 'KEY=a-key-of-mine\n');
  place.put('big.bin', Buffer.alloc(11 * 1024 * 1024, 1));
  place.put('dist/only.txt', 'the only one\n');
  const id = await place.run(
    'mv .env env.txt',
    'mv big.bin large.bin',
    'mv dist/only.txt only.txt',
  );
  const {files} = await place.runtime().undo(id);
  expect(files.filter(({outcome}) => outcome !== 'left')).toEqual([]);
  const paths = [...treeOf(place.workspace).keys()];
  expect(paths).toEqual(expect.arrayContaining(['env.txt', 'large.bin', 'only.txt']));
});

test('a file moved from a place without snapshots is restored when a later command deletes it', async () => {
  const place = createRepository();
  const id = await place.run('mv dist/app.js app.js', 'rm app.js');
  const {files} = await place.runtime().undo(id);
  expect(files).toEqual([{path: 'app.js', outcome: 'restored'}]);
});

test('a folder with a name of build output that was not ignored when the run began is kept', async () => {
  const place = createRepository();
  place.put('out/mine.txt', 'mine\n');
  rmSync(join(place.workspace, '.gitignore'));
  const before = treeOf(place.workspace);
  const id = await place.run("printf 'out/\\n' > .gitignore", 'rm -rf out');
  await place.runtime().undo(id);
  expect(treeOf(place.workspace)).toEqual(before);
});

test('a process that resumes a run keeps data that was not ignored when the run began', async () => {
  const place = createRepository();
  place.put('build/mine.txt', 'mine\n');
  const folder = join(place.workspace, '../cache');
  const first = createSnapshots({folder});
  first.baselines.begin('r');
  await first.baselines.of('r', place.workspace);
  first.close();
  place.put('.gitignore', 'build/\n');
  const second = createSnapshots({folder});
  onTestFinished(second.close);
  const watch = await second.begin(place.workspace, 'r');
  rmSync(join(place.workspace, 'build'), {recursive: true});
  const kept: Replacement[] = [];
  await watch.end((more) => void kept.push(...more));
  expect(kept.map(({path}) => path)).toEqual(['build', 'build/mine.txt']);
  expect(kept[1]?.before?.content).toEqual(Buffer.from('mine\n'));
});

test('the baseline of a run is kept as long as the run can be resumed', async () => {
  const place = createRepository();
  const folder = join(place.workspace, '../cache/snapshots');
  await place.run('true');
  expect(readdirSync(folder).filter((name) => name.endsWith('.baseline'))).toEqual([]);
});

test('data beyond the limits is named before the command, and its loss cannot be judged', async () => {
  const place = createRepository();
  for (let at = 0; at < 21; at += 1)
    place.put(`uploads/${at}.bin`, Buffer.alloc(10 * 1024 * 1024, at));
  place.put('.gitignore', 'uploads/\nlocaldata/\n');
  const snapshots = createSnapshots();
  onTestFinished(snapshots.close);
  const why = 'git ignores and is too large to keep';
  expect(await snapshots.unkeptIn(place.workspace)).toEqual([{path: 'uploads', why}]);
  expect(await snapshots.gapOf(place.workspace)).toBeUndefined();
  expect(await snapshots.isRestorable(place.workspace)).toBe(false);
  const preview = await runCommandPreview(place.workspace, snapshots);
  expect(preview).toContain(`not kept: uploads, which ${why}`);
});

test('a file that holds a known secret under a plain name is open to confined code, so not all can be undone', async () => {
  const place = createRepository();
  const isRestorable = async () => {
    const snapshots = createSnapshots({
      holdsSecret: (content) => content.includes('a-key-of-mine'),
    });
    onTestFinished(snapshots.close);
    return await snapshots.isRestorable(place.workspace);
  };
  place.put('.env', 'KEY=a-key-of-mine\n');
  expect(await isRestorable()).toBe(true);
  place.put('settings.json', '{"key": "a-key-of-mine"}\n');
  expect(await isRestorable()).toBe(false);
});

test('files with credentials are named before the command, before other data and beside a gap', async () => {
  const place = createRepository();
  for (const at of [1, 2, 3, 4, 5, 6]) place.put(`localdata/${at}.bin`, Buffer.alloc(11e6, at));
  place.put('.env', 'KEY=12345678\n');
  place.put('sub/id_rsa', 'key\n');
  const snapshots = createSnapshots();
  onTestFinished(snapshots.close);
  const named =
    'not kept: .env, which may hold secrets; not kept: sub/id_rsa, which may hold secrets';
  const preview = await runCommandPreview(place.workspace, snapshots);
  expect(preview).toContain(`${named}; not kept: localdata/1.bin`);
  expect(preview).toContain('; and 3 more');
  place.put('big.bin', Buffer.alloc(11e6, 7));
  const other = createSnapshots();
  onTestFinished(other.close);
  expect(await runCommandPreview(place.workspace, other)).toMatch(
    /its changes can't be undone: big\.bin .*; not kept: \.env, which may hold secrets/,
  );
});

const folders = ['src', 'localdata', 'mydata', 'dist', 'out', 'new', 'localdata/deep'];
const files = cells(String.raw`
  src/a.ts ¦ src/b.ts ¦ localdata/a.csv ¦ localdata/deep/b.csv ¦ mydata/notes.txt ¦ dist/app.js ¦ top.txt
  new/x.txt ¦ link ¦ big.bin ¦ .env
`);

function createGround(mode: 'off' | 'required'): UndoPlace {
  const place = createUndoPlace(mode);
  place.put('.gitignore', 'localdata/\ndist/\nout/\n.env\nbig.bin\n');
  place.put('src/a.ts', 'a\n');
  place.put('src/b.ts', 'b\n');
  place.git('init', '-q');
  place.git('add', '.');
  place.git('commit', '-qm', 'x');
  place.put('src/b.ts', 'uncommitted\n');
  place.put('localdata/a.csv', 'years\n');
  place.put('localdata/deep/b.csv', 'more years\n');
  place.put('mydata/notes.txt', 'mine\n');
  place.put('dist/app.js', 'built\n');
  place.put('top.txt', 'top\n');
  place.put('.env', 'KEY=a-key-of-mine\n');
  place.put('big.bin', Buffer.alloc(10 * 1024 * 1024 + 1, 7));
  symlinkSync('src/a.ts', join(place.workspace, 'link'));
  return place;
}

/** No command fails the call: a part that fails is skipped. */
function commandFrom(roll: Roll, isConfined: boolean): string {
  const file = () => files[roll(files.length)] ?? '';
  const folder = () => folders[roll(folders.length)] ?? '';
  const acts: readonly (() => string)[] = [
    () => `rm -f ${file()}`,
    () => `rm -rf ${folder()}`,
    () => `mv ${file()} ${folder()}/`,
    () => `mv ${folder()} ${folder()}`,
    () => `mv ${file()} ${file()}`,
    () => `cp ${file()} ${file()}`,
    () => `cp -r ${folder()} ${folder()}`,
    () => `echo ${roll(100)} > ${file()}`,
    () => `echo ${roll(100)} >> ${file()}`,
    () => `: > ${file()}`,
    () => `mkdir -p ${folder()}; echo x > ${folder()}/made-${roll(3)}.txt`,
    () => `chmod ${['600', '755', '444'][roll(3)] ?? ''} ${file()}`,
    () => `rm -f ${file()}; ln -s ${folder()} ${file()}`,
    () => `echo ${folder()}/ >> .gitignore`,
    () => `echo '*' > ${folder()}/.gitignore`,
    () => `find ${folder()} -type f -delete`,
    ...(isConfined
      ? []
      : [
          () => `git rm -rq --cached ${folder()}`,
          () => 'git add -A',
          () => 'git stash -q',
          () => `git update-index --assume-unchanged ${file()}`,
        ]),
  ];
  const one = () => acts[roll(acts.length)]?.() ?? 'true';
  return `{ ${Array.from({length: 1 + roll(3)}, one).join('; ')}; } 2>/dev/null; true`;
}

/** Build output, files with secrets and large files are not kept. */
function isNamedBefore(path: string): boolean {
  if (isRegenerable(path) || isRegenerable(dirname(path))) return true;
  return path === '.env' || path === 'big.bin';
}

/** Resolves with the breaches as sentences; none when the law holds. */
async function breachesOf(seed: number, mode: 'off' | 'required'): Promise<readonly string[]> {
  const roll = createDice(seed);
  const place = createGround(mode);
  const before = treeOf(place.workspace);
  const commands = Array.from({length: 1 + roll(4)}, () => commandFrom(roll, mode !== 'off'));
  const id = await place.run(...commands);
  const {files: undone} = await place.runtime().undo(id);
  const after = treeOf(place.workspace);
  const untrue = undone.filter(({path, outcome}) => {
    const state = outcome === 'removed' ? undefined : before.get(path);
    return outcome !== 'left' && after.get(path) !== state;
  });
  const left = undone.filter(({outcome}) => outcome === 'left').map(({path}) => path);
  const isNamed = (path: string): boolean =>
    isNamedBefore(path) || left.some((each) => isAtOrIn(path, each) || isAtOrIn(each, path));
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
  const breaches = [
    ...untrue.map(({path, outcome}) => `${path} is not ${outcome}`),
    ...changed.filter((path) => !isNamed(path)).map((path) => `${path} has changed unnamed`),
  ];
  return breaches.map((breach) => `${breach}: ${commands.join(' && ')}`);
}

function isAtOrIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

const seeds = Array.from({length: isDeep ? 120 : 16}, (_, seed) => seed);

test.each(seeds)('undo restores every file that it claims to keep (seed %i)', async (seed) => {
  expect(await breachesOf(seed, 'off')).toEqual([]);
});

const {confined} = await createSandbox({mode: 'required'}).probe(process.cwd());

test.runIf(confined).each(seeds.slice(0, isDeep ? 30 : 4))(
  'confined, undo restores every file that it claims to keep (seed %i)',
  async (seed) => {
    expect(await breachesOf(seed, 'required')).toEqual([]);
  },
);
