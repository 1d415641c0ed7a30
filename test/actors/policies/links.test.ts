/** Effects through a link are judged by its target, and a file with several names may lie anywhere. */

import {linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';

import {afterAll, beforeAll, expect, test} from 'vitest';

import {cells} from '../../support/rows.ts';
import {commandProposal} from './proposal.ts';
import {openWorld, type TestWorld} from './world.ts';

let world: TestWorld;
/** Next to the workspace. */
let outside: string;

beforeAll(() => {
  outside = mkdtempSync('/var/tmp/quorate-outside-');
  mkdirSync(join(outside, 'deep'));
  writeFileSync(join(outside, 'secret.txt'), 'mine\n');
  world = openWorld({'dist/deep/a.js': 'built\n'});
  const link = (target: string, path: string) => symlinkSync(target, join(world.workspace, path));
  link(join('..', basename(outside), 'deep'), 'old');
  link('../.env', 'src/settings');
  link('../.git/hooks', 'src/hooks');
  link('src', 'alias');
  linkSync(join(outside, 'secret.txt'), join(world.workspace, 'shared.txt'));
});

afterAll(() => {
  world.close();
  rmSync(outside, {recursive: true});
});

test.each(
  cells(String.raw`
  ls old ¦ cat old/x ¦ cd old && cat ../secret.txt ¦ cd old && cat x ¦ grep -r mine old/ ¦ head old/x
`),
)('reading outside through a link is not approved in any grade: %s', async (command) => {
  expect(await world.verdictsOn(command)).not.toContain('approve');
});

test.each(
  cells(String.raw`
  echo x > old/out.txt ¦ rm -rf old/dist ¦ cp README.md old/out.txt ¦ rm old/x ¦ cp README.md old
  cd old && echo x > ../out.txt ¦ echo x >> src/hooks/pre-commit ¦ cat src/settings ¦ cp src/settings x.txt ¦ cd src && cat settings
`),
)('a link does not hide what no run needs: %s', async (command) => {
  expect(await world.verdictsOn(command)).toEqual(['refuse', 'refuse']);
});

test('a link inside the workspace is judged as its target', async () => {
  expect(await world.verdictsOn('cat alias/a.ts')).toEqual(['approve', 'approve']);
  expect(await world.verdictsOn('echo x > alias/a.ts')).toEqual(['cannot_judge', 'approve']);
  const only = commandProposal('echo x > alias/a.ts', 'Only change README.md');
  expect((await world.judge(only)).rules).toContain('scope/bounds');
});

test.each(['echo x >> shared.txt', 'cp README.md shared.txt', 'sed -i s/m/n/ shared.txt'])(
  'a change of a file with several names is not approved, contained or not: %s',
  async (command) => {
    expect(await world.verdictsOn(command)).toEqual(['cannot_judge', 'cannot_judge']);
  },
);

test.each([
  'ln -s src lnk; cat lnk/../README.md',
  'rm -rf dist; ln -s .env dist; cat dist',
  'ln -s ../secret.txt lnk && cat lnk',
])('a link that the command makes itself is not followed unconfined: %s', async (command) => {
  expect((await world.judge(commandProposal(command))).verdict).not.toBe('approve');
});
