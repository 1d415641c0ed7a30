/** The one reading of a command: it is made once, and again when anything that it looked at has changed. */

import {linkSync, lstatSync, rmSync, unlinkSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {expect, test} from 'vitest';

import {understand} from '../../../tools/commands/reader.ts';
import {readCommand} from '../../../tools/commands/reading.ts';
import {createSurroundings} from '../../../tools/commands/surroundings.ts';
import {createGround, type Ground} from './understood.ts';

function ground(): Ground {
  const made = createGround();
  made.put('package.json', '{"scripts": {"test": "sh good.sh"}}\n');
  made.put('good.sh', 'cat src/a.ts\n');
  made.git('add', 'package.json', 'good.sh');
  made.put('dist/.env');
  made.link('way', 'src');
  return made;
}

/** Files that have just changed are read again: the next change may have the same times. */
async function steadyReading(workspace: string, command: string) {
  const asked = {command, workspace, folder: ''};
  await expect
    .poll(async () => (await readCommand(asked)) === (await readCommand(asked)))
    .toBe(true);
  return await readCommand(asked);
}

const everyCommand = ['rg x', 'cat src/a.ts', 'npm test', 'git status', 'frob'];

test.each(everyCommand)('%s is read once while nothing changes', async (command) => {
  const {workspace} = ground();
  const {understanding} = await steadyReading(workspace, command);
  const again = await readCommand({command, workspace, folder: ''});
  expect(again.understanding).toBe(understanding);
  const surroundings = createSurroundings(workspace);
  expect(understanding).toEqual(await understand(command, {surroundings, folder: '', written: []}));
});

test.each<readonly [name: string, command: string, change: (own: Ground) => void]>([
  ['a new file with credentials', 'rg x', ({put}) => put('src/deep/.env')],
  ['a rule of a searcher', 'rg x', ({put}) => put('src/.ignore', '!x')],
  ['a new match', 'cat src/*', ({put}) => put('src/c.ts')],
  ['a new file', 'cat src/none.ts', ({put}) => put('src/none.ts')],
  ['a removed file', 'cat new.txt', ({workspace}) => rmSync(join(workspace, 'new.txt'))],
  ['a changed file', 'rm src/a.ts', ({put}) => put('src/a.ts', 'other\n')],
  ['a staged file', 'rm new.txt', ({git}) => git('add', 'new.txt')],
  ['an ignore file', 'rm new.txt', ({put}) => put('.gitignore', 'dist\nnew.txt\n')],
  ['a package script', 'npm test', ({put}) => put('package.json', '{"scripts": {"test": "ls"}}\n')],
  ['code that git does not know', 'npm run build; tsc', ({put}) => put('src/deep/new.ts')],
  [
    'another name of a file',
    'cat src/a.ts',
    ({workspace}) => linkSync(join(workspace, 'src/a.ts'), join(workspace, 'twin')),
  ],
  [
    'another target of a link',
    'cat way/a.ts',
    ({workspace, link}) => {
      unlinkSync(join(workspace, 'way'));
      link('way', '/etc');
    },
  ],
  [
    'a script of the same size and times',
    'sh good.sh',
    ({workspace}) => {
      const path = join(workspace, 'good.sh');
      const {atime, mtime} = lstatSync(path);
      writeFileSync(path, 'cat src/b.ts\n');
      utimesSync(path, atime, mtime);
    },
  ],
])('%s is noticed', async (_, command, change) => {
  const own = ground();
  const {workspace} = own;
  const {understanding} = await steadyReading(workspace, command);
  change(own);
  const surroundings = createSurroundings(workspace);
  const fresh = await understand(command, {surroundings, folder: '', written: []});
  expect((await readCommand({command, workspace, folder: ''})).understanding).toEqual(fresh);
  expect(fresh).not.toEqual(understanding);
});

test('the files that the run has changed, and those that it will write, are part of the question', async () => {
  const {workspace} = ground();
  const asked = {command: 'npm test', workspace, folder: ''};
  const {understanding} = await steadyReading(workspace, asked.command);
  const changed = await readCommand({...asked, changed: ['good.sh']});
  const pending = await readCommand({...asked, pending: new Map([['good.sh', 'frob\n']])});
  expect(changed.understanding).not.toEqual(understanding);
  expect(pending.understanding.commands.map(({name}) => name)).toContain('frob');
  expect((await readCommand(asked)).understanding).toBe(understanding);
});
