/**
 * The time that the policies take to judge one command, including the inspection of the files, in a repository of 2,000
 * committed files.
 */

import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {createJudge} from '../support/judging.ts';
import {median, type Row} from './table.ts';

const folders = 200;
const filesAFolder = 10;
const rounds = 40;

const commands = [
  'git status',
  'npm test',
  'node --test test/part-1.test.js',
  'rm -rf dist',
  'grep -rn total .',
  "sed -i 's/1/2/' src/part-1/1.js",
  'npm ci && npm run build && npm test',
];

export async function measurePolicy(): Promise<Row[]> {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-bench-')));
  try {
    fill(workspace);
    const rows: Row[] = [];
    for (const command of commands) {
      const ours = await msToJudge(workspace, command);
      rows.push({label: `judging ${command}`, unit: 'ms', ours});
    }
    return rows;
  } finally {
    rmSync(workspace, {recursive: true, force: true});
  }
}

function fill(workspace: string): void {
  for (let folder = 0; folder < folders; folder += 1) {
    const path = join(workspace, 'src', `part-${folder}`);
    mkdirSync(path, {recursive: true});
    for (let file = 0; file < filesAFolder; file += 1) {
      writeFileSync(join(path, `${file}.js`), `export const total = ${file};\n`);
    }
  }
  mkdirSync(join(workspace, 'test'));
  mkdirSync(join(workspace, 'dist'));
  writeFileSync(join(workspace, 'dist/a.js'), '');
  writeFileSync(
    join(workspace, 'test/part-1.test.js'),
    "import {total} from '../src/part-1/1.js';\n",
  );
  const scripts = {test: 'node --test', build: 'node src/part-1/1.js'};
  writeFileSync(join(workspace, 'package.json'), JSON.stringify({name: 'bench', scripts}));
  writeFileSync(join(workspace, '.gitignore'), 'dist\n');
  const git = (...args: readonly string[]) => execFileSync('git', ['-C', workspace, ...args]);
  git('init', '-q');
  git('add', '.');
  const identity = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.org'];
  git(...identity, 'commit', '-q', '-m', 'start');
}

/** The median; each round inspects the workspace anew, as each proposal of a run does. */
async function msToJudge(workspace: string, command: string): Promise<number> {
  const judge = createJudge(workspace);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = performance.now();
    (await judge(command))();
    times.push(performance.now() - before);
  }
  return median(times);
}
