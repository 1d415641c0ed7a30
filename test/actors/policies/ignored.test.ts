/** Ignored files are data, unless they are known build output that git ignored before the run; effects through a link are judged by its target. */

import {linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';

import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest';

import {analyseProposal} from '../../../actors/policies/analysis/analyse.ts';
import {judge} from '../../../actors/policies/index.ts';
import type {Evidence} from '../../../machines/domain/evidence.ts';
import {createSurroundings} from '../../../tools/commands/surroundings-of.ts';
import {sampled} from '../../support/depth.ts';
import {cells, pairs} from '../../support/rows.ts';
import {commandProposal, did, proposalOf} from './proposal.ts';
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

describe('links', () => {
  let world: TestWorld;
  /** Next to the workspace: `deep/`, `build/`, `secret.txt`, a Makefile and a package. */
  let outside: string;

  beforeAll(() => {
    outside = mkdtempSync('/var/tmp/quorate-outside-');
    for (const folder of ['deep', 'build', 'dist']) mkdirSync(join(outside, folder));
    writeFileSync(join(outside, 'secret.txt'), 'mine\n');
    writeFileSync(join(outside, 'dist/a.js'), 'mine\n');
    writeFileSync(join(outside, 'Makefile'), 'clean:\n\trm -rf dist\n');
    writeFileSync(join(outside, 'package.json'), '{"scripts": {"clean": "rm -rf dist"}}');
    world = openWorld({
      'dist/deep/x/a.js': 'built\n',
      'dist/src/a.js': 'built\n',
      Makefile: 'clean:\n\trm -rf dist\n',
    });
    symlinkSync(join('..', basename(outside), 'deep'), join(world.workspace, 'old'));
    symlinkSync('dist/deep', join(world.workspace, 'built'));
    symlinkSync('src', join(world.workspace, 'dist/deep/source'));
    symlinkSync('src', join(world.workspace, 'alias'));
  });

  afterAll(() => {
    world.close();
    rmSync(outside, {recursive: true});
  });

  async function verdictThrough(command: string, more: Parameters<typeof proposalOf>[0] = {}) {
    const calls = [{tool: 'run_command', args: {command}}];
    const {verdict} = await world.judge(proposalOf({calls, request: 'Clean the build', ...more}));
    return verdict;
  }

  const through: readonly string[] = cells(String.raw`
  env -C lnk/.. rm -rf build ¦ cd -P lnk/.. && rm -rf dist ¦ cd -LP lnk/.. && rm -rf dist
  cd -P lnk && cd .. && rm -rf dist ¦ cd -P lnk/.. && echo x > out.txt ¦ cd -P lnk/.. && cat secret.txt
  (cd -P lnk/..; rm -rf dist) ¦ make -C lnk/.. clean ¦ git -C lnk/.. init new
  npm --prefix lnk/.. run clean ¦ npm -C lnk/.. run clean ¦ tar -xf a.tar -C lnk/.. ¦ cat lnk/../secret.txt
  echo x > lnk/../out.txt ¦ rm -rf lnk/../dist ¦ find lnk/../dist -delete ¦ rm -rf lnk/../dist*
  cp README.md lnk/../out.txt ¦ env -C lnk sh -c "cd ..; rm -rf dist" ¦ env -C lnk/.. env -C dist rm a.js
`);

  describe('nothing outside is changed or read through a link that the same command creates', () => {
    test.each(through)('ln -s OUTSIDE lnk; %s', async (command) => {
      const link = `ln -s ../${basename(outside)}/deep lnk`;
      expect(await verdictThrough(`${link}; ${command}`)).not.toBe('approve');
      expect(await verdictThrough(`${link} && ${command}`)).not.toBe('approve');
    });

    test.each(through)('ln -s INSIDE lnk; %s', async (command) => {
      expect(await verdictThrough(`ln -s dist/deep/x lnk; ${command}`)).not.toBe('approve');
    });
  });

  describe('nothing outside is changed or read through an existing link', () => {
    test.each(through)('%s', async (command) => {
      expect(await verdictThrough(command.replaceAll('lnk', 'old'))).not.toBe('approve');
    });
  });

  describe('a link over a name that the same command removed is followed', () => {
    test.each(
      cells(String.raw`
    rm -rf dist; ln -s src dist; rm -rf dist/ ¦ rm -rf dist; ln -s src dist; echo x > dist/a.ts
    rm -rf dist; ln -s ../outside dist; rm -rf dist/
    rm -rf dist; ln -s ../outside dist; echo x > dist/f.txt
    rm -rf dist; ln -s .git/hooks dist; cp README.md dist/pre-commit
    rm -rf dist; ln -s ../config/quorate dist; echo x >> dist/config.toml
    rm -rf dist; ln -s .env dist; rev dist ¦ rm -rf dist; ln -s .env dist; sed 's/-/ - /g' dist
    rm -rf dist && ln -s src dist && rm -rf dist/
    rm -rf dist/deep; ln -s ../src dist/deep; rm -rf dist/deep/
    rm -rf dist; mkdir dist; ln -s ../src dist/deep; rm -rf dist/deep/x
    rm -rf dist; false && mkdir dist; ln -s src dist; rm -rf dist/
    mkdir tmpd; rmdir tmpd; ln -s src tmpd; echo x > tmpd/a.ts
    false && mkdir tmpd; ln -s src tmpd; echo x > tmpd/a.ts
    mkdir -p tmpd/a; rm -rf tmpd; ln -s src tmpd; echo x > tmpd/a.ts
    find dist -delete; ln -s src dist; rm -rf dist/ ¦ npm run clean; ln -s src dist; rm -rf dist/
    npm run build; ln -s src dist; rm -rf dist/ ¦ rm -rf dist; cp -a alias dist; echo x > dist/a.ts
    rm -rf dist; cp -P alias dist; rm -rf dist/ ¦ rm -rf dist; mv alias dist; echo x > dist/a.ts
    rm -rf dist; ln -s src dist; rm dist/* ¦ rm -rf dist; ln -s src dist; rm -rf dist/lib/**
    rm -rf dist; ln -s src dist; cd dist && rm -rf a.ts ¦ rm built; ln -s src built; rm -rf built/
    rm built; ln -s .env built; rev built ¦ ln -sfn src built; rm -rf built/*
    ln -sfn src built; echo x > built/a.ts ¦ mv built other; ln -s src built; echo x > built/a.ts
    rm -rf dist/deep; mkdir dist/deep; ln -s ../../src dist/deep/source; rm -rf dist/deep/source/
  `),
    )('%s', async (command) => {
      expect(await verdictThrough(command, {request: 'Fix the failing test'})).not.toBe('approve');
    });

    test.each([
      'rm -rf dist; mkdir dist; echo x > dist/a',
      'rm -rf dist && mkdir -p dist && cp -r src dist/ && cp README.md dist/',
      'rm -rf dist && cp -r src dist',
      'rm -rf dist && ln -s src dist',
      'mkdir -p dist && cp README.md dist && cat dist/README.md',
      'mkdir tmpd && cp README.md tmpd && cat tmpd/README.md',
    ])('harmless: %s', async (command) => {
      expect(await verdictThrough(command)).toBe('approve');
    });
  });

  /** Runs in the folder that is the target of the link `built`. */
  function inBuilt(command: string) {
    return verdictThrough('', {
      calls: [{tool: 'run_command', args: {command, working_dir: 'built'}}],
    });
  }

  test("in a linked folder, `..` is the parent of the link's target", async () => {
    expect(await inBuilt('rm -rf ../src')).toBe('approve');
    expect(await inBuilt('cd .. && rm -rf src')).toBe('approve');
    expect(await inBuilt('rm -rf ../../src')).not.toBe('approve');
  });

  test('a shell that entered a link returns the same way', async () => {
    expect(await verdictThrough('cd built && cd .. && rm -rf dist')).toBe('approve');
    expect(await verdictThrough('cd built/.. && rm -rf src')).not.toBe('approve');
    expect(await verdictThrough('cd built/* && cd ../.. && rm -rf src')).not.toBe('approve');
    expect(await verdictThrough('cd -P built && cd .. && rm -rf src')).toBe('approve');
    expect(await verdictThrough('cd -PL built && cd .. && rm -rf src')).not.toBe('approve');
  });

  /** Relative to the workspace. */
  function target(): string {
    return `../${basename(outside)}/deep`;
  }

  describe('making a link', () => {
    test('that leads out of the workspace is refused', async () => {
      expect(await verdictThrough(`ln -s ${target()} lnk`)).toBe('refuse');
      expect(await verdictThrough(`ln -sfn ${outside} lnk`)).toBe('refuse');
      expect(await verdictThrough(`ln -s ../${target()} src`)).toBe('refuse');
      expect(await verdictThrough(`ln -sr ${target()} src/lnk`)).toBe('refuse');
      expect(await verdictThrough(`ln -st src ../${target()} ../README.md`)).toBe('refuse');
      expect(await verdictThrough('ln -s old/.. lnk')).toBe('refuse');
    });

    test('inside it, to an installed program, or to a target named in the request is approved', async () => {
      expect(await verdictThrough('ln -s ../README.md src/lnk')).toBe('approve');
      expect(await verdictThrough('ln -s ../README.md src/')).toBe('approve');
      expect(await verdictThrough('ln -sr README.md src/lnk')).toBe('approve');
      expect(await verdictThrough('ln -s /usr/bin/env lnk')).toBe('approve');
      const request = `Link ${outside}/deep as data`;
      expect(await verdictThrough(`ln -s ${outside}/deep data`, {request})).toBe('approve');
      expect(await verdictThrough(`ln -s ${outside} data`, {request})).toBe('refuse');
    });
  });

  test('a change of a file with several names cannot be judged, confined or not', async () => {
    linkSync(join(outside, 'secret.txt'), join(world.workspace, 'shared.txt'));
    const commands = [
      'echo x >> shared.txt',
      'cp README.md shared.txt',
      'sed -i s/m/n/ shared.txt',
    ];
    for (const command of commands) {
      const {workspace} = world;
      const calls = [{tool: 'run_command', args: {command}}];
      const proposal = proposalOf({calls, workspace, request: 'Change shared.txt'});
      const analysis = await analyseProposal(proposal, {
        surroundingsOf: (path) => createSurroundings(path),
        isConfined: async () => true,
        isRestorable: async () => true,
      });
      const contained = {...analysis, isConfined: true, isRestorable: true};
      expect(judge(proposal, contained).verdict).not.toBe('approve');
      expect(await verdictThrough(command)).not.toBe('approve');
    }
  });

  test.each(
    pairs(`
  git diff --no-index . src ⇒ cannot_judge ¦ node .env ⇒ refuse ¦ python3 .env ⇒ refuse
  awk -f .env ⇒ refuse ¦ make -f .env ⇒ refuse ¦ make -f Makefile clean ⇒ approve
`),
  )('a file with credentials is not printed by %s: %s', async (command, verdict) => {
    expect(await verdictThrough(command)).toBe(verdict);
  });

  test('a new file after a change of branch cannot be judged, because the branch may contain links', async () => {
    expect(await verdictThrough('git switch -q links && touch d/x')).toBe('cannot_judge');
    expect(await verdictThrough('git switch -c links && touch src/x.ts')).toBe('approve');
  });
});
