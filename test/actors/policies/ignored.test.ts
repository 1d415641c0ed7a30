/** Ignored files are data, unless they are known build output that git ignored before the run began. */

import {rmSync} from 'node:fs';
import {join} from 'node:path';

import {describe, expect, onTestFinished, test} from 'vitest';

import type {Evidence} from '../../../machines/domain/evidence.ts';
import {sampled} from '../../support/depth.ts';
import {cells} from '../../support/rows.ts';
import {commandProposal, did} from './proposal.ts';
import {openWorld, type TestWorld} from './world.ts';

const ignores =
  'dist/\nnode_modules/\n.env\nlocaldata/\nuploads/\n*.sqlite\n__pycache__/\nbuild/\n*.log\n/public/build\n';

function createWorld(more: Readonly<Record<string, string>> = {}): TestWorld {
  const world = openWorld({
    'localdata/a.csv': 'years of work\n',
    'localdata/dist/b.csv': 'more of it\n',
    'uploads/photo.jpg': 'photo\n',
    'data.sqlite': 'rows\n',
    'mydata/notes.txt': 'mine\n',
    'mybuild/x/a.txt': 'mine\n',
    'build/app.js': 'built\n',
    'public/build/app.js': 'built\n',
    'src/__pycache__/a.pyc': 'cache\n',
    'debug.log': 'log\n',
    ...more,
  });
  onTestFinished(world.close);
  world.put({'.gitignore': ignores});
  world.git('add', '.gitignore');
  world.git('commit', '-qm', 'ignore');
  return world;
}

function createNamesakes(): TestWorld {
  const world = createWorld({
    'venv/notes.md': 'mine\n',
    'sub/.venv/years.csv': 'mine\n',
    'sub/node_modules/photos/a.jpg': 'mine\n',
    'target/thesis.tex': 'mine\n',
    'vendor/contract.pdf': 'mine\n',
    'py/.venv/pyvenv.cfg': 'home = /usr/bin\n',
    'py/.venv/lib/a.py': 'package\n',
    'js/package.json': '{}\n',
    'js/node_modules/a/index.js': 'package\n',
    'rust/Cargo.toml': '',
    'rust/target/debug/a': 'built\n',
    'php/composer.json': '{}\n',
    'php/vendor/a/a.php': 'package\n',
  });
  world.put({'.gitignore': `${ignores}.venv/\nvenv/\ntarget/\nvendor/\n`});
  world.git('commit', '-qam', 'ignore more');
  return world;
}

describe('a folder with the name of packages or build output', () => {
  test('is data if no file shows that a tool has made it', async () => {
    const world = createNamesakes();
    const commands = cells(String.raw`
      rm -rf venv ¦ rm -f venv/notes.md ¦ rm -rf sub/.venv ¦ rm -rf sub/node_modules
      rm -rf sub/node_modules/photos ¦ rm -rf target ¦ rm -rf vendor ¦ > target/thesis.tex
    `);
    const verdicts = commands.map(async (command) => [command, await verdictOn(world, command)]);
    const approved = (await Promise.all(verdicts)).filter(([, verdict]) => verdict === 'approve');
    expect(approved).toEqual([]);
  });

  test('is data if only this run has written such a file', async () => {
    const world = createNamesakes();
    world.put({'venv/pyvenv.cfg': ''});
    const wrote = did('write_file', {path: 'venv/pyvenv.cfg', content: ''});
    expect(await verdictOn(world, 'rm -rf venv', wrote)).not.toBe('approve');
  });

  test.each(
    cells(String.raw`
    rm -rf py/.venv ¦ rm -rf js/node_modules ¦ rm -rf js/node_modules/a ¦ rm -rf rust/target
    rm -rf php/vendor
  `),
  )('may be deleted if one does: %s', async (command) => {
    expect(await verdictOn(createNamesakes(), command)).toBe('approve');
  });
});

async function verdictOn(
  world: TestWorld,
  command: string,
  evidence: readonly Evidence[] = [],
): Promise<string> {
  const proposal = commandProposal(command, 'Fix the failing test');
  const facts = {...proposal.facts, evidence};
  return (await world.judge({...proposal, facts})).verdict;
}

test.each(
  sampled(
    cells(String.raw`
      rm -rf localdata ¦ rm -rf uploads/* ¦ rm -rf localdata/dist ¦ find localdata -delete
      find uploads -type f -delete ¦ git clean -fdX ¦ > data.sqlite ¦ truncate -s 0 data.sqlite
      cp src/a.ts data.sqlite ¦ mv src/a.ts data.sqlite ¦ cp src/a.ts uploads/photo.jpg ¦ rm data.sqlite
      rm localdata/a.csv ¦ sed -i s/a/b/ localdata/a.csv ¦ mv localdata uploads
      mv localdata dist/x && rm -rf dist ¦ rm -rf mydata
    `),
    2,
  ),
)('%s is not approved', async (command) => {
  const world = createWorld();
  await world.begin();
  expect(await verdictOn(world, command)).not.toBe('approve');
});

test.each(
  cells(String.raw`
  rm -rf dist ¦ rm -rf dist build node_modules ¦ rm -rf build/* ¦ rm -rf public/build
  rm -rf src/__pycache__ ¦ rm debug.log ¦ rm -rf coverage .next ¦ > dist/app.js
`),
)('%s is approved', async (command) => {
  const world = createWorld();
  expect(await verdictOn(world, command)).toBe('approve');
  await world.begin();
  expect(await verdictOn(world, command)).toBe('approve');
  await world.resume();
  expect(await verdictOn(world, command)).toBe('approve');
});

