/**
 * Undo restores every file that it reports as restored, and names every file that it cannot restore: over random sequences of
 * commands, in real folders, with real git.
 */

import {symlinkSync} from 'node:fs';
import {dirname, join} from 'node:path';

import {expect, test} from 'vitest';

import {isRegenerable} from '../../tools/commands/regenerable.ts';
import {createSandbox} from '../../tools/index.ts';
import {isDeep} from '../support/depth.ts';
import {createDice, type Roll} from '../support/dice.ts';
import {cells} from '../support/rows.ts';
import {createUndoPlace, treeOf, type UndoPlace} from '../support/undoing.ts';

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
