/** `.gitignore` as git reads it, and files that try to delay a walk. */

import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';

import {execaSync} from 'execa';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';

import {parseIgnoreFile} from '../../../tools/read/ignored.ts';
import {listFiles} from '../../../tools/read/list.ts';

let workspace: string;

beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'quorate-ignored-'));
});
afterEach(() => rmSync(workspace, {recursive: true, force: true}));

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), {recursive: true});
    writeFileSync(join(workspace, path), text);
  }
}

async function listed(base: readonly string[] = []): Promise<string[]> {
  const {files} = await listFiles(workspace, base, new AbortController().signal);
  return files.map(({path}) => path);
}

const tree = {
  'a.log': '',
  'b.txt': '',
  'dist/out.js': '',
  'src/a.log': '',
  'src/dist/x.js': '',
  'src/keep.log': '',
  'src/deep/er/tmp': '',
  'docs/build/page.html': '',
  'docs/{x}.md': '',
  '.cache/data': '',
};

describe('untracked files are not listed', () => {
  test.each([
    [{'.gitignore': '*.log\n!keep.log\n'}],
    [{'.gitignore': '/dist\n'}],
    [{'.gitignore': 'dist/\n# src/\n\n'}],
    [{'.gitignore': 'docs/build\n.cache\n'}],
    [{'.gitignore': 'src/**/tmp\n'}],
    [{'.gitignore': '*\n!*/\n!*.txt\n'}],
    [{'.gitignore': '{x}.md\ndocs/{x}.md   \n'}],
    [{'.gitignore': '*.log\n', 'src/.gitignore': '!a.log\n/deep\n'}],
    [{'.gitignore': 'src/*\n!src/keep.log\r\n'}],
    [{'.gitignore': '[ab].*\n\\#x\n'}],
  ])('%j', async (ignoreFiles: Readonly<Record<string, string>>) => {
    write({...tree, ...ignoreFiles});
    execaSync('git', ['init', '-q'], {cwd: workspace});
    const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
    const tracked = execaSync('git', args, {cwd: workspace}).stdout;

    expect(await listed()).toEqual(tracked.split('\0').filter(Boolean).toSorted());
  });
});

test('an ignored folder that is named is listed', async () => {
  write({...tree, '.gitignore': 'dist\n*.log\n'});
  expect(await listed(['dist'])).toEqual(['dist/out.js']);
  expect(await listed(['src'])).toEqual(['src/deep/er/tmp']);
});

test('a hostile file neither delays the walk nor leads it out', async () => {
  const evil = [`${'*a'.repeat(400)}b`, '/../**', `${'**/'.repeat(300)}x`, '[', '\\', '!'].join(
    '\n',
  );
  write({...tree, ['a'.repeat(200)]: '', '.gitignore': `${evil}\n`.repeat(50)});
  expect(await listed()).toContain('b.txt');
});

test('only as many wildcards are applied as a walk can afford; later rules are dropped', () => {
  const hostile = Array.from({length: 900}, (_, index) => `*a*a*a*a*a*a*b${index}`);
  const {rules} = parseIgnoreFile([...hostile, 'dist/'].join('\n'), 0);
  expect(rules.length).toBeGreaterThan(100);
  expect(rules.reduce((sum, {glob}) => sum + glob.stars, 0)).toBeLessThanOrEqual(1_000);
  const usual = Array.from({length: 900}, (_, index) => `*.${index}`);
  expect(parseIgnoreFile(usual.join('\n'), 0).rules).toHaveLength(900);
});