/** Changes of a run that make a folder look like build output; none may have an effect. */
const disguises: Readonly<Record<string, readonly [string, (world: TestWorld) => void]>> = {
  'an ignore file': ['mydata', ({put}) => put({'.gitignore': `${ignores}mydata/\n`})],
  'a committed ignore file': [
    'mydata',
    ({put, git}) => {
      put({'.gitignore': `${ignores}mydata/\n`});
      git('commit', '-qam', 'x');
    },
  ],
  'an ignore file in the folder': ['mydata', ({put}) => put({'mydata/.gitignore': '*\n'})],
  'an ignore file for a name of the table': [
    'mybuild/out',
    ({put}) => put({'mybuild/out/a.txt': 'mine\n', '.gitignore': `${ignores}out/\n`}),
  ],
  'an ignore file in between': ['target', ({put}) => put({'target/.gitignore': '*\n'})],
  'the excludes': ['target', ({put}) => put({'.git/info/exclude': 'target/\n'})],
  'untracking and ignoring': [
    'src',
    ({git, put}) => {
      put({'src/a.ts': 'uncommitted\n'});
      git('rm', '-rq', '--cached', 'src');
      put({'.gitignore': `${ignores}src/\n`});
    },
  ],
  'untracking and ignoring a name of the table': [
    'out',
    ({git, put}) => {
      git('rm', '-rq', '--cached', 'out');
      put({'.gitignore': `${ignores}out/\n`});
    },
  ],
  'removing entries': [
    'out',
    ({git, put}) => {
      git('update-index', '--force-remove', 'out/kept.txt');
      put({'.gitignore': `${ignores}out/\n`});
    },
  ],
  'no repository': ['target', ({workspace}) => rmSync(join(workspace, '.git'), {recursive: true})],
};

test.each(Object.keys(disguises))(
  '%s of this run does not make a folder build output',
  async (name) => {
    const [folder, disguise] = disguises[name] ?? ['', () => {}];
    const world = createWorld({'target/a.bin': 'mine\n'});
    world.put({'out/kept.txt': 'kept\n'});
    world.git('add', '-f', 'out/kept.txt');
    world.git('commit', '-qm', 'kept');
    await world.begin();
    disguise(world);
    expect(await verdictOn(world, `rm -rf ${folder}`)).toBe('refuse');
    await world.resume();
    expect(await verdictOn(world, `rm -rf ${folder}`)).toBe('refuse');
  },
);

test('uncommitted ignore rules have no effect', async () => {
  const world = createWorld({'target/a.bin': 'mine\n'});
  world.put({'.gitignore': `${ignores}target/\n`});
  await world.begin();
  expect(await verdictOn(world, 'rm -rf target')).toBe('refuse');
  expect(await verdictOn(world, 'rm -rf dist')).toBe('approve');
});

test('a changed file is not clean when the run has changed the index to say so', async () => {
  const world = createWorld();
  world.put({'src/a.ts': 'uncommitted\n'});
  await world.begin();
  const hash = String(world.git('hash-object', 'src/a.ts')).trim();
  world.git('update-index', '--cacheinfo', `100644,${hash},src/a.ts`);
  expect(await verdictOn(world, 'sed -i s/a/b/ src/a.ts')).toBe('cannot_judge');
  world.git('update-index', '--assume-unchanged', 'src/a.ts');
  expect(await verdictOn(world, 'sed -i s/a/b/ src/a.ts')).toBe('cannot_judge');
  expect(await verdictOn(world, 'sed -i s/a/b/ src/b.ts')).toBe('approve');
});

test('a run whose baseline is lost has only build output with the names of tools', async () => {
  const world = createWorld();
  await world.resume();
  expect(await verdictOn(world, 'rm -rf build')).toBe('refuse');
  expect(await verdictOn(world, 'rm -rf node_modules')).toBe('approve');
});

test('without git only the names decide', async () => {
  const world = createWorld();
  rmSync(join(world.workspace, '.git'), {recursive: true});
  await world.begin();
  expect(await verdictOn(world, 'rm -rf dist')).toBe('approve');
  expect(await verdictOn(world, 'rm -rf uploads')).toBe('refuse');
});

function moved(command: string): readonly Evidence[] {
  return [{tool: 'run_command', did: 'ran', target: command, ok: true, exitCode: 0}];
}

test('build output that a file was moved into is no longer build output', async () => {
  const world = createWorld();
  await world.begin();
  expect(await verdictOn(world, 'rm -rf dist', moved('mv notes.txt dist/'))).toBe('refuse');
  expect(await verdictOn(world, 'rm -rf dist', moved('cd mydata && mv notes.txt ../dist'))).toBe(
    'refuse',
  );
  expect(await verdictOn(world, 'rm -rf dist', moved('mv -t dist notes.txt'))).toBe('refuse');
  expect(await verdictOn(world, 'rm -rf dist', moved('mv build dist'))).toBe('approve');
  expect(await verdictOn(world, 'rm -rf build', moved('mv notes.txt dist/'))).toBe('approve');
});
