/** Effects through a link are judged by the target of the link. */

import {linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';

import {afterAll, beforeAll, describe, expect, test} from 'vitest';

import {analyseProposal} from '../../../actors/policies/analysis/analyse.ts';
import {judge} from '../../../actors/policies/index.ts';
import {createSurroundings} from '../../../tools/commands/surroundings-of.ts';
import {cells} from '../../support/rows.ts';
import {proposalOf} from './proposal.ts';
import {openWorld, type TestWorld} from './world.ts';

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

async function verdictOn(command: string, more: Parameters<typeof proposalOf>[0] = {}) {
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
    expect(await verdictOn(`${link}; ${command}`)).not.toBe('approve');
    expect(await verdictOn(`${link} && ${command}`)).not.toBe('approve');
  });

  test.each(through)('ln -s INSIDE lnk; %s', async (command) => {
    expect(await verdictOn(`ln -s dist/deep/x lnk; ${command}`)).not.toBe('approve');
  });
});

describe('nothing outside is changed or read through an existing link', () => {
  test.each(through)('%s', async (command) => {
    expect(await verdictOn(command.replaceAll('lnk', 'old'))).not.toBe('approve');
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
    expect(await verdictOn(command, {request: 'Fix the failing test'})).not.toBe('approve');
  });

  test.each([
    'rm -rf dist; mkdir dist; echo x > dist/a',
    'rm -rf dist && mkdir -p dist && cp -r src dist/ && cp README.md dist/',
    'rm -rf dist && cp -r src dist',
    'rm -rf dist && ln -s src dist',
    'mkdir -p dist && cp README.md dist && cat dist/README.md',
    'mkdir tmpd && cp README.md tmpd && cat tmpd/README.md',
  ])('harmless: %s', async (command) => {
    expect(await verdictOn(command)).toBe('approve');
  });
});

/** Runs in the folder that is the target of the link `built`. */
function inBuilt(command: string) {
  return verdictOn('', {calls: [{tool: 'run_command', args: {command, working_dir: 'built'}}]});
}

test("in a linked folder, `..` is the parent of the link's target", async () => {
  expect(await inBuilt('rm -rf ../src')).toBe('approve');
  expect(await inBuilt('cd .. && rm -rf src')).toBe('approve');
  expect(await inBuilt('rm -rf ../../src')).not.toBe('approve');
});

test('a shell that entered a link returns the same way', async () => {
  expect(await verdictOn('cd built && cd .. && rm -rf dist')).toBe('approve');
  expect(await verdictOn('cd built/.. && rm -rf src')).not.toBe('approve');
  expect(await verdictOn('cd built/* && cd ../.. && rm -rf src')).not.toBe('approve');
  expect(await verdictOn('cd -P built && cd .. && rm -rf src')).toBe('approve');
  expect(await verdictOn('cd -PL built && cd .. && rm -rf src')).not.toBe('approve');
});

/** Relative to the workspace. */
function target(): string {
  return `../${basename(outside)}/deep`;
}

describe('making a link', () => {
  test('that leads out of the workspace is refused', async () => {
    expect(await verdictOn(`ln -s ${target()} lnk`)).toBe('refuse');
    expect(await verdictOn(`ln -sfn ${outside} lnk`)).toBe('refuse');
    expect(await verdictOn(`ln -s ../${target()} src`)).toBe('refuse');
    expect(await verdictOn(`ln -sr ${target()} src/lnk`)).toBe('refuse');
    expect(await verdictOn(`ln -st src ../${target()} ../README.md`)).toBe('refuse');
    expect(await verdictOn('ln -s old/.. lnk')).toBe('refuse');
  });

  test('inside it, to an installed program, or to a target named in the request is approved', async () => {
    expect(await verdictOn('ln -s ../README.md src/lnk')).toBe('approve');
    expect(await verdictOn('ln -s ../README.md src/')).toBe('approve');
    expect(await verdictOn('ln -sr README.md src/lnk')).toBe('approve');
    expect(await verdictOn('ln -s /usr/bin/env lnk')).toBe('approve');
    const request = `Link ${outside}/deep as data`;
    expect(await verdictOn(`ln -s ${outside}/deep data`, {request})).toBe('approve');
    expect(await verdictOn(`ln -s ${outside} data`, {request})).toBe('refuse');
  });
});

test('a change of a file with several names cannot be judged, confined or not', async () => {
  linkSync(join(outside, 'secret.txt'), join(world.workspace, 'shared.txt'));
  const commands = ['echo x >> shared.txt', 'cp README.md shared.txt', 'sed -i s/m/n/ shared.txt'];
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
    expect(await verdictOn(command)).not.toBe('approve');
  }
});

test.each([
  ['git diff --no-index . src', 'cannot_judge'],
  ['node .env', 'refuse'],
  ['python3 .env', 'refuse'],
  ['awk -f .env', 'refuse'],
  ['make -f .env', 'refuse'],
  ['make -f Makefile clean', 'approve'],
])('a file with credentials is not printed by %s: %s', async (command, verdict) => {
  expect(await verdictOn(command)).toBe(verdict);
});

test('a new file after a change of branch cannot be judged, because the branch may contain links', async () => {
  expect(await verdictOn('git switch -q links && touch d/x')).toBe('cannot_judge');
  expect(await verdictOn('git switch -c links && touch src/x.ts')).toBe('approve');
});
